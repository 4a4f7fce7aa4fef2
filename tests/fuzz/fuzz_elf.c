/*
 * The views of a device image: sections, names, symbols, relocation entries; the frame alone; both
 * views of a mercury file.
 */
#include "fuzz_mutate.h"
#include "fuzz_reader.h"

#include "cubin/elf_view.h"
#include "mercury/view.h"

#include <string.h>

unsigned
fuzz_images(const uint8_t *data, size_t size, struct fuzz_image images[FUZZ_IMAGES])
{
    images[0] = (struct fuzz_image){data, size};
    return 1;
}

static void
use_view(const struct elf_view *view)
{
    for (uint32_t i = 0; i < view->section_count; i++) {
        use_bytes((struct bytes){(const uint8_t *)elf_section_name(view, i),
                                 strlen(elf_section_name(view, i))});
        if (i > 0)
            use_bytes(elf_contents(view, i));
    }
    for (uint32_t i = 0; i < view->symbol_count; i++) {
        uint32_t section = elf_symbol_section(view, i);

        use_bytes((struct bytes){(const uint8_t *)elf_symbol_name(view, i),
                                 strlen(elf_symbol_name(view, i))});
        if (section > 0 && section < ABSOLUTE_SECTION)
            use_bytes(elf_contents(view, section));
    }
}

void
read_bytes(struct arena *arena, struct bytes bytes)
{
    struct elf_view view;

    elf_open_frame(&view, "input", bytes, arena);
    sass_view_open(&view, "input", bytes, false, arena, arena);
    use_view(&view);
    if (!(view.header.e_flags & CUBIN_FLAG_MERCURY))
        return;
    mercury_view_open(&view, "input", bytes, false, arena, arena, NULL);
    use_view(&view);
}
