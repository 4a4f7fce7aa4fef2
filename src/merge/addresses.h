/*
 * addresses.h: the bank of addresses, for code that may be anywhere.
 */
#ifndef CULD_MERGE_ADDRESSES_H
#define CULD_MERGE_ADDRESSES_H

#include "elfw/elfw.h"

/* Finds the relocations of such a bank that go, before its checked table is merged. */
void merge_addresses(struct elfw *elfw, struct object *object, uint32_t table);

#endif
