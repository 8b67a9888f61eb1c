/* SPDX-License-Identifier: MIT */
/*
 * What an event looks like, as text: the `format` file.  Clients parse it, so
 * every space counts.
 */
#include "tracefs.h"

#include <kernel/page.h>

static void field_line(struct seq *s, const char *type, const char *name,
		       const char *array, u32 offset, u32 size, bool is_signed)
{
	seq_printf(s, "\tfield:%s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
		   type, name, array, offset, size, is_signed);
}

void trace_format_show(struct seq *s, struct trace_event *ev)
{
	u32 i;

	seq_printf(s, "name: %s\nID: %u\nformat:\n", ev->name, ev->id);
	field_line(s, "unsigned short", "common_type", "", 0, 2, false);
	field_line(s, "unsigned char", "common_flags", "", 2, 1, false);
	field_line(s, "unsigned char", "common_preempt_count", "", 3, 1, false);
	field_line(s, "int", "common_pid", "", 4, 4, true);
	seq_putc(s, '\n');
	for (i = 0; i < ev->nr_fields; i++) {
		const struct trace_field *f = &ev->fields[i];

		field_line(s, f->type, f->name, f->array, f->offset, f->size,
			   f->is_signed);
	}
	seq_puts(s, "\nprint fmt: ");
	if (ev->print_fmt)
		seq_puts(s, ev->print_fmt);
	else
		ev->ops->show_print(ev, s);
	seq_putc(s, '\n');
}
