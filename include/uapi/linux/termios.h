/* SPDX-License-Identifier: MIT */
/*
 * Terminal settings and ioctls, with the asm-generic numbers that arm64 and
 * x86_64 share.
 */
#ifndef SONDE_UAPI_LINUX_TERMIOS_H
#define SONDE_UAPI_LINUX_TERMIOS_H

#include <linux/types.h>

#define NCCS 19

struct termios {
	__u32 c_iflag;
	__u32 c_oflag;
	__u32 c_cflag;
	__u32 c_lflag;
	__u8 c_line;
	__u8 c_cc[NCCS];
};

/* TCGETS2: the same with explicit speeds. */
struct termios2 {
	__u32 c_iflag;
	__u32 c_oflag;
	__u32 c_cflag;
	__u32 c_lflag;
	__u8 c_line;
	__u8 c_cc[NCCS];
	__u32 c_ispeed;
	__u32 c_ospeed;
};

#define NCC 8
struct termio {
	__u16 c_iflag;
	__u16 c_oflag;
	__u16 c_cflag;
	__u16 c_lflag;
	__u8 c_line;
	__u8 c_cc[NCC];
};

struct winsize {
	__u16 ws_row;
	__u16 ws_col;
	__u16 ws_xpixel;
	__u16 ws_ypixel;
};

/* c_cc indexes */
#define VINTR	 0
#define VQUIT	 1
#define VERASE	 2
#define VKILL	 3
#define VEOF	 4
#define VTIME	 5
#define VMIN	 6
#define VSWTC	 7
#define VSTART	 8
#define VSTOP	 9
#define VSUSP	 10
#define VEOL	 11
#define VREPRINT 12
#define VDISCARD 13
#define VWERASE	 14
#define VLNEXT	 15
#define VEOL2	 16

/* c_iflag */
#define IGNBRK	0000001
#define BRKINT	0000002
#define IGNPAR	0000004
#define PARMRK	0000010
#define INPCK	0000020
#define ISTRIP	0000040
#define INLCR	0000100
#define IGNCR	0000200
#define ICRNL	0000400
#define IUCLC	0001000
#define IXON	0002000
#define IXANY	0004000
#define IXOFF	0010000
#define IMAXBEL 0020000
#define IUTF8	0040000

/* c_oflag */
#define OPOST  0000001
#define OLCUC  0000002
#define ONLCR  0000004
#define OCRNL  0000010
#define ONOCR  0000020
#define ONLRET 0000040
#define TABDLY 0014000
#define XTABS  0014000

/* c_cflag */
#define CBAUD  0010017
#define B0     0000000
#define B9600  0000015
#define B38400 0000017
#define B115200 0010002
#define CSIZE  0000060
#define CS8    0000060
#define CSTOPB 0000100
#define CREAD  0000200
#define PARENB 0000400
#define HUPCL  0002000
#define CLOCAL 0004000

/* c_lflag */
#define ISIG	0000001
#define ICANON	0000002
#define XCASE	0000004
#define ECHO	0000010
#define ECHOE	0000020
#define ECHOK	0000040
#define ECHONL	0000100
#define NOFLSH	0000200
#define TOSTOP	0000400
#define ECHOCTL 0001000
#define ECHOPRT 0002000
#define ECHOKE	0004000
#define FLUSHO	0010000
#define PENDIN	0040000
#define IEXTEN	0100000
#define EXTPROC 0200000

/* ioctls */
#define TCGETS	   0x5401
#define TCSETS	   0x5402
#define TCSETSW	   0x5403
#define TCSETSF	   0x5404
#define TCGETA	   0x5405
#define TCSETA	   0x5406
#define TCSETAW	   0x5407
#define TCSETAF	   0x5408
#define TCSBRK	   0x5409
#define TCXONC	   0x540a
#define TCFLSH	   0x540b
#define TIOCEXCL   0x540c
#define TIOCNXCL   0x540d
#define TIOCSCTTY  0x540e
#define TIOCGPGRP  0x540f
#define TIOCSPGRP  0x5410
#define TIOCOUTQ   0x5411
#define TIOCSTI	   0x5412
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define TIOCMGET   0x5415
#define TIOCINQ	   0x541b
#define TIOCCONS   0x541d
#define TIOCPKT	   0x5420
#define TIOCNOTTY  0x5422
#define TIOCSETD   0x5423
#define TIOCGETD   0x5424
#define TCSBRKP	   0x5425
#define TIOCSBRK   0x5427
#define TIOCCBRK   0x5428
#define TIOCGSID   0x5429
#define TCGETS2	   0x802c542a
#define TCSETS2	   0x402c542b
#define TCSETSW2   0x402c542c
#define TCSETSF2   0x402c542d
#define TIOCGPTN   0x80045430
#define TIOCSPTLCK 0x40045431
#define TIOCGDEV   0x80045432
#define TIOCVHANGUP 0x5437
#define TIOCSIG	   0x40045436
#define TIOCGPKT   0x80045438
#define TIOCGPTLCK 0x80045439
#define TIOCGEXCL  0x80045440
#define TIOCGPTPEER 0x5441

/* packet mode */
#define TIOCPKT_DATA	   0
#define TIOCPKT_FLUSHREAD  1
#define TIOCPKT_FLUSHWRITE 2
#define TIOCPKT_STOP	   4
#define TIOCPKT_START	   8
#define TIOCPKT_NOSTOP	   16
#define TIOCPKT_DOSTOP	   32
#define TIOCPKT_IOCTL	   64

#define TCIFLUSH  0
#define TCOFLUSH  1
#define TCIOFLUSH 2
#define TCOOFF	  0
#define TCOON	  1
#define TCIOFF	  2
#define TCION	  3

#define N_TTY 0

#endif /* SONDE_UAPI_LINUX_TERMIOS_H */
