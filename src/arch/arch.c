#include "arch/arch.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct generation generations[] = {
    /* first last registers compat reserved at    params  partial mercury */
    {    30,  39, true,     false, 0,       0,    0,      false,  false}, /* Kepler */
    {    50,  59, true,     false, 0,       0,    0,      false,  false}, /* Maxwell */
    {    60,  69, true,     false, 0,       0,    0,      false,  false}, /* Pascal */
    {    70,  74, true,     false, 0,       0,    0,      false,  false}, /* Volta */
    {    75,  79, true,     false, 0,       0,    0,      false,  false}, /* Turing */
    {    80,  89, true,     false, 0,       0,    0,      false,  false}, /* Ampere */
    {    90,  99, false,    true,  0x400,   0,    0,      true,   false}, /* Hopper */
    {   100, 999, false,    true,  0x400,   0x40, 0x380,  true,   true},  /* Blackwell */
};

/* The targets of CUDA 13.0 and the suffixes they exist with. */
static const struct target {
    uint16_t sm;
    bool with_a, with_f;
    uint8_t mask_bit;          /* in the masks of .nv.compat */
    uint8_t workarounds;       /* with mercury: what EIATTR_SW_WAR says */
    uint32_t specific_shared;  /* shared memory of a kernel with suffix a */
} targets[] = {
    {75,  false, false, 0, 0, 0},       {80,  false, false, 0, 0, 0},
    {86,  false, false, 0, 0, 0},       {87,  false, false, 0, 0, 0},
    {88,  false, false, 0, 0, 0},       {89,  false, false, 0, 0, 0},
    {90,  true,  false, 0, 0, 0x38c00}, {100, true,  true, 0, 8, 0x38c00},
    {103, true,  true, 3, 8, 0x38c00}, {110, true,  true, 5, 8, 0x38c00},
    {120, true,  true, 4, 0, 0x18c00}, {121, true,  true, 6, 0, 0x18c00},
};

/* What else PTX may be for: targets of earlier releases. */
static const uint16_t earlier_targets[] = {10, 11, 12, 13, 20, 21, 30, 32, 35,
                                           37, 50, 52, 53, 60, 61, 62, 69, 70};

/* Cubins that link for a target of another number; equal numbers always do. */
static const struct {
    uint16_t cubin, target;
    bool as_sass; /* with mercury: also those that have none */
} accepted[] = {
    {80, 86, false}, {80, 89, false}, {86, 89, false}, {100, 103, false}, {120, 121, true},
};
/* clang-format on */

const struct generation *
arch_generation(unsigned sm)
{
    for (size_t i = 0; i < COUNT_OF(generations); i++)
        if (sm >= generations[i].first_sm && sm <= generations[i].last_sm)
            return &generations[i];
    return NULL;
}

/* NULL if there is no such target. */
static const struct target *
find_target(unsigned long sm, char suffix)
{
    for (size_t i = 0; i < COUNT_OF(targets); i++)
        if (targets[i].sm == sm)
            return suffix == '\0' || (suffix == 'a' && targets[i].with_a) ||
                           (suffix == 'f' && targets[i].with_f)
                       ? &targets[i]
                       : NULL;
    return NULL;
}

enum arch_kind
arch_parse(const char *name, struct arch *arch)
{
    static const struct {
        const char *prefix;
        enum arch_kind kind;
    } kinds[] = {{"sm_", ARCH_REAL}, {"compute_", ARCH_VIRTUAL}, {"lto_", ARCH_LTO}};

    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        size_t length = strlen(kinds[i].prefix);
        char *end;

        if (strncmp(name, kinds[i].prefix, length) != 0)
            continue;
        unsigned long sm = strtoul(name + length, &end, 10);
        const struct target *target = end[0] && end[1] ? NULL : find_target(sm, end[0]);
        const struct generation *generation = arch_generation((uint32_t)sm);
        if (end == name + length || name[length] < '1' || name[length] > '9' || !target ||
            !generation)
            return ARCH_UNKNOWN;
        *arch = (struct arch){.sm = (uint32_t)sm, .suffix = end[0]};
        snprintf(arch->name, sizeof arch->name, "%s", name);
        arch->generation = generation;
        arch->shared_limit = arch->suffix == 'a' ? target->specific_shared : 0xc000;
        arch->mask_bit = target->mask_bit;
        arch->workarounds = target->workarounds;
        return kinds[i].kind;
    }
    return ARCH_UNKNOWN;
}

bool
arch_has_suffix(unsigned sm, char suffix)
{
    return suffix != 'f' || find_target(sm, suffix);
}

bool
arch_accepts(const struct arch *target, unsigned sm, bool is_specific)
{
    if (sm == target->sm)
        return true;
    for (size_t i = 0; i < COUNT_OF(accepted); i++)
        if (accepted[i].cubin == sm && accepted[i].target == target->sm)
            return !is_specific;
    return false;
}

bool
arch_accepts_as_it_is(const struct arch *target, unsigned sm)
{
    for (size_t i = 0; i < COUNT_OF(accepted); i++)
        if (accepted[i].cubin == sm && accepted[i].target == target->sm)
            return accepted[i].as_sass;
    return false;
}

bool
arch_accepts_sass(const struct arch *target, unsigned sm, bool is_specific)
{
    if (target->suffix == 'f')
        return sm == target->sm && !is_specific;
    return sm == target->sm || (arch_accepts_as_it_is(target, sm) && !is_specific);
}

/* A family begins at its first target and takes in what follows with the same leading digits. */
static bool
same_family(unsigned sm, unsigned target)
{
    return sm / 10 == target / 10;
}

static bool
is_virtual_target(unsigned sm)
{
    for (size_t i = 0; i < COUNT_OF(earlier_targets); i++)
        if (earlier_targets[i] == sm)
            return true;
    return find_target(sm, '\0');
}

uint64_t
arch_mask(unsigned sm)
{
    const struct target *target = find_target(sm, 0);

    return target ? (uint64_t)1 << target->mask_bit : 0;
}

uint64_t
arch_family_mask(unsigned sm)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < COUNT_OF(accepted); i++)
        if (accepted[i].cubin == sm)
            mask |= arch_mask(accepted[i].target);
    return mask ? mask | arch_mask(sm) : 0;
}

bool
arch_accepts_virtual(const struct arch *target, unsigned sm, char suffix)
{
    if (!is_virtual_target(sm))
        return false;
    if (suffix == 'a' && find_target(sm, suffix))
        return sm == target->sm && target->suffix == 'a';
    if (suffix == 'f')
        return find_target(sm, suffix) && sm <= target->sm && same_family(sm, target->sm);
    return sm <= target->sm;
}
