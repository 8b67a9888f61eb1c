/* SPDX-License-Identifier: MIT */
/* ioctl numbers that every file answers, and the terminal ones. */
#ifndef SONDE_UAPI_LINUX_IOCTLS_H
#define SONDE_UAPI_LINUX_IOCTLS_H

#include <linux/ioctl.h>

#define TCGETS	   0x5401
#define TCSETS	   0x5402
#define TCSETSW	   0x5403
#define TCSETSF	   0x5404
#define TCGETA	   0x5405
#define TCSETA	   0x5406
#define TCSETAW	   0x5407
#define TCSETAF	   0x5408
#define TCSBRK	   0x5409
#define TCXONC	   0x540A
#define TCFLSH	   0x540B
#define TIOCEXCL   0x540C
#define TIOCNXCL   0x540D
#define TIOCSCTTY  0x540E
#define TIOCGPGRP  0x540F
#define TIOCSPGRP  0x5410
#define TIOCOUTQ   0x5411
#define TIOCSTI	   0x5412
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define TIOCMGET   0x5415
#define TIOCMBIS   0x5416
#define TIOCMBIC   0x5417
#define TIOCMSET   0x5418
#define FIONREAD   0x541B
#define TIOCINQ	   FIONREAD
#define TIOCCONS   0x541D
#define TIOCPKT	   0x5420
#define FIONBIO	   0x5421
#define TIOCNOTTY  0x5422
#define TIOCSETD   0x5423
#define TIOCGETD   0x5424
#define TCSBRKP	   0x5425
#define TIOCGSID   0x5429
#define TCGETS2	   _IOR('T', 0x2A, struct termios2)
#define TCSETS2	   _IOW('T', 0x2B, struct termios2)
#define TCSETSW2   _IOW('T', 0x2C, struct termios2)
#define TCSETSF2   _IOW('T', 0x2D, struct termios2)
#define TIOCGPTN   _IOR('T', 0x30, unsigned int)
#define TIOCSPTLCK _IOW('T', 0x31, int)
#define TIOCGDEV   _IOR('T', 0x32, unsigned int)
#define TIOCGPTLCK _IOR('T', 0x39, int)
#define TIOCGEXCL  _IOR('T', 0x40, int)
#define TIOCGPTPEER _IO('T', 0x41)
#define FIONCLEX   0x5450
#define FIOCLEX	   0x5451
#define FIOASYNC   0x5452
#define TIOCVHANGUP 0x5437
#define FIOQSIZE   0x5460
#define FIBMAP	   _IO(0x00, 1)
#define FIGETBSZ   _IO(0x00, 2)
#define FIFREEZE   _IOWR('X', 119, int)
#define FITHAW	   _IOWR('X', 120, int)
#define FICLONE	   _IOW(0x94, 9, int)
#define FS_IOC_GETFLAGS	  _IOR('f', 1, long)
#define FS_IOC_SETFLAGS	  _IOW('f', 2, long)
#define FS_IOC_GETVERSION _IOR('v', 1, long)

#endif /* SONDE_UAPI_LINUX_IOCTLS_H */
