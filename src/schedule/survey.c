#include "schedule/survey.h"

enum { MAY_BE_LOAD = 128, OP_LOAD_SHARED = 0x984 }; /* see LOAD_THAT_NEVER_HAPPENS */

static const uint8_t contents_of[4096] = {
    [OP_CALL_REGISTER] = HAS_CALL,
    [OP_CALL_ABSOLUTE] = HAS_CALL,
    [OP_CALL_RELATIVE] = HAS_CALL,
    [OP_LDGSTS] = HAS_COPIES,
    [OP_SYNCS_TEST] = HAS_BARRIERS,
    [OP_SYNCS_ARRIVE] = HAS_BARRIERS,
    [OP_SYNCS_CONTROL] = HAS_BARRIERS,
    [OP_SYNCS_EXCHANGE] = HAS_BARRIERS,
    [OP_MEMBAR] = MAY_HAVE_PADDING,
    [OP_SUST] = HAS_SURFACE_WRITES,
    [OP_SUST_FORMATTED] = HAS_SURFACE_WRITES,
    [OP_SURED] = HAS_SURFACE_WRITES,
    [OP_LOAD_SHARED] = MAY_BE_LOAD,
};

static bool
has_load_that_never_happens(const uint8_t *text, size_t size)
{
    for (size_t at = 0; at < size; at += INSTRUCTION_SIZE)
        if (read_u64(text + at) == LOAD_THAT_NEVER_HAPPENS)
            return true;
    return false;
}

static unsigned
survey_part(const uint8_t *text, size_t size)
{
    unsigned found = 0;

    for (size_t at = 0; at < size; at += INSTRUCTION_SIZE)
        found |= contents_of[read_u16(text + at) & 0xfff];
    if (found & MAY_BE_LOAD && has_load_that_never_happens(text, size))
        found |= MAY_HAVE_PADDING;
    return found & ~(unsigned)MAY_BE_LOAD;
}

/* Part by part: of each instruction no more is looked at than must be. */
unsigned
survey_text(struct bytes text)
{
    enum { PART = 8 * INSTRUCTION_SIZE };
    size_t size = text.size / INSTRUCTION_SIZE * INSTRUCTION_SIZE, at = 0;
    unsigned found = 0;

    for (; size - at >= PART && !(found & HAS_CALL); at += PART)
        found |= survey_part(text.at + at, PART);
    return found & HAS_CALL ? found : found | survey_part(text.at + at, size - at);
}
