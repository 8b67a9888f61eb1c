# SPDX-License-Identifier: MIT
# The formats under test are wrong on purpose.
DEFS_printf := -Wno-format -Wno-format-extra-args -Wno-format-zero-length \
	-Wno-format-truncation -Wno-format-overflow
