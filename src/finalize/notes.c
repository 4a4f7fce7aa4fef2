#include "cubin/notes.h"

#include "finalize/finalize.h"
#include "mercury/mercury.h"

void
make_notes(struct elfw *elfw)
{
    struct cuinfo info = {
        .virtual_arch = elfw->min_virtual_arch ? elfw->min_virtual_arch : (uint16_t)elfw->arch->sm,
        .toolkit = TOOLKIT_VERSION,
    };
    struct bytes note = cuinfo_write(elfw->arena, info);

    elfw_append(elfw, elfw->cuinfo, note, note.size, 4);
    if (elfw->compat) {
        uint8_t *records = arena_alloc(elfw->arena, COMPAT_MAX_SIZE);
        size_t size = compat_write(&elfw->compat_values, elfw->arch->suffix == 'a', records);
        if (elfw->view->is_mercury)
            size += compat_write_mask(mercury_target_mask(elfw), records + size);
        set_contents(elfw, elfw->compat, records, size);
    }
}
