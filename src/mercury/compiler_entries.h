/*
 * compiler_entries.h: entries of capsules that files of the known release are asked about.
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

/* Is it one of the instructions that fences, barriers and padding consist of, as it always is? */
bool is_part_of_fence(struct instruction one);

#endif
