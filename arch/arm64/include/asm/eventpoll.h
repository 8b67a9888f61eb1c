/* SPDX-License-Identifier: MIT */
/* How struct epoll_event is laid out here. */
#ifndef SONDE_ASM_EVENTPOLL_H
#define SONDE_ASM_EVENTPOLL_H

#define EPOLL_PACKED

#endif /* SONDE_ASM_EVENTPOLL_H */
