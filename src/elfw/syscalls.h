/*
 * syscalls.h: functions that the driver provides, so that they may stay undefined.
 */
#ifndef CULD_ELFW_SYSCALLS_H
#define CULD_ELFW_SYSCALLS_H

#define SYSCALL_PREFIX "__cuda_syscall"

/* The one system call that is never dead code. */
#define SYSCALL_ALWAYS_KEPT "__cuda_syscall_32f3056bbb"

extern const char *const syscall_names[]; /* ends in NULL */

#endif
