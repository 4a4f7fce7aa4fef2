/*
 * syscalls.h: functions that the driver provides, so that they may stay undefined.
 */
#ifndef CULD_ELFW_SYSCALLS_H
#define CULD_ELFW_SYSCALLS_H

#define SYSCALL_PREFIX "__cuda_syscall"

extern const char *const syscall_names[]; /* ends in NULL */

#endif
