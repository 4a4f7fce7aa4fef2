#include "schedule/survey.h"

static const uint8_t contents_of[4096] = {
    [OP_CALL_REGISTER] = HAS_CALL,      [OP_CALL_ABSOLUTE] = HAS_CALL,
    [OP_CALL_RELATIVE] = HAS_CALL,      [OP_LDGSTS] = HAS_COPIES,
    [OP_ARRIVES] = HAS_BARRIERS,        [OP_SYNCS_TEST] = HAS_BARRIERS,
    [OP_SYNCS_ARRIVE] = HAS_BARRIERS,   [OP_SYNCS_CONTROL] = HAS_BARRIERS,
    [OP_SYNCS_EXCHANGE] = HAS_BARRIERS, [OP_MEMBAR] = MAY_HAVE_PADDING,
    [OP_SUST] = HAS_SURFACE_WRITES,     [OP_SUST_FORMATTED] = HAS_SURFACE_WRITES,
    [OP_SURED] = HAS_SURFACE_WRITES,
};

unsigned
survey_text(struct bytes text)
{
    unsigned found = 0;

    for (size_t at = 0; at + INSTRUCTION_SIZE <= text.size && !(found & HAS_CALL);
         at += INSTRUCTION_SIZE) {
        uint64_t low = read_u64(text.at + at);
        found |= contents_of[field(low, 0, 12)];
        if (low == LOAD_THAT_NEVER_HAPPENS)
            found |= MAY_HAVE_PADDING;
    }
    return found;
}
