#include "mercury/mercury.h"

#include "mercury/capsule.h"

/* What .nv.compat says is of a whole input: a function that is gone may be the one that counts. Then
   the mask has a target too few, never one too many. */
uint64_t
mercury_target_mask(const struct elfw *elfw)
{
    uint64_t mask = UINT64_MAX;
    bool any = false;

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        const struct function *function = elfw_function(elfw, f);
        if (function->is_dead || !function->object)
            continue;
        const struct object *object = elfw->objects.at[function->object];
        mask &= flags_sm(object->elf.header.e_flags) == elfw->arch->sm ? object->target_mask : 0;
        any = true;
    }
    return any ? mask : 0;
}

/* Is the code of this input good for the target as it is? */
static bool
runs_on_target(const struct elfw *elfw, const struct object *object)
{
    return flags_sm(object->elf.header.e_flags) == elfw->arch->sm ||
           object->target_mask >> elfw->arch->mask_bit & 1;
}

/* Arithmetic in double precision takes other times on other members of a family. */
static bool
has_double_arithmetic(struct bytes text)
{
    for (size_t at = 0; at + SASS_INSTRUCTION <= text.size; at += SASS_INSTRUCTION) {
        unsigned opcode = read_u16(text.at + at) & 0x1ff;
        if (opcode >= 0x28 && opcode <= 0x2b)
            return true;
    }
    return false;
}

struct bytes
mercury_sass_text(const struct elfw *elfw, uint32_t ordinal)
{
    const struct function *function = elfw_function(elfw, ordinal);
    const struct elf_view *elf = &elfw->objects.at[function->object]->elf;
    uint32_t capsule = elf_symbol_section(elf, function->input_symbol);

    return capsule < elf->section_count ? elf_contents(elf, elf->twins[capsule])
                                        : (struct bytes){0};
}

/* Inputs of which it is known which functions are at fault; of others all may be. */
static bool *
find_known(struct elfw *elfw)
{
    bool *is_known = arena_array(elfw->arena, elfw->objects.count, sizeof *is_known);

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        const struct function *function = elfw_function(elfw, f);
        if (!function->is_dead && function->object &&
            !runs_on_target(elfw, elfw->objects.at[function->object]))
            is_known[function->object] |= has_double_arithmetic(mercury_sass_text(elfw, f));
    }
    return is_known;
}

void
mercury_check_targets(struct elfw *elfw)
{
    bool *is_known = find_known(elfw);
    bool any = false;

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        const struct function *function = elfw_function(elfw, f);
        const struct object *object = elfw->objects.at[function->object];

        if (function->is_dead || !function->object || runs_on_target(elfw, object) ||
            (is_known[function->object] && !has_double_arithmetic(mercury_sass_text(elfw, f))))
            continue;
        diag_error(elfw->diag, "Function '%s' in '%s' must be recompiled for '%s'",
                   elfw_function_name(elfw, f), object->name, elfw->arch->name);
        any = true;
    }
    if (any)
        diag_fatal(elfw->diag, "Code for other targets cannot be made to run on '%s'",
                   elfw->arch->name);
}
