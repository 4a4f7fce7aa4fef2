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
        mask &= elfw->objects.at[function->object]->target_mask;
        any = true;
    }
    return any ? mask : 0;
}
