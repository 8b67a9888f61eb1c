# SPDX-License-Identifier: MIT
#
# Build of the kernel.  One make process: the directory fragments are read
# into this one, so that every dependency is known and -j is safe.
#
# A fragment is a file `Makefile` that lists `obj-y += foo.o bar/` (names
# relative to its directory) and `obj-$(CONFIG_X) += ...`.  It may also set
# CFLAGS_<path>.o (path from the top) for one object, UBSAN_<path>.o := n,
# and hold rules of its own for what it generates under $(BUILD).
#
# ARCH=arm64|x86_64   CC=clang or LLVM=1   O=<build directory>   V=1

MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.SUFFIXES:
.DELETE_ON_ERROR:
SHELL := /bin/bash

ARCH ?= arm64
O ?= build/$(ARCH)
BUILD := $(O)
export ARCH
HOSTPY := /usr/bin/python3
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)')

.PHONY: all
all:

# A configuration goal among others is made first, each by a make of its own:
# this one has read the old configuration by then.
CONFIG_GOALS := menuconfig olddefconfig %_defconfig %.config
ifneq ($(filter $(CONFIG_GOALS),$(MAKECMDGOALS)),)
MIXED := $(filter-out $(CONFIG_GOALS),$(MAKECMDGOALS))
endif
ifneq ($(MIXED),)
.PHONY: $(MAKECMDGOALS) in-turn
$(MAKECMDGOALS): in-turn ;
in-turn:
	@set -e; for goal in $(MAKECMDGOALS); do \
		$(MAKE) --no-print-directory $$goal; done
else
all: $(BUILD)/Image

# ---- Tools -----------------------------------------------------------------

TRIPLE_arm64 := aarch64-linux-gnu
TRIPLE_x86_64 := x86_64-linux-gnu
TRIPLE := $(TRIPLE_$(ARCH))
$(if $(TRIPLE),,$(error ARCH=$(ARCH) is not supported))
HOSTARCH := $(patsubst aarch64,arm64,$(shell uname -m))
CROSS_COMPILE ?= $(if $(filter $(ARCH),$(HOSTARCH)),,$(TRIPLE)-)

ifdef LLVM
CC := clang
LD := ld.lld
OBJCOPY := llvm-objcopy
NM := llvm-nm
endif
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
CC := $(or $(CC),$(CROSS_COMPILE)gcc)
LD := $(if $(filter-out default undefined,$(origin LD)),$(LD),$(CROSS_COMPILE)ld)
OBJCOPY ?= $(CROSS_COMPILE)objcopy
NM ?= $(CROSS_COMPILE)nm
IS_CLANG := $(findstring clang,$(notdir $(firstword $(CC))))

# ---- Configuration ---------------------------------------------------------

CONFIG := $(BUILD)/.config
AUTOCONF := $(BUILD)/include/generated/autoconf.h
AUTOMK := $(BUILD)/auto.conf
KCONFIG = KCONFIG_CONFIG=$(CONFIG) $(HOSTPY) scripts/kconfig
KCONFIG_FILES := Kconfig $(wildcard arch/$(ARCH)/Kconfig kernel/*/Kconfig)

# What is neither built nor configured needs no configuration file.
NO_CONFIG := $(CONFIG_GOALS) clean help style unit setup demo test check bench
ifneq ($(filter-out $(NO_CONFIG),$(or $(MAKECMDGOALS),all)),)
HAVE_CONFIG := y
include $(AUTOMK)
endif

$(AUTOMK) $(AUTOCONF) &: $(KCONFIG_FILES) $(wildcard $(CONFIG)) \
		configs/$(ARCH)_defconfig scripts/kconfig
	$(Q)scripts/setup build
	$(call say,CONFIG,$(CONFIG))
	$(Q)mkdir -p $(dir $(AUTOCONF))
	$(Q)$(KCONFIG) sync configs/$(ARCH)_defconfig $(AUTOMK) $(AUTOCONF)

.PHONY: menuconfig olddefconfig
menuconfig:
	$(Q)scripts/setup build
	$(Q)mkdir -p $(BUILD)
	$(Q)$(KCONFIG) menu configs/$(ARCH)_defconfig

%_defconfig: configs/%_defconfig
	$(Q)scripts/setup build
	$(Q)mkdir -p $(BUILD)
	$(Q)$(KCONFIG) load configs/$@

%.config: configs/%.config
	$(Q)scripts/setup build
	$(Q)mkdir -p $(BUILD)
	$(Q)$(KCONFIG) merge configs/$(ARCH)_defconfig configs/$@

olddefconfig:
	$(Q)mkdir -p $(BUILD)
	$(Q)$(KCONFIG) merge configs/$(ARCH)_defconfig

# ---- Flags -----------------------------------------------------------------

INCLUDES := -Iinclude -Iarch/$(ARCH)/include -Iinclude/uapi -I$(BUILD)/include
CPPFLAGS := -nostdinc -isystem $(shell $(CC) -print-file-name=include \
	2>/dev/null) $(INCLUDES) -D__KERNEL__
CFLAGS := -std=gnu11 -O2 -g -ffreestanding -fno-omit-frame-pointer \
	-fno-strict-aliasing -fno-common -fno-pic -fno-pie \
	-fno-stack-protector -fno-asynchronous-unwind-tables -fno-unwind-tables \
	-fno-delete-null-pointer-checks -ffile-prefix-map=$(CURDIR)/= \
	-Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Wshadow \
	-Wmissing-prototypes -Wstrict-prototypes -Wvla -Wundef \
	-Wframe-larger-than=2048 -Werror
AFLAGS := -g -D__ASSEMBLY__ -ffile-prefix-map=$(CURDIR)/=
LDFLAGS := -nostdlib -static --build-id=sha1 -z max-page-size=4096 \
	-z noexecstack

include arch/$(ARCH)/flags.mk

ifneq ($(IS_CLANG),)
CFLAGS += --target=$(TRIPLE) -Wno-address-of-packed-member \
	-Wno-gnu-variable-sized-type-not-at-end -Wno-initializer-overrides \
	-Wthread-safety
AFLAGS += --target=$(TRIPLE)
CPP_TARGET := --target=$(TRIPLE)
else
CFLAGS += -Wno-override-init -fconserve-stack
endif

CFLAGS_ubsan-y :=
ifeq ($(CONFIG_UBSAN),y)
CFLAGS_ubsan-y := -fsanitize=shift,integer-divide-by-zero,unreachable \
	-fsanitize=signed-integer-overflow,bounds,bool,enum,alignment,null \
	-Wno-array-bounds $(if $(IS_CLANG),,-Wno-maybe-uninitialized)
endif

# ---- Objects ---------------------------------------------------------------

OBJS :=
define descend
obj-y :=
-include $(1)/Makefile
entries.$(1) := $$(obj-y)
OBJS += $$(addprefix $(1)/,$$(filter %.o,$$(entries.$(1))))
$$(foreach d,$$(patsubst %/,%,$$(filter %/,$$(entries.$(1)))),$$(eval \
	$$(call descend,$(1)/$$(d))))
endef
ifdef HAVE_CONFIG
$(eval $(call descend,kernel))
GENERIC_OBJS := $(addprefix $(BUILD)/,$(OBJS))
$(eval $(call descend,arch/$(ARCH)))
KERNEL_OBJS := $(addprefix $(BUILD)/,$(OBJS))
endif

# Objects follow the compiler and its flags, not only their sources.
FLAGS_STAMP := $(BUILD)/.flags
ifdef HAVE_CONFIG
FLAGS_NOW := $(CC) $(CPPFLAGS) $(CFLAGS) $(AFLAGS) $(CFLAGS_ubsan-y)
ifneq ($(FLAGS_NOW),$(file <$(FLAGS_STAMP)))
$(shell mkdir -p $(BUILD))
$(file >$(FLAGS_STAMP),$(FLAGS_NOW))
endif
endif

DEPFLAGS = -MMD -MP -MF $(@D)/.$(@F).d
GENERATED := $(AUTOCONF) $(BUILD)/include/generated/version.h
ASM_OFFSETS := $(if $(wildcard arch/$(ARCH)/asm-offsets.c),$\
	$(BUILD)/include/generated/asm-offsets.h)
ubsan_of = $(if $(filter n,$(UBSAN_$(1))),,$(CFLAGS_ubsan-y))
cc_flags = $(CPPFLAGS) -include $(AUTOCONF) $(CFLAGS) $(call ubsan_of,$(1)) \
	$(CFLAGS_$(1))

$(BUILD)/%.o: %.c $(FLAGS_STAMP) | $(GENERATED) $(ASM_OFFSETS)
	$(call say,CC,$*.o)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(DEPFLAGS) $(call cc_flags,$*.o) -c -o $@ $<

$(BUILD)/%.o: %.S $(FLAGS_STAMP) | $(GENERATED) $(ASM_OFFSETS)
	$(call say,AS,$*.o)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(DEPFLAGS) $(CPPFLAGS) -include $(AUTOCONF) $(AFLAGS) \
		$(CFLAGS_$*.o) -c -o $@ $<

# arch/<arch>/asm-offsets.c emits lines `->NAME value` into its assembly.
$(BUILD)/include/generated/asm-offsets.h: arch/$(ARCH)/asm-offsets.c \
		$(FLAGS_STAMP) | $(GENERATED)
	$(call say,OFFSETS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(DEPFLAGS) -MT $@ $(CPPFLAGS) -include $(AUTOCONF) \
		$(CFLAGS) -S -o $@.s $<
	$(Q)sed -n 's/^.*->\([A-Za-z0-9_]*\) [$$#]*\(-*[0-9]*\).*$$/#define \1 \2/p' \
		$@.s > $@

.PHONY: FORCE
$(BUILD)/include/generated/version.h: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)scripts/version > $@.new
	$(Q)cmp -s $@.new $@ && rm $@.new || mv $@.new $@

ifdef HAVE_CONFIG
-include $(foreach o,$(KERNEL_OBJS),$(dir $(o)).$(notdir $(o)).d) \
	$(BUILD)/include/generated/.asm-offsets.h.d $(BUILD)/.kernel.lds.d
endif

.PHONY: objects
objects: $(GENERIC_OBJS)

# ---- Link ------------------------------------------------------------------
# Three links: without a symbol table, with one of the final size, with the
# final one; scripts/kallsyms refuses if the last link moved a symbol.

$(BUILD)/kernel.lds: arch/$(ARCH)/kernel.ld $(FLAGS_STAMP) | $(GENERATED) \
		$(ASM_OFFSETS)
	$(call say,LDS,$@)
	$(Q)$(CC) $(CPP_TARGET) -E -P -x assembler-with-cpp $(DEPFLAGS) -MT $@ \
		$(CPPFLAGS) -include $(AUTOCONF) -D__ASSEMBLY__ -D__LINKER__ \
		-o $@ $<

link = $(LD) $(LDFLAGS) $(1) -T $(BUILD)/kernel.lds -o $(2) \
	--start-group $(KERNEL_OBJS) --end-group $(3)
kallsyms_o = $(HOSTPY) scripts/kallsyms $(1) > $(2:.o=.S) && \
	$(CC) $(AFLAGS) -c -o $(2) $(2:.o=.S)

$(BUILD)/sonde.elf: $(KERNEL_OBJS) $(BUILD)/kernel.lds scripts/kallsyms
	$(call say,LD,$@)
	$(Q)$(call kallsyms_o,--empty,$(BUILD)/ksyms0.o)
	$(Q)$(call link,--strip-debug,$(BUILD)/.pass1,$(BUILD)/ksyms0.o)
	$(Q)$(NM) -n $(BUILD)/.pass1 > $(BUILD)/.pass1.nm
	$(Q)$(call kallsyms_o,$(BUILD)/.pass1.nm,$(BUILD)/ksyms1.o)
	$(Q)$(call link,--strip-debug,$(BUILD)/.pass2,$(BUILD)/ksyms1.o)
	$(Q)$(NM) -n $(BUILD)/.pass2 > $(BUILD)/.pass2.nm
	$(Q)$(call kallsyms_o,$(BUILD)/.pass2.nm,$(BUILD)/ksyms2.o)
	$(Q)$(call link,,$@,$(BUILD)/ksyms2.o)
	$(Q)$(NM) -n $@ > $(BUILD)/System.map
	$(Q)$(HOSTPY) scripts/kallsyms --check $(BUILD)/.pass2.nm \
		$(BUILD)/System.map

$(BUILD)/Image: $(BUILD)/sonde.elf scripts/check-noinstr
	$(call say,IMAGE,$@)
	$(Q)$(OBJCOPY) -O binary $< $@
	$(Q)$(HOSTPY) scripts/check-noinstr $(BUILD)/System.map $@

# ---- Running ---------------------------------------------------------------

CPU ?= cortex-a72
SMP ?= 4
ROOT ?= perf
RUN := scripts/run-qemu --kernel $(BUILD)/Image --cpu $(CPU) --smp $(SMP) \
	--initrd $(ROOT)
.PHONY: setup run gdb demo
setup:
	scripts/setup build guest test

run: $(BUILD)/Image
	$(Q)scripts/setup guest
	$(Q)$(RUN) $(if $(CMD),--cmd '$(subst ','\'',$(CMD))',--interactive) \
		$(ARGS)

gdb: $(BUILD)/Image
	$(Q)scripts/setup test
	$(Q)$(RUN) $(if $(CMD),--cmd '$(subst ','\'',$(CMD))') --gdb $(ARGS)

demo:
	$(Q)scripts/setup build guest
	$(Q)$(MAKE) --no-print-directory \
		$(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc)) all
	$(Q)scripts/demo $(BUILD)/Image

# ---- Checks ----------------------------------------------------------------

.PHONY: style headers-check sparse unit check test bench conformance fuzz-abi
style:
	$(Q)bad=0; for c in style size includes contract; do \
		scripts/check-$$c || bad=1; done; exit $$bad

HEADERS = $(sort $(shell find include arch/$(ARCH)/include -name "*.h" \
	2>/dev/null))
headers-check: $(GENERATED) $(ASM_OFFSETS)
	$(call say,HEADERS,$(words $(HEADERS)) headers of $(ARCH))
	$(Q)printf '%s\n' $(HEADERS) | xargs -P2 -I{} $(CC) $(CPPFLAGS) \
		-include $(AUTOCONF) $(CFLAGS) -fsyntax-only -include {} \
		-x c /dev/null

# The front end of sparse knows C without knowing the target's builtins.
SPARSE := sparse -Wno-decl -Wno-non-pointer-null -Wno-unknown-attribute \
	-Wno-one-bit-signed-bitfield \
	-D__aarch64__ -m64 -Wno-shift-count-overflow
sparse: $(GENERATED) $(ASM_OFFSETS)
	$(call say,SPARSE,kernel)
	$(Q)printf '%s\n' $(wildcard $(patsubst $(BUILD)/%.o,%.c,$(KERNEL_OBJS))) | \
		xargs -P2 -n8 $(SPARSE) $(CPPFLAGS) -include $(AUTOCONF) \
		-std=gnu11 2>&1 | tee $(BUILD)/sparse.log
	$(Q)! grep -q . $(BUILD)/sparse.log

unit:
	$(Q)$(MAKE) --no-print-directory -C tests/unit

check:
	$(Q)tests/run --check

test:
	$(Q)tests/run $(T)

bench:
	$(Q)tests/bench/run

# An architecture without a kernel is told so by the script.
conformance: $(if $(wildcard arch/$(ARCH)/kernel.ld),$(BUILD)/Image)
	$(Q)scripts/conformance --arch $(ARCH) --kernel $(BUILD)/Image

SEED ?= 1
COUNT ?= 10000
fuzz-abi: $(BUILD)/Image
	$(Q)scripts/fuzz-abi --kernel $< --seed $(SEED) --count $(COUNT)

.PHONY: clean help
clean:
	rm -rf $(BUILD)

help:
	@echo 'make [ARCH=arm64] [CC=clang|LLVM=1] [O=dir] [V=1] target'
	@echo '  all            $(BUILD)/Image and $(BUILD)/sonde.elf'
	@echo '  objects        everything outside arch/, compiled, not linked'
	@echo '  menuconfig, $(ARCH)_defconfig, debug.config, olddefconfig'
	@echo '  setup          install what is missing (root or sudo)'
	@echo "  run            a shell on the console; CMD='...' runs one command"
	@echo '                 (CPU=, SMP=, ROOT=busybox|perf|full, ARGS=)'
	@echo '  gdb            the same, stopped, with a debugger attached'
	@echo '  demo           set up, build, boot, profile, power off'
	@echo '  check          style, unit tests and one boot: two minutes'
	@echo '  test           every test; bench: costs beside the reference'
	@echo '  conformance    the answers of both kernels to many questions'
	@echo '  fuzz-abi       random perf events on both; SEED=n COUNT=m'
	@echo '  style, headers-check, unit, clean'

endif # MIXED
