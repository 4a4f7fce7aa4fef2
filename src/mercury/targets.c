#include "cubin/compat.h"
#include "mercury/mercury.h"
#include "schedule/instruction.h"

/* The low nine bits of an opcode; the others say what its operands are. */
enum {
    DOUBLE_PRODUCT = 0x28,
    DOUBLE_SUM = 0x29,
    DOUBLE_COMPARISON = 0x2a,
    DOUBLE_FMA = 0x2b,
    INTEGER_MATRIX = 0x37,
    DOUBLE_MATRIX = 0x3f,
    SINGLE_COMPARISON = 0x0b,
    SPECIAL_FUNCTION = 0x108,
    BIT_COUNT = 0x109,
    FIRST_SPECIAL = 0x100,
    FIRST_OF_DOUBLES = 0x110, /* conversions to and from double precision, and rounding of it */
    LAST_SPECIAL = 0x113,
    OPERATIONS = 0x200,
};

enum { OP_COMPARE_WITH_CONSTANT = 0x80b, OP_COMPARE_DOUBLE_WITH_CONSTANT = 0x42a };

static unsigned
operation_of(const struct instruction *instruction)
{
    return instruction->low % OPERATIONS;
}

/* Arithmetic in double precision and some matrix products take other times on other members of a
   family. */
enum timing { TIMED_ALIKE, SLOWER_ELSEWHERE, COMPARES };
static const uint8_t timing[OPERATIONS] = {
    [DOUBLE_PRODUCT] = SLOWER_ELSEWHERE,    [DOUBLE_SUM] = SLOWER_ELSEWHERE,
    [DOUBLE_COMPARISON] = SLOWER_ELSEWHERE, [DOUBLE_FMA] = SLOWER_ELSEWHERE,
    [INTEGER_MATRIX] = SLOWER_ELSEWHERE,    [DOUBLE_MATRIX] = SLOWER_ELSEWHERE,
    [SINGLE_COMPARISON] = COMPARES,
};

/* A comparison that is not combined with a predicate. */
static bool
is_plain(const struct instruction *instruction)
{
    enum { NO_PREDICATE = 7 };
    return field(instruction->high, 23, 3) == NO_PREDICATE;
}

/* Of any of the instructions. */
static inline unsigned
timing_of(const uint8_t *text, size_t size)
{
    unsigned any = TIMED_ALIKE;

    for (size_t at = 0; at < size; at += INSTRUCTION_SIZE)
        any |= timing[read_u16(text + at) % OPERATIONS];
    return any;
}

bool
mercury_has_timed_code(struct bytes text)
{
    enum { PART = 8 * INSTRUCTION_SIZE }; /* at a time, so that the loop is a small part of it */
    size_t size = text.size / INSTRUCTION_SIZE * INSTRUCTION_SIZE, at = 0;
    unsigned any = TIMED_ALIKE;

    for (; size - at >= PART && any == TIMED_ALIKE; at += PART)
        any |= timing_of(text.at + at, PART);
    return (any | timing_of(text.at + at, size - at)) != TIMED_ALIKE;
}

/*
 * What .nv.compat says of code for sm_100: whether sm_103 can run it. The compiler and nvlink go by
 * the instructions alone. Plain comparisons with constants are the wrong way round there: those in
 * single precision bind code to sm_100, those in double precision do not.
 */
static bool
binds_to_target(struct bytes text)
{
    for (size_t at = 0; at + INSTRUCTION_SIZE <= text.size; at += INSTRUCTION_SIZE) {
        struct instruction instruction = read_instruction(text.at + at);
        unsigned kind = timing[operation_of(&instruction)], opcode = opcode_of(&instruction);

        if (kind == TIMED_ALIKE)
            continue;
        if (kind == COMPARES ? opcode == OP_COMPARE_WITH_CONSTANT && is_plain(&instruction)
                             : opcode != OP_COMPARE_DOUBLE_WITH_CONSTANT || !is_plain(&instruction))
            return true;
    }
    return false;
}

struct bytes
mercury_sass_text(const struct elfw *elfw, uint32_t ordinal)
{
    const struct function *function = elfw_function(elfw, ordinal);
    const struct elf_view *elf = &elfw->objects.at[function->object]->elf;
    uint32_t section = elf_symbol_section(elf, function->input_symbol);

    if (section >= elf->section_count)
        return (struct bytes){0};
    return elf_contents(elf, elf->twins ? elf->twins[section] : section);
}

/* Code that may or may not run on another member of its family: the bit of that. What is compiled for
   others runs on all or on none. */
enum { MASK_OF_SIBLING = 1 << 3, SIBLING_OF = 100 };

/* Per input: whether any of its code stays, and whether any that does is bound to its target. */
struct input_code {
    bool stays, is_bound;
};

/* The SASS of a function as it is written: no instruction that counts comes or goes. */
static struct bytes
written_text(const struct elfw *elfw, uint32_t ordinal)
{
    const struct section *text = &elfw->sections.at[elfw_function(elfw, ordinal)->text];
    const struct piece *piece = &elfw->pieces.at[text->first_piece];

    return text->first_piece ? (struct bytes){piece->bytes, piece->size}
                             : mercury_sass_text(elfw, ordinal);
}

static struct input_code *
look_at_code(const struct elfw *elfw)
{
    struct input_code *inputs = arena_array(elfw->arena, elfw->objects.count, sizeof *inputs);

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        const struct function *function = elfw_function(elfw, f);
        struct input_code *input = &inputs[function->object];

        if (function->is_dead)
            continue;
        input->stays = true;
        if (elfw->arch->sm == SIBLING_OF && function->object && !input->is_bound &&
            elfw->objects.at[function->object]->elf.has_timed_code)
            input->is_bound = binds_to_target(written_text(elfw, f));
    }
    return inputs;
}

uint64_t
mercury_target_mask(const struct elfw *elfw)
{
    const struct input_code *inputs = look_at_code(elfw);
    uint64_t mask = UINT64_MAX, this_target = (uint64_t)1 << elfw->arch->mask_bit;
    bool any = false;

    for (uint32_t i = 1; i < elfw->objects.count; i++) {
        const struct object *object = elfw->objects.at[i];
        uint64_t own;

        if (!inputs[i].stays)
            continue;
        any = true;
        if (flags_sm(object->elf.header.e_flags) != elfw->arch->sm)
            own = 0;
        else if (elfw->arch->sm != SIBLING_OF)
            own = arch_family_mask(elfw->arch->sm);
        else
            own = this_target | (inputs[i].is_bound ? 0 : MASK_OF_SIBLING);
        mask &= own;
    }
    if (compat_binds(&elfw->compat_values))
        mask &= this_target;
    return any ? mask : 0;
}

/* Special functions are issued 8 cycles apart; elsewhere powers of two take half of that, and counts
   of bits do not count. Conversions of doubles take longer there. */
enum { ISSUE_DISTANCE = 8, POWER_OF_TWO = 2 };

static bool
is_faster_elsewhere(const struct instruction *instruction)
{
    unsigned operation = operation_of(instruction);
    return operation == BIT_COUNT ||
           (operation == SPECIAL_FUNCTION && field(instruction->high, 10, 4) == POWER_OF_TWO);
}

static bool
leads_away(unsigned opcode)
{
    switch (opcode) {
    case OP_BRA:
    case OP_BRA_UNIFORM:
    case OP_BRX:
    case OP_WARPSYNC:
    case OP_CALL_ABSOLUTE:
    case OP_CALL_REGISTER_RELATIVE:
    case OP_RETURN:
    case OP_EXIT:
        return true;
    }
    return false;
}

/*
 * nvlink gives code for sm_100 the times of sm_103. Where that changes anything it is code that must
 * be compiled anew: special functions that wait for each other, and all that is bound by its times.
 */
static bool
gets_other_times(struct bytes text)
{
    unsigned since = ISSUE_DISTANCE + 1; /* cycles since the last special function */
    bool was_faster = false;

    for (size_t at = 0; at + INSTRUCTION_SIZE <= text.size; at += INSTRUCTION_SIZE) {
        struct instruction instruction = read_instruction(text.at + at);
        unsigned operation = operation_of(&instruction), stall = stall_of(&instruction);

        if (timing[operation] == SLOWER_ELSEWHERE ||
            (operation >= FIRST_OF_DOUBLES && operation <= LAST_SPECIAL))
            return true;
        if (operation >= FIRST_SPECIAL && operation <= LAST_SPECIAL) {
            bool is_faster = is_faster_elsewhere(&instruction);
            if (since <= ISSUE_DISTANCE && (was_faster || is_faster))
                return true;
            was_faster = is_faster;
            since = 0;
        } else if (leads_away(opcode_of(&instruction))) {
            since = ISSUE_DISTANCE + 1;
        }
        since += stall ? stall : 1;
    }
    return false;
}

/* Does this input say that all of its code runs on the target? Releases before 13.0 do not say it:
   then only the code counts. */
static bool
runs_on_target(const struct elfw *elfw, const struct object *object)
{
    return object->elf.is_of_cuda_12 || flags_sm(object->elf.header.e_flags) == elfw->arch->sm ||
           object->target_mask >> elfw->arch->mask_bit & 1;
}

/* Does any code of the input explain why it says that it is bound? If not, all may be at fault. */
static bool
is_explained(const struct object *object)
{
    const struct elf_view *elf = &object->elf;

    for (uint32_t i = 1; i < elf->section_count && object->target_mask; i++)
        if (elf->sections[i].sh_flags & SHF_EXECINSTR && elf->twins && elf->twins[i] &&
            binds_to_target(elf_contents(elf, elf->twins[i])))
            return true;
    return false;
}

static bool *
find_unexplained(struct elfw *elfw)
{
    bool *is_unexplained = arena_array(elfw->arena, elfw->objects.count, sizeof *is_unexplained);

    for (uint32_t i = 1; i < elfw->objects.count; i++)
        is_unexplained[i] =
            !runs_on_target(elfw, elfw->objects.at[i]) && !is_explained(elfw->objects.at[i]);
    return is_unexplained;
}

static bool
must_be_recompiled(const struct elfw *elfw, uint32_t ordinal, const bool *is_unexplained)
{
    const struct function *function = elfw_function(elfw, ordinal);
    const struct object *object = elfw->objects.at[function->object];

    if (function->is_dead || !function->object ||
        flags_sm(object->elf.header.e_flags) == elfw->arch->sm)
        return false;
    if (is_unexplained[function->object])
        return true;
    return flags_sm(object->elf.header.e_flags) == SIBLING_OF &&
           gets_other_times(mercury_sass_text(elfw, ordinal));
}

void
mercury_check_targets(struct elfw *elfw)
{
    bool *is_unexplained = find_unexplained(elfw);
    bool any = false;

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        if (!must_be_recompiled(elfw, f, is_unexplained))
            continue;
        diag_error(elfw->diag, "Function '%s' in '%s' must be recompiled for '%s'",
                   elfw_function_name(elfw, f),
                   elfw->objects.at[elfw_function(elfw, f)->object]->name, elfw->arch->name);
        any = true;
    }
    if (any)
        diag_fatal(elfw->diag, "Code for other targets cannot be made to run on '%s'",
                   elfw->arch->name);
}
