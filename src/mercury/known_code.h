/*
 * known_code.h: functions that were there before with the same bytes, and that were found sound.
 *
 * Inline functions and templates come with every input that uses them, and different functions are often
 * compiled to the same code. What was asked of these bytes alone, and of nothing else in the input, need not be
 * asked again: whether text and capsule fit together, whether both views have the same records, and whether they
 * have the same frame, the same relocations and the same lines and registers.
 */
#ifndef CULD_MERCURY_KNOWN_CODE_H
#define CULD_MERCURY_KNOWN_CODE_H

#include "base/arena.h"
#include "base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* Something that a function has in both views; empty: it was not found to be the same so far. */
struct known_pair {
    struct bytes mercury, sass;
};

/* Rows of a line table, which are made for this code, behind the address of the function. */
struct known_lines {
    struct known_pair rows;
    uint64_t end; /* of the addresses in mercury; in SASS it is that of the text */
    int64_t line; /* the last, of both */
};

/* Lines of the source, and of PTX. */
enum { LINE_TABLES = 2 };

/* Lists for debuggers, behind what they begin with. */
struct known_registers {
    struct known_pair records, types;
    uint32_t count; /* of records, and of types if there are any; 0: it is not known */
};

struct known_function {
    struct bytes text;
    struct bytes capsule; /* behind the number of the text */
    uint32_t hash;
    bool is_mapped;       /* it came twice: */
    bool has_timed_code;  /* ... see elf_view.h */
    struct code_map *map; /* ... and lives as long as the list; NULL: places are not known */
    struct known_pair records, frame, relocations;
    uint32_t symbol; /* by which these relocations name the function itself */
    struct known_lines lines[LINE_TABLES];
    struct known_registers registers;
};

/* What frames have in common is the same in most inputs. */
enum { KNOWN_CIES = 4 };

/* All zeroes to begin with but for the memory. Inputs must live as long as the list. */
struct known_code {
    unsigned target; /* that all of it is for, 0: nothing is known yet */
    struct known_pair cies[KNOWN_CIES];
    struct arena *arena;
    struct known_function **slots; /* NULL: free */
    uint32_t slot_count, count;
    uint32_t *met; /* hashes of functions that came once, by their last bits; NULL: none did */
};

/* By what a function is found. */
struct code_key {
    struct bytes text;
    struct bytes capsule; /* behind the number of the text */
    uint32_t hash;        /* 0: it is too short to be known */
};

struct code_key code_key(struct bytes text, struct bytes capsule);

/* The function with these bytes. NULL: there was none. */
struct known_function *known_code_find(const struct known_code *known, const struct code_key *key);

/* Did one come before that may have the same bytes? The next one will find this one. */
bool known_code_meet(struct known_code *known, const struct code_key *key);

/* Found sound. NULL: it is too short for that, or there is no place for it. */
struct known_function *known_code_add(struct known_code *known, const struct code_key *key);

static inline bool
is_known_pair(const struct known_pair *known, struct bytes mercury, struct bytes sass)
{
    return known->mercury.size && bytes_equal(known->mercury, mercury) &&
           bytes_equal(known->sass, sass);
}

#endif
