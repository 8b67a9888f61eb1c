// SPDX-License-Identifier: MIT
/*
 * Programs that are none: a small ELF file, damaged field by field, and bad
 * `#!` lines.  One fact each: the errno of execve, the signal that ends what
 * began to run, or that it ran.
 * only: tags
 * tags: facts
 * timeout: 400
 *
 * Three shapes of the same program: at a fixed address, anywhere, and with an
 * interpreter, which is then the file of the second shape; the interpreter is
 * damaged as well.  What a damaged program does is exit by a known status, so
 * that a segment in the wrong place shows.
 */
#define _GNU_SOURCE
#include "facts.h"
#include "freemem.h"

#include <elf.h>
#include <sys/stat.h>

#define FOLDER	"/tmp/badelf"
#define PROGRAM FOLDER "/program"
#define INTERP	FOLDER "/interp"
#define CODE	0x200
#define TEXT	0x1000			/* file part of the first segment */
#define DATA	0x100			/* ... and of the second */
#define BYTES	(TEXT + DATA)
#define SEGMENTS 5
#define AT_INTERP 0x300
#define RAN	77

enum shape { FIXED, ANYWHERE, WITH_INTERP, SHAPES };
static const char *const shape_names[] = { "fixed", "anywhere", "interp" };

struct image {
	Elf64_Ehdr h;
	Elf64_Phdr p[SEGMENTS];
	unsigned char rest[BYTES - sizeof(Elf64_Ehdr) -
			   SEGMENTS * sizeof(Elf64_Phdr)];
};

static struct image good[SHAPES];
static bool warming;

static void build(struct image *m, enum shape shape)
{
	/* mov x0, #77; mov x8, #93; svc #0 */
	static const u32 code[] = { 0xd28009a0, 0xd2800ba8, 0xd4000001 };
	u64 base = shape == FIXED ? 0x400000 : 0;

	memset(m, 0, sizeof(*m));
	memcpy(m->h.e_ident, "\177ELF\2\1\1", 7);
	m->h.e_type = shape == FIXED ? ET_EXEC : ET_DYN;
	m->h.e_machine = EM_AARCH64;
	m->h.e_version = 1;
	m->h.e_entry = base + CODE;
	m->h.e_phoff = sizeof(m->h);
	m->h.e_ehsize = sizeof(m->h);
	m->h.e_phentsize = sizeof(m->p[0]);
	m->h.e_phnum = SEGMENTS;
	m->p[0] = (Elf64_Phdr){ PT_LOAD, PF_R | PF_X, 0, base, base, TEXT, TEXT,
				0x1000 };
	m->p[1] = (Elf64_Phdr){ PT_LOAD, PF_R | PF_W, TEXT, base + 0x11000,
				base + 0x11000, DATA, 0x3000, 0x1000 };
	m->p[2] = (Elf64_Phdr){ .p_type = PT_GNU_STACK,
				.p_flags = PF_R | PF_W };
	m->p[3] = (Elf64_Phdr){ .p_type = PT_NOTE };
	if (shape == WITH_INTERP)
		m->p[3] = (Elf64_Phdr){ PT_INTERP, PF_R, AT_INTERP, AT_INTERP,
					0, sizeof(INTERP), sizeof(INTERP), 1 };
	memcpy((char *)m + CODE, code, sizeof(code));
	strcpy((char *)m + AT_INTERP, INTERP);
}

static void put(const char *path, const void *data, size_t n, int mode)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, mode);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n || fchmod(fd, mode)) {
		printf("# %s: %s\n", path, strerrorname_np(errno));
		exit(99);
	}
	close(fd);
}

/* What exec says, or what became of it. */
static const char *outcome_of(const char *path)
{
	static volatile int *err;
	char *argv[] = { "program", NULL };
	int status, pid;

	if (!err)
		err = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*err = 0;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(20);
		execve(path, argv, NULL);
		*err = errno;
		_exit(1);
	}
	waitpid(pid, &status, 0);
	if (*err)
		return strerrorname_np(*err);
	if (WIFSIGNALED(status))
		return text("SIG%s", sigabbrev_np(WTERMSIG(status)));
	return WEXITSTATUS(status) == RAN ? "ran" :
					    text("%d", WEXITSTATUS(status));
}

static void tell(const char *path, const char *what)
{
	const char *answer = outcome_of(path);

	if (!warming)
		fact(answer, "%s", what);
}

/* The damaged file as a program, or as the interpreter of a sound one. */
static void ask(const struct image *m, size_t bytes, enum shape shape,
		bool interp, const char *what)
{
	put(INTERP, interp ? m : &good[ANYWHERE],
	    interp ? bytes : sizeof(*m), 0755);
	put(PROGRAM, interp ? &good[WITH_INTERP] : m,
	    interp ? sizeof(*m) : bytes, 0755);
	tell(PROGRAM, text("%s%s, %s", interp ? "interpreter, " : "",
			   shape_names[shape], what));
}

/* --- fields ------------------------------------------------------------- */

struct field {
	const char *name;
	int offset, bytes;
};

#define IN_HEADER(f) \
	{ #f, offsetof(Elf64_Ehdr, f), sizeof(((Elf64_Ehdr *)0)->f) }
#define IN_SEGMENT(f) \
	{ #f, offsetof(Elf64_Phdr, f), sizeof(((Elf64_Phdr *)0)->f) }
#define LIST(...) (const u64[]){ __VA_ARGS__ }, \
		  sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64)

static const u64 addresses[] = {
	0, 1, 8, 0xfff, 0x1000, 0x1001, 0x2000, 0x11000, 0x400000, 0x411000,
	0x7fffffff, 0x80000000, 0xffffffff, 1ull << 47, (1ull << 48) - 0x1000,
	1ull << 48, (1ull << 63) - 1, 1ull << 63, -0x1000ull, ~0ull,
};

static void damage(enum shape shape, bool interp, int at, int bytes, u64 value,
		   const char *name)
{
	struct image m = good[shape];

	if (!memcmp((char *)&m + at, &value, bytes))
		return;
	memcpy((char *)&m + at, &value, bytes);
	ask(&m, sizeof(m), shape, interp,
	    text("%s %#llx", name, (unsigned long long)value));
}

static void each(enum shape shape, bool interp, int base, const char *where,
		 struct field f, const u64 *values, int n)
{
	for (int i = 0; i < n; i++)
		damage(shape, interp, base + f.offset, f.bytes, values[i],
		       text("%s%s", where, f.name));
}

static void headers(enum shape shape, bool interp)
{
	for (int i = 0; i < 9; i++)
		damage(shape, interp, i, 1, 3, text("e_ident[%d]", i));
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_type),
	     LIST(0, 1, 2, 3, 4, 0xffff));
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_machine),
	     LIST(0, 3, 40, 62, 0xffff));
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_version),
	     LIST(0, 2));
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_entry), addresses,
	     sizeof(addresses) / 8);
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_phoff), addresses,
	     sizeof(addresses) / 8);
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_shoff),
	     LIST(1, ~0ull));
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_flags),
	     LIST(1, 0xffffffff));
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_ehsize),
	     LIST(0, 0xffff));
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_phentsize),
	     LIST(0, 1, 55, 57, 112, 0xffff));
	each(shape, interp, 0, "", (struct field)IN_HEADER(e_phnum),
	     LIST(0, 1, 2, 3, 6, 73, 74, 1170, 1171, 0xffff));
}

static void segments(enum shape shape, bool interp)
{
	static const struct field numbers[] = {
		IN_SEGMENT(p_offset), IN_SEGMENT(p_vaddr),
		IN_SEGMENT(p_filesz), IN_SEGMENT(p_memsz),
	};

	for (int s = 0; s < 2; s++) {
		int base = offsetof(struct image, p[s]);
		const char *where = s ? "data " : "text ";

		each(shape, interp, base, where,
		     (struct field)IN_SEGMENT(p_type),
		     LIST(0, 2, 4, 6, 7, 0x6474e551, 0x70000000, 0xffffffff));
		each(shape, interp, base, where,
		     (struct field)IN_SEGMENT(p_flags),
		     LIST(0, 1, 2, 3, 4, 5, 6, 7, 0xffffffff));
		each(shape, interp, base, where,
		     (struct field)IN_SEGMENT(p_paddr), LIST(~0ull));
		each(shape, interp, base, where,
		     (struct field)IN_SEGMENT(p_align),
		     LIST(0, 1, 3, 0x800, 0x2000, 0x200000, 1ull << 40,
			  1ull << 47, 1ull << 63, ~0ull));
		for (int f = 0; f < 4; f++)
			each(shape, interp, base, where, numbers[f], addresses,
			     sizeof(addresses) / 8);
	}
}

static void truncations(enum shape shape, bool interp)
{
	static const int lengths[] = { 0, 1, 2, 3, 4, 5, 16, 17, 20, 63, 64, 65,
				       119, 120, 176, 232, 288, 343, 344, 512,
				       524, 0x300, 0x310, 0xfff, 0x1000, 0x1001,
				       0x10ff };

	for (int i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		ask(&good[shape], lengths[i], shape, interp,
		    text("%d bytes", lengths[i]));
}

/* --- more than one field ------------------------------------------------ */

static void together(void)
{
	struct image m = good[ANYWHERE];

	m.p[0].p_type = m.p[1].p_type = PT_NULL;
	ask(&m, sizeof(m), ANYWHERE, false, "nothing to load");
	ask(&m, sizeof(m), ANYWHERE, true, "nothing to load");
	m = good[FIXED];
	m.p[0].p_type = m.p[1].p_type = PT_NULL;
	ask(&m, sizeof(m), FIXED, false, "nothing to load");
	m = good[FIXED];
	m.p[4] = m.p[0];
	m.p[0] = m.p[1];
	m.p[1] = m.p[4];
	m.p[4].p_type = PT_NULL;
	ask(&m, sizeof(m), FIXED, false, "segments the other way round");
	m = good[ANYWHERE];
	m.p[4] = m.p[0];
	m.p[0] = m.p[1];
	m.p[1] = m.p[4];
	m.p[4].p_type = PT_NULL;
	ask(&m, sizeof(m), ANYWHERE, false, "segments the other way round");
	for (int shape = 0; shape < 2; shape++) {
		m = good[shape];
		m.p[1].p_vaddr = m.p[0].p_vaddr;
		ask(&m, sizeof(m), shape, false, "data on top of text");
		m = good[shape];
		m.p[4] = m.p[0];
		ask(&m, sizeof(m), shape, false, "text twice");
		m = good[shape];
		m.p[0].p_filesz = m.p[0].p_memsz = 0;
		ask(&m, sizeof(m), shape, false, "an empty text");
		m = good[shape];
		m.p[1].p_filesz = m.p[1].p_memsz = 0;
		ask(&m, sizeof(m), shape, false, "an empty data");
		m = good[shape];
		m.p[1].p_filesz = 0;
		ask(&m, sizeof(m), shape, false, "data of zeroes only");
		m = good[shape];
		m.p[1].p_filesz = 0;
		m.p[1].p_vaddr += 0x123;
		ask(&m, sizeof(m), shape, false, "zeroes from an odd address");
		m = good[shape];
		m.p[1].p_filesz = m.p[1].p_memsz = 1ull << 46;
		ask(&m, sizeof(m), shape, false, "data of 64 TiB");
		m = good[shape];
		m.p[1].p_offset = 0x5000;
		ask(&m, sizeof(m), shape, false, "data beyond the file");
		m = good[shape];
		m.p[1].p_offset = 0x5000;
		m.p[1].p_memsz = DATA;
		ask(&m, sizeof(m), shape, false,
		    "data beyond the file, no zeroes");
		m = good[shape];
		m.p[1].p_flags = PF_R;
		m.p[1].p_offset = 0x5000;
		ask(&m, sizeof(m), shape, false,
		    "data beyond the file, not to write");
	}
}

static void interp_path(const char *path, size_t bytes, const char *what)
{
	struct image m = good[WITH_INTERP];

	memset((char *)&m + AT_INTERP, 0, sizeof(INTERP));
	memcpy((char *)&m + AT_INTERP, path, bytes < 256 ? bytes : 256);
	m.p[3].p_filesz = m.p[3].p_memsz = bytes;
	ask(&m, sizeof(m), WITH_INTERP, false, what);
}

static void interpreters(void)
{
	struct image m;

	interp_path("", 0, "a name of no bytes");
	interp_path("", 1, "a name of one byte");
	interp_path("/", 2, "the root");
	interp_path("x", 2, "a relative name");
	interp_path("/nowhere", 9, "a name that is not there");
	interp_path(INTERP "x", sizeof(INTERP), "no NUL");
	interp_path(INTERP "\0x", sizeof(INTERP) + 1, "not ended by NUL");
	interp_path(INTERP "\0x", sizeof(INTERP) + 2, "two NULs");
	interp_path(FOLDER, sizeof(FOLDER), "a folder");
	interp_path("/dev/null", 10, "a device");
	interp_path("/etc/cmd", 9, "not executable");
	interp_path(PROGRAM, sizeof(PROGRAM), "itself");
	interp_path(FOLDER "/script", sizeof(FOLDER "/script"), "a script");
	interp_path(INTERP, 4095, "a name of 4095 bytes");
	interp_path(INTERP, 4096, "a name of 4096 bytes");
	interp_path(INTERP, 4097, "a name of 4097 bytes");
	interp_path(INTERP, 1ull << 32, "a name of 4 GiB");
	each(WITH_INTERP, false, offsetof(struct image, p[3]), "name ",
	     (struct field)IN_SEGMENT(p_offset), addresses,
	     sizeof(addresses) / 8);
	m = good[WITH_INTERP];
	m.p[4] = m.p[3];
	m.p[4].p_filesz = 0;
	ask(&m, sizeof(m), WITH_INTERP, false, "a second name is bad");
	m.p[4] = good[WITH_INTERP].p[3];
	m.p[3].p_filesz = 0;
	ask(&m, sizeof(m), WITH_INTERP, false, "a first name is bad");
	m = good[FIXED];
	m.p[3] = good[WITH_INTERP].p[3];
	ask(&m, sizeof(m), FIXED, false, "with an interpreter");
	ask(&good[FIXED], sizeof(m), FIXED, true, "at a fixed address");
	ask(&good[WITH_INTERP], sizeof(m), WITH_INTERP, true,
	    "which wants one");
	m = good[FIXED];
	m.p[0].p_vaddr = m.h.e_entry = 0;
	m.h.e_entry = CODE;
	m.p[1].p_vaddr = 0x11000;
	ask(&m, sizeof(m), FIXED, false, "at address 0");
}

/* --- scripts ------------------------------------------------------------ */

static void script(const char *what, const char *line, size_t n)
{
	put(PROGRAM, line, n, 0755);
	tell(PROGRAM, text("script, %s", what));
}

/* "#!" and so many bytes before the path, after it, and then the end. */
static void long_script(const char *what, int before, int after, char with,
			const char *end)
{
	static char line[8192];
	int n = 2;

	memset(line, with, sizeof(line));
	memcpy(line, "#!", 2);
	n += before;
	memcpy(line + n, FOLDER "/sound", sizeof(FOLDER "/sound") - 1);
	n += sizeof(FOLDER "/sound") - 1 + after;
	strcpy(line + n, end);
	script(text("%s, %d before, %d after", what, before, after), line,
	       n + strlen(end));
}

static void chain(int links)
{
	put(FOLDER "/link0", "#!" FOLDER "/sound\n",
	    sizeof("#!" FOLDER "/sound\n") - 1, 0755);
	for (int i = 1; i <= links; i++) {
		const char *line = text("#!" FOLDER "/link%d\n", i - 1);

		put(text(FOLDER "/link%d", i), line, strlen(line), 0755);
	}
	tell(text(FOLDER "/link%d", links),
	     text("script, %d scripts deep", links + 1));
}

static void scripts(void)
{
	static const struct {
		const char *what, *line;
	} lines[] = {
		{ "nothing", "" },
		{ "one byte", "#" },
		{ "no path", "#!" },
		{ "no path but a line", "#!\n" },
		{ "blanks", "#! \t \n" },
		{ "sound", "#!" FOLDER "/sound\n" },
		{ "no line end", "#!" FOLDER "/sound" },
		{ "blanks before", "#!  \t " FOLDER "/sound\n" },
		{ "blanks after", "#!" FOLDER "/sound \t \n" },
		{ "blanks after, no line end", "#!" FOLDER "/sound  " },
		{ "an argument", "#!" FOLDER "/sound -x\n" },
		{ "a carriage return", "#!" FOLDER "/sound\r\n" },
		{ "a carriage return after an argument",
		  "#!" FOLDER "/sound -x\r\n" },
		{ "a form feed", "#!" FOLDER "/sound\f\n" },
		{ "no interpreter", "#!/nowhere\n" },
		{ "a folder", "#!" FOLDER "\n" },
		{ "the root", "#!/\n" },
		{ "a device", "#!/dev/null\n" },
		{ "itself", "#!" PROGRAM "\n" },
		{ "a relative name", "#!sound\n" },
		{ "a relative name not there", "#!nowhere\n" },
		{ "not executable", "#!/etc/cmd\n" },
		{ "a blank between", "# !" FOLDER "/sound\n" },
		{ "a blank line first", "\n#!" FOLDER "/sound\n" },
		{ "text", "echo hello\n" },
	};

	for (int i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		script(lines[i].what, lines[i].line, strlen(lines[i].line));
	script("NUL behind the path", "#!" FOLDER "/sound\0x\n",
	       sizeof("#!" FOLDER "/sound\0x\n") - 1);
	script("NUL before the path", "#!\0" FOLDER "/sound\n",
	       sizeof("#!\0" FOLDER "/sound\n") - 1);
	for (int n = 232; n <= 242; n++) {
		long_script("blanks", n, 0, ' ', "\n");
		long_script("blanks, no line end", n, 0, ' ', "");
		long_script("blanks, an argument", n, 1, ' ', "x\n");
		long_script("a long name", 0, n, 'x', "\n");
		long_script("a long name, no line end", 0, n, 'x', "");
	}
	long_script("blanks after", 0, 300, ' ', "\n");
	long_script("blanks after", 0, 5000, ' ', "\n");
	long_script("blanks", 5000, 0, ' ', "\n");
	for (int links = 0; links < 8; links++)
		chain(links);
}

static void ask_all(void)
{
	for (int shape = 0; shape < SHAPES; shape++)
		ask(&good[shape], sizeof(good[shape]), shape, false, "sound");
	for (int shape = 0; shape < SHAPES; shape++) {
		headers(shape, false);
		truncations(shape, false);
		if (shape != WITH_INTERP)
			segments(shape, false);
	}
	headers(ANYWHERE, true);
	truncations(ANYWHERE, true);
	segments(ANYWHERE, true);
	together();
	interpreters();
	scripts();
}

int main(void)
{
	long before;

	mkdir(FOLDER, 0755);
	if (chdir(FOLDER))
		return 99;
	for (int shape = 0; shape < SHAPES; shape++)
		build(&good[shape], shape);
	put(FOLDER "/sound", &good[FIXED], sizeof(good[FIXED]), 0755);
	put(FOLDER "/script", "#!/bin/sh\n", 10, 0755);
	/* Once for what is allocated once, and kept to be used again. */
	warming = true;
	ask_all();
	warming = false;
	before = free_kb();
	ask_all();
	memory_is_back(before, 8192);
	return ktap_done();
}
