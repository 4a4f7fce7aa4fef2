/*
 * constant_roles.h: what a record says that a load from constant memory reads.
 */
#ifndef CULD_MERCURY_CONSTANT_ROLES_H
#define CULD_MERCURY_CONSTANT_ROLES_H

#include <stdbool.h>
#include <stdint.h>

enum { CONSTANT_ROLE_AT = 12 }; /* byte of the record; it has two */

/* Does the instruction at `text` read the bank of that role? `begin`: where what is read begins there, for the offset
   of the record is counted from it on. */
bool constant_role_fits(const uint8_t *record, const uint8_t *text, uint32_t begin);

#endif
