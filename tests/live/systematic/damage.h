/*
 * damage.h: one damage at a random place of a file: a bit, a byte, a word, a block of other bytes of it,
 * or a cut.
 */
#ifndef SYSTEMATIC_DAMAGE_H
#define SYSTEMATIC_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source {
    uint64_t state; /* never 0 */
};

uint64_t random_number(struct source *source);

/* A file that is damaged; those of device code know where their instructions are. */
struct victim {
    const uint8_t *bytes;
    size_t size;
    uint8_t *is_code; /* one for each byte */
};

/* false: out of memory */
bool mark_code(struct victim *victim);

struct damage {
    const char *kind;
    size_t at, size; /* where; how long the file is then */
};

/* Writes the damaged file to `into`, which is as large as the victim. A place in code is taken once in
   `code_rarity` times. False: nothing came of it. */
bool make_damage(struct source *source, const struct victim *victim, unsigned code_rarity,
                 uint8_t *into, struct damage *damage);

#endif
