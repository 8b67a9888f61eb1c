/* SPDX-License-Identifier: MIT */
/*
 * Included before everything else in host builds: the kernel's functions that
 * share a name with the C library get another, so that the ones under test are
 * ours and not those the sanitizers intercept. host.c alone is built without.
 */
#ifndef SONDE_UNIT_RENAME_H
#define SONDE_UNIT_RENAME_H

#define memcpy k_memcpy
#define memmove k_memmove
#define memset k_memset
#define memcmp k_memcmp
#define memchr k_memchr
#define memmem k_memmem
#define strlen k_strlen
#define strnlen k_strnlen
#define strcmp k_strcmp
#define strncmp k_strncmp
#define strcasecmp k_strcasecmp
#define strncasecmp k_strncasecmp
#define strchr k_strchr
#define strchrnul k_strchrnul
#define strrchr k_strrchr
#define strstr k_strstr
#define strspn k_strspn
#define strcspn k_strcspn
#define strpbrk k_strpbrk
#define snprintf k_snprintf
#define vsnprintf k_vsnprintf
#define bsearch k_bsearch
#define gunzip k_gunzip
#define crc32 k_crc32

#endif /* SONDE_UNIT_RENAME_H */
