/* A host object: where its device code is. */
#include "fuzz_mutate.h"
#include "fuzz_reader.h"

#include "input/host_object.h"

unsigned
fuzz_images(const uint8_t *data, size_t size, struct fuzz_image images[FUZZ_IMAGES])
{
    images[0] = (struct fuzz_image){data, size};
    return 1;
}

static void
read_object(struct bytes bytes, bool is_member)
{
    struct host_object object;

    host_object_read(bytes, is_member, &object);
    if (object.damage)
        return;
    use_bytes(object.wrapper.contents);
    use_bytes(object.relocatable.contents);
    use_bytes(object.linked.contents);
    use_bytes(object.module_ids.contents);
    use_bytes(object.external_kernels.contents);
    use_bytes(object.internal_kernels.contents);
}

void
read_bytes(struct arena *arena, struct bytes bytes)
{
    (void)arena;
    if (bytes.size < sizeof(Elf64_Ehdr))
        return;
    read_object(bytes, false);
    read_object(bytes, true);
}
