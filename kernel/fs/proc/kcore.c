/* SPDX-License-Identifier: MIT */
/*
 * /proc/kcore: the kernel's memory as an ELF core file, for those with
 * CAP_SYS_RAWIO.
 *
 * One PT_LOAD for the kernel image and one for the linear map of each RAM
 * range; the header page comes first, then the file is sparse at
 * HEADER + (address - lowest address of the kernel half), so that any range
 * keeps its place.  Memory is read by the no-fault copy: a hole reads zero.
 * The size that stat(2) tells covers all ranges: ELF readers refuse a segment
 * beyond the end.
 */
#include <arch/boot.h>
#include <arch/elf.h>
#include <arch/mmu.h>
#include <arch/uaccess.h>
#include <kernel/cred.h>
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/elf.h>

#define HEADER PAGE_SIZE

extern const char _text[], _end[];

struct kcore_range {
	const char *base;
	u64 start, size;
};

static u64 kcore_offset(u64 addr)
{
	return HEADER + (addr - ARCH_LINEAR_BASE);
}

static bool range_at(u32 n, struct kcore_range *r)
{
	const struct boot_range *ram;

	if (n == 0) {
		r->base = _text;
		r->size = PAGE_ALIGN((u64)(_end - _text));
	} else if (n <= boot_info.nr_memory) {
		ram = &boot_info.memory[n - 1];
		r->base = arch_phys_to_virt(ram->start);
		r->size = ram->end - ram->start;
	} else {
		return false;
	}
	r->start = (u64)(uintptr_t)r->base;
	return true;
}

static void make_header(char *page)
{
	struct elf64_hdr *eh = (struct elf64_hdr *)page;
	struct elf64_phdr *ph = (struct elf64_phdr *)(eh + 1);
	struct kcore_range r;
	u32 n;

	memset(page, 0, HEADER);
	memcpy(eh->e_ident, ELFMAG, SELFMAG);
	eh->e_ident[EI_CLASS] = ELFCLASS64;
	eh->e_ident[EI_DATA] = ELFDATA2LSB;
	eh->e_ident[EI_VERSION] = EV_CURRENT;
	eh->e_type = ET_CORE;
	eh->e_machine = ARCH_ELF_MACHINE;
	eh->e_version = EV_CURRENT;
	eh->e_phoff = sizeof(*eh);
	eh->e_ehsize = sizeof(*eh);
	eh->e_phentsize = sizeof(*ph);
	for (n = 0; range_at(n, &r); n++) {
		ph[n].p_type = PT_LOAD;
		ph[n].p_flags = PF_R | PF_W | PF_X;
		ph[n].p_offset = kcore_offset(r.start);
		ph[n].p_vaddr = r.start;
		ph[n].p_paddr = arch_virt_to_phys(r.base);
		ph[n].p_filesz = r.size;
		ph[n].p_memsz = r.size;
		ph[n].p_align = PAGE_SIZE;
	}
	eh->e_phnum = (u16)n;
}

static void read_memory(char *buf, u64 addr, size_t n)
{
	struct kcore_range r;
	u32 i;

	memset(buf, 0, n);
	for (i = 0; range_at(i, &r); i++)
		if (addr >= r.start && addr - r.start < r.size) {
			n = min(n, (size_t)(r.size - (addr - r.start)));
			arch_copy_kernel_nofault(buf,
						 r.base + (addr - r.start), n);
			return;
		}
}

static ssize_t kcore_read(struct file *file, struct uio *to, u64 *pos)
{
	char *page = kmalloc(PAGE_SIZE, GFP_KERNEL);
	ssize_t total = 0;

	if (!page)
		return -ENOMEM;
	while (to->left) {
		size_t skip = *pos % PAGE_SIZE;
		size_t n = min(to->left, (size_t)(PAGE_SIZE - skip));

		if (*pos < HEADER)
			make_header(page);
		else
			read_memory(page, ARCH_LINEAR_BASE + *pos - skip -
						  HEADER, PAGE_SIZE);
		if (uio_put(to, page + skip, n) != n) {
			total = total ? total : -EFAULT;
			break;
		}
		*pos += n;
		total += (ssize_t)n;
	}
	kfree(page);
	return total;
}

static int kcore_open(struct inode *inode, struct file *file)
{
	return capable(CAP_SYS_RAWIO) ? 0 : -EPERM;
}

static const struct file_ops kcore_fops = {
	.open = kcore_open, .read = kcore_read, .llseek = generic_llseek,
};

static int kcore_init(void)
{
	struct pseudo_file entry = {
		.name = "kcore", .mode = 0400, .fops = &kcore_fops,
	};
	struct kcore_range r;
	u32 n;

	for (n = 0; range_at(n, &r); n++)
		entry.size = max(entry.size, kcore_offset(r.start) + r.size);
	return pseudo_create(proc_root, &entry);
}
INITCALL(INIT_FS, kcore_init);
