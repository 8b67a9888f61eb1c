/* SPDX-License-Identifier: MIT */
/*
 * The Arm PrimeCell UART (PL011, DDI 0183) as a terminal port: ttyAMA<n>.
 *
 * Found by compatible "arm,pl011" in the device tree.  Receive is by
 * interrupt (level and time-out); transmit writes the FIFO directly and asks
 * for the transmit interrupt only when it is full.  The kernel log writes the
 * same FIFO through the early console; bytes of the two may interleave but
 * none is lost.  port->lock guards IMSC; it is innermost.
 */
#include <arch/boot.h>
#include <arch/io.h>
#include <arch/irq.h>
#include <kernel/init.h>
#include <kernel/irq.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/printk.h>
#include <kernel/tty.h>
#include <lib/err.h>
#include <lib/fdt.h>
#include <lib/printf.h>

#define UART_DR	  0x000
#define UART_FR	  0x018
#define UART_LCRH 0x02c
#define UART_CR	  0x030
#define UART_IFLS 0x034
#define UART_IMSC 0x038
#define UART_MIS  0x040
#define UART_ICR  0x044

#define FR_RXFE	  (1u << 4)
#define FR_TXFF	  (1u << 5)
#define LCRH_FEN  (1u << 4)
#define LCRH_8BIT (3u << 5)
#define CR_UARTEN (1u << 0)
#define CR_TXE	  (1u << 8)
#define CR_RXE	  (1u << 9)
#define INT_RX	  (1u << 4)
#define INT_TX	  (1u << 5)
#define INT_RT	  (1u << 6)
#define INT_OE	  (1u << 10)
#define DR_ERRORS (0xfu << 8)

#define TTYAMA_MAJOR 204
#define TTYAMA_MINOR 64

struct pl011 {
	void __iomem *regs;	/* [I] */
	struct tty *tty;	/* [I] once interrupts are on */
	u32 irq;		/* [I] */
	struct spinlock lock;
	u32 imsc;		/* [lock] shadow of UART_IMSC */
};

static u32 port_read(struct pl011 *port, u32 reg)
{
	return mmio_read32(port->regs + reg);
}

static void port_write(struct pl011 *port, u32 reg, u32 val)
{
	mmio_write32(port->regs + reg, val);
}

static void port_mask(struct pl011 *port, u32 clear, u32 set)
{
	unsigned long flags = spin_lock_irqsave(&port->lock);

	port->imsc = (port->imsc & ~clear) | set;
	port_write(port, UART_IMSC, port->imsc);
	spin_unlock_irqrestore(&port->lock, flags);
}

static size_t pl011_write(void *arg, const char *data, size_t n)
{
	struct pl011 *port = arg;
	size_t done = 0;

	while (done < n && !(port_read(port, UART_FR) & FR_TXFF))
		port_write(port, UART_DR, (u8)data[done++]);
	if (done < n)
		port_mask(port, 0, INT_TX);
	return done;
}

static void pl011_receive(struct pl011 *port)
{
	char chunk[32];
	size_t n;

	do {
		n = 0;
		while (n < sizeof(chunk) &&
		       !(port_read(port, UART_FR) & FR_RXFE)) {
			u32 dr = port_read(port, UART_DR);

			if (!(dr & DR_ERRORS))
				chunk[n++] = (char)dr;
		}
		if (n)
			tty_receive(port->tty, chunk, n);
	} while (n == sizeof(chunk));
}

static void pl011_interrupt(u32 irq, struct pt_regs *regs, void *arg)
{
	struct pl011 *port = arg;
	u32 status = port_read(port, UART_MIS);

	port_write(port, UART_ICR, status);
	if (status & (INT_RX | INT_RT | INT_OE))
		pl011_receive(port);
	if (status & INT_TX) {
		port_mask(port, INT_TX, 0);
		tty_write_wakeup(port->tty);
	}
}

static const struct tty_port_ops pl011_ops = { .write = pl011_write };

static int pl011_start(struct pl011 *port, u32 line, bool edge)
{
	char name[16];

	scnprintf(name, sizeof(name), "ttyAMA%u", line);
	port->tty = tty_register(name, TTYAMA_MAJOR, TTYAMA_MINOR + line,
				 &pl011_ops, port);
	if (IS_ERR(port->tty))
		return (int)PTR_ERR(port->tty);
	port_write(port, UART_IMSC, 0);
	port_write(port, UART_ICR, 0x7ff);
	port_write(port, UART_LCRH, LCRH_FEN | LCRH_8BIT);
	port_write(port, UART_IFLS, 0);
	port_write(port, UART_CR, CR_UARTEN | CR_TXE | CR_RXE);
	if (irq_request(port->irq, pl011_interrupt, port, "uart-pl011"))
		return -EBUSY;
	arch_irq_unmask(port->irq, edge);
	port_mask(port, 0, INT_RX | INT_RT | INT_OE);
	return 0;
}

static int pl011_probe(const struct fdt *fdt, int node, u32 line)
{
	struct fdt_irq desc;
	struct pl011 *port;
	u64 base, size;
	bool edge;
	int ret;

	ret = fdt_reg(fdt, node, 0, &base, &size);
	if (ret)
		return ret;
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return -ENOMEM;
	spin_init(&port->lock, LOCK_RANK_IRQCHIP);
	ret = fdt_interrupt(fdt, node, 0, &desc);
	if (!ret)
		ret = arch_irq_from_fdt(&desc, &port->irq, &edge);
	if (ret)
		goto free_port;
	port->regs = ioremap(base, size);
	ret = port->regs ? pl011_start(port, line, edge) : -ENOMEM;
	if (!ret) {
		pr_info("ttyAMA%u at MMIO 0x%llx (irq = %u) is a PL011\n",
			line, base, port->irq);
		return 0;
	}
free_port:
	kfree(port);
	return ret;
}

static int pl011_init(void)
{
	const struct fdt *fdt = arch_fdt();
	u32 line = 0;
	int node = -1;

	if (!fdt)
		return 0;
	while ((node = fdt_find_compatible(fdt, node, "arm,pl011")) >= 0) {
		int ret;

		if (!fdt_is_enabled(fdt, node))
			continue;
		ret = pl011_probe(fdt, node, line);
		if (ret)
			pr_err("pl011 %u: error %d\n", line, ret);
		line++;
	}
	return 0;
}
INITCALL(INIT_DEVICE, pl011_init);
