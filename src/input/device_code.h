/*
 * device_code.h: what a host object holds for the link, found without a word.
 *
 * Several threads can unpack it before it is its turn; what they cannot unpack is tried again then.
 */
#ifndef CULD_INPUT_DEVICE_CODE_H
#define CULD_INPUT_DEVICE_CODE_H

#include "base/crew.h"
#include "input/fatbin.h"
#include "input/host_object.h"

struct device_code {
    const uint8_t *file; /* where it was found */
    struct host_object object;
    bool has_code;             /* for linking, and is sound */
    enum fatbin_result choice; /* FATBIN_UNKNOWN: in no fatbin */
    struct fatbin_entry entry; /* if one was chosen */
    struct bytes unpacked;     /* its contents; empty: yet to be unpacked */
};

typedef ARRAY(struct device_code) device_code_list;

/* Found before it is their turn, in order. */
struct code_queue {
    device_code_list list;
    uint32_t next;
};

void device_code_find(struct bytes file, bool is_member, const struct fatbin_wish *wish,
                      struct device_code *out);

/* How many bytes there are to be made of it. */
uint64_t device_code_packed(const struct device_code *code);

/* Those of a list that can be. */
void unpack_ahead(const device_code_list *codes, struct crew *crew, unsigned threads);

#endif
