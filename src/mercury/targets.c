#include "mercury/mercury.h"

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
