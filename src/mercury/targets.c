#include "mercury/mercury.h"

#include "mercury/capsule.h"

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
    uint32_t section = elf_symbol_section(elf, function->input_symbol);

    if (section >= elf->section_count)
        return (struct bytes){0};
    return elf_contents(elf, elf->twins ? elf->twins[section] : section);
}

/*
 * What .nv.compat says is of a whole input: code that is gone may be what counts. Only two kinds of
 * instructions are known to bind code to its target, arithmetic in double precision and, in some
 * schedules, special functions (MUFU).
 */
static bool
may_bind_to_target(struct bytes text)
{
    for (size_t at = 0; at + SASS_INSTRUCTION <= text.size; at += SASS_INSTRUCTION)
        if ((read_u16(text.at + at) & 0x1ff) == 0x108)
            return true;
    return has_double_arithmetic(text);
}

static bool
is_live_definition(const struct elfw *elfw, const struct object *object, uint32_t symbol)
{
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, object->symbols[symbol]));
    const struct function *function = elfw_function(elfw, ordinal);

    return ordinal && !function->is_dead && function->object == object->number &&
           object->fates[symbol] != SYMBOL_LOST;
}

/* Does nothing of what stays of the input bind it, while something that is gone may? */
static bool
is_freed(const struct elfw *elfw, const struct object *object)
{
    const struct elf_view *elf = &object->elf;
    bool is_freed = false;

    for (uint32_t i = 1; i < elf->symbol_count; i++) {
        uint32_t capsule = elf_symbol_section(elf, i);
        if (ELF64_ST_TYPE(elf->symbols[i].st_info) != STT_FUNC || !capsule ||
            capsule >= elf->section_count)
            continue;
        if (!may_bind_to_target(elf_contents(elf, elf->twins[capsule])))
            continue;
        if (is_live_definition(elfw, object, i))
            return false;
        is_freed = true;
    }
    return is_freed;
}

/* Code that may or may not run on another member of its family: the bit of that. What is compiled for
   others runs on all or on none. */
enum { MASK_OF_SIBLING = 1 << 3, SIBLING_OF = 100 };

/* Where it cannot be decided the mask has a target too few, never one too many. */
uint64_t
mercury_target_mask(const struct elfw *elfw)
{
    bool *counts = arena_array(elfw->arena, elfw->objects.count, sizeof *counts);
    uint64_t mask = UINT64_MAX;
    bool any = false;

    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (!elfw_function(elfw, f)->is_dead)
            counts[elfw_function(elfw, f)->object] = true;
    for (uint32_t i = 1; i < elfw->objects.count; i++) {
        const struct object *object = elfw->objects.at[i];
        uint64_t own = object->target_mask;

        if (!counts[i])
            continue;
        any = true;
        if (flags_sm(object->elf.header.e_flags) != elfw->arch->sm)
            own = 0;
        else if (elfw->arch->sm != SIBLING_OF)
            own = arch_family_mask(elfw->arch->sm);
        else if (!(own & MASK_OF_SIBLING) && is_freed(elfw, object))
            own |= MASK_OF_SIBLING;
        mask &= object->is_bound ? own & (uint64_t)1 << elfw->arch->mask_bit : own;
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
