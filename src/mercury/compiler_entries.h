/*
 * compiler_entries.h: entries of capsules that only compilers' files are asked about.
 *
 * Of rare records it is known which opcodes they have; of those that stand for several instructions, which
 * instructions these are.
 */
#ifndef CULD_MERCURY_COMPILER_ENTRIES_H
#define CULD_MERCURY_COMPILER_ENTRIES_H

#include "mercury/capsule.h"
#include "schedule/instruction.h"

/* `text` are the instructions that the entry, which has a record, stands for. Where not all records are known, rare
   ones may mean something else: other releases have other numbers for them. */
bool entry_is_of_compiler(struct bytes capsule, const struct capsule_entry *entry,
                          const uint8_t *text, bool are_all_known);

/* Is it among the rare ones that are known? */
bool is_rare_record(const uint8_t *record);

/* Of an entry for several instructions: do those that fences, barriers and padding consist of have no operands? That holds
   for what linkers write, too. */
bool entry_has_plain_parts(const struct capsule_entry *entry, const uint8_t *text);

/* Is it one of those, as it always is? */
bool is_part_of_fence(struct instruction one);

#endif
