# SPDX-License-Identifier: MIT
# A trace hook that nobody has switched on is one NOP.
exec python3 tests/hooks.py "${ELF:-build/arm64/sonde.elf}"
