#include "mercury/capsule.h"
#include "mercury/mercury.h"

#include <stdlib.h>

static int
compare_patches(const void *a, const void *b)
{
    const struct capsule_patch *x = a, *y = b;
    return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

/* By instruction. Compilers write relocations from the last to the first. */
static void
order_patches(struct capsule_patch *patches, uint32_t count)
{
    bool ascends = true;

    for (uint32_t low = 0, high = count; low + 1 < high; low++) {
        struct capsule_patch patch = patches[low];
        patches[low] = patches[--high];
        patches[high] = patch;
    }
    for (uint32_t i = 1; i < count; i++)
        ascends &= patches[i - 1].instruction <= patches[i].instruction;
    if (!ascends)
        qsort(patches, count, sizeof *patches, compare_patches);
}

/* The end of a record holds the offset in the bank. */
void
mercury_patch_capsule(struct elfw *elfw, uint32_t index, struct capsule_patch *patches,
                      uint32_t count, uint8_t *image)
{
    const struct section *capsule = elfw_section(elfw, index);
    uint8_t *bytes = image + capsule->output_offset;
    struct capsule_reader reader = capsule_open((struct bytes){bytes, capsule->size});
    struct capsule_entry entry = {0};

    order_patches(patches, count);
    for (uint32_t i = 0; i < count; i++) {
        while (entry.first + entry.count <= patches[i].instruction) {
            capsule_pass_implied(&reader, patches[i].instruction - reader.instruction);
            if (!capsule_next(&reader, &entry))
                return;
        }
        if (entry.size >= SASS_INSTRUCTION)
            write_u32(bytes + entry.record + entry.size - sizeof(uint32_t), patches[i].value);
    }
}

void
mercury_number_texts(const struct elfw *elfw, uint8_t *image)
{
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        const struct section *capsule = &elfw->sections.at[i];
        if (capsule->type == SHT_CUDA_CAPSULE)
            capsule_set_text(image + capsule->output_offset, elfw->section_virtual[capsule->twin]);
    }
}
