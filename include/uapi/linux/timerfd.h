/* SPDX-License-Identifier: MIT */
/* timerfd flags. */
#ifndef SONDE_UAPI_LINUX_TIMERFD_H
#define SONDE_UAPI_LINUX_TIMERFD_H

#define TFD_TIMER_ABSTIME	(1 << 0)
#define TFD_TIMER_CANCEL_ON_SET (1 << 1)
#define TFD_CLOEXEC  02000000
#define TFD_NONBLOCK 04000

#endif /* SONDE_UAPI_LINUX_TIMERFD_H */
