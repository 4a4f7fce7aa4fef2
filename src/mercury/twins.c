#include "mercury/twins.h"

#include "base/array.h"

#include <string.h>

static const struct twin_kind kinds[] = {
    {SHT_CUDA_CAPSULE, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16},
    {SHT_PROGBITS, SHT_PROGBITS, 0, 0},
    {SHT_MERCURY_RELA, SHT_RELA, 0, 0},
    {SHT_MERCURY_RESOLVED_RELA, SHT_CUDA_RESOLVED_RELA, 0, 0},
    {SHT_MERCURY_INFO, SHT_CUDA_INFO, 0, 0},
    {SHT_MERCURY_USER_CONSTANTS, SHT_CUDA_CONSTANT3, 0, 0},
    {SHT_MERCURY_ADDRESSES, SHT_CUDA_CONSTANT4, 0, 0},
    {SHT_MERCURY_FUNCTION_CONSTANTS, SHT_CUDA_CONSTANT2, 0, 0},
    {SHT_MERCURY_IMAGE_SLOTS, SHT_CUDA_CONSTANT0, 0, 0},
    {SHT_MERCURY_SYMTAB, SHT_SYMTAB, 0, 0},
    {SHT_CUDA_GLOBAL_INIT, SHT_CUDA_GLOBAL_INIT, 0, 0},
    {SHT_CUDA_SHARED_RESERVED, SHT_CUDA_SHARED_RESERVED, 0, 0},
    {SHT_CUDA_UFT_ENTRY, SHT_CUDA_UFT_ENTRY, 0, 0},
    {SHT_CUDA_UDT, SHT_CUDA_UDT, 0, 0},
    {SHT_CUDA_UDT_ENTRY, SHT_CUDA_UDT_ENTRY, 0, 0},
};

const struct twin_kind *
twin_kind_of(uint32_t type)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

const struct twin_kind *
twin_kind_for(uint32_t plain_type, uint64_t flags)
{
    if (flags & SHF_EXECINSTR) /* there are texts of several types */
        return twin_kind_of(SHT_CUDA_CAPSULE);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (kinds[i].plain_type == plain_type && kinds[i].type != SHT_CUDA_CAPSULE)
            return &kinds[i];
    return NULL;
}

size_t
twin_prefix(struct bytes name)
{
    static const char prefix[] = ".nv.merc.", of_capsules[] = ".nv.capmerc.";
    enum { LENGTH = sizeof prefix - 1, LENGTH_OF_CAPSULES = sizeof of_capsules - 1 };

    if (name.size >= LENGTH && !memcmp(name.at, prefix, LENGTH))
        return LENGTH - 1;
    return name.size >= LENGTH_OF_CAPSULES && !memcmp(name.at, of_capsules, LENGTH_OF_CAPSULES)
               ? LENGTH_OF_CAPSULES - 1
               : 0;
}

/* Constants have a role in mercury, and a bank in SASS. */
static const char ROLES[] = ".nv.constant.";

static const struct {
    const char *mercury, *sass;
} renamed[] = {
    {".nv.constant.user", ".nv.constant3"},
    {".nv.constant.pic", ".nv.constant4"},
    {".nv.constant.optimizer", ".nv.constant2"},
    {".nv.constant.entry_image_header_indices", ".nv.constant0"},
};

/* The row of `renamed` for a name behind its ".rela", and where the rest of the name begins. */
static int
find_renamed(const char *name, const char **rest)
{
    for (size_t i = 0; i < COUNT_OF(renamed); i++) {
        size_t length = strlen(renamed[i].mercury);
        if (text_begins(name, renamed[i].mercury) &&
            (name[length] == '.' || name[length] == '\0')) {
            *rest = name + length;
            return (int)i;
        }
    }
    return -1;
}

static const char *
without_rela(const char *name)
{
    static const char rela[] = ".rela";
    return text_begins(name, rela) ? name + sizeof rela - 1 : name;
}

const char *
sass_name(struct arena *arena, const char *name)
{
    const char *bare = without_rela(name), *rest;
    int row = find_renamed(bare, &rest);

    if (row < 0)
        return name;
    return arena_format(arena, "%.*s%s%s", (int)(bare - name), name, renamed[row].sass, rest);
}

void
write_sass_name(const char *name, size_t length, uint8_t *at)
{
    const char *bare = without_rela(name), *rest = bare, *changed = "";
    size_t before = (size_t)(bare - name);
    int row = find_renamed(bare, &rest);

    if (row >= 0)
        changed = renamed[row].sass;
    memset(at, 0, length + 1);
    memcpy(at, name, before);
    memcpy(at + before, changed, strlen(changed));
    memcpy(at + before + strlen(changed), rest, strlen(rest));
}

bool
is_sass_name_of(const char *name, const char *mercury_name)
{
    const char *bare = without_rela(mercury_name), *rest;
    size_t before = (size_t)(bare - mercury_name);
    int row = text_begins(bare, ROLES) ? find_renamed(bare, &rest) : -1;

    if (row < 0)
        return !strcmp(name, mercury_name);
    size_t length = strlen(renamed[row].sass);
    return !strncmp(name, mercury_name, before) &&
           !strncmp(name + before, renamed[row].sass, length) &&
           !strcmp(name + before + length, rest);
}
