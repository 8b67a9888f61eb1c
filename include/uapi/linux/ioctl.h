/* SPDX-License-Identifier: MIT */
/*
 * How an ioctl request number is put together: direction, size of the
 * argument, type letter, sequence number.
 */
#ifndef _UAPI_LINUX_IOCTL_H
#define _UAPI_LINUX_IOCTL_H

#define _IOC_NRBITS	8
#define _IOC_TYPEBITS	8
#define _IOC_SIZEBITS	14

#define _IOC_NRSHIFT	0
#define _IOC_TYPESHIFT	(_IOC_NRSHIFT + _IOC_NRBITS)
#define _IOC_SIZESHIFT	(_IOC_TYPESHIFT + _IOC_TYPEBITS)
#define _IOC_DIRSHIFT	(_IOC_SIZESHIFT + _IOC_SIZEBITS)

#define _IOC_NONE	0U
#define _IOC_WRITE	1U
#define _IOC_READ	2U

#define _IOC(dir, type, nr, size)					\
	(((dir) << _IOC_DIRSHIFT) | ((type) << _IOC_TYPESHIFT) |	\
	 ((nr) << _IOC_NRSHIFT) | ((size) << _IOC_SIZESHIFT))

#define _IO(type, nr)		_IOC(_IOC_NONE, (type), (nr), 0)
#define _IOR(type, nr, t)	_IOC(_IOC_READ, (type), (nr), sizeof(t))
#define _IOW(type, nr, t)	_IOC(_IOC_WRITE, (type), (nr), sizeof(t))
#define _IOWR(type, nr, t)						\
	_IOC(_IOC_READ | _IOC_WRITE, (type), (nr), sizeof(t))

#define _IOC_DIR(nr)	(((nr) >> _IOC_DIRSHIFT) & 3)
#define _IOC_TYPE(nr)	(((nr) >> _IOC_TYPESHIFT) & 0xff)
#define _IOC_NR(nr)	(((nr) >> _IOC_NRSHIFT) & 0xff)
#define _IOC_SIZE(nr)	(((nr) >> _IOC_SIZESHIFT) & 0x3fff)

#endif /* _UAPI_LINUX_IOCTL_H */
