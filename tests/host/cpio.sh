# SPDX-License-Identifier: MIT
# Damaged archives in the initramfs: what the reference makes of them.
exec python3 tests/hostile_cpio.py
