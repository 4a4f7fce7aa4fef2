#include "cubin/notes.h"

static const char owner[12] = "NVIDIA Corp";

enum {
    NOTE_CUINFO = 1000,
    NOTE_TKINFO = 2000,
    NOTE_HEADER = 12,
    NOTE_BODY = NOTE_HEADER + sizeof owner,
    NOTE_FORMAT = 2,
    OLD_NOTE_FORMAT = 1,
    CUINFO_BODY = 8,
    TKINFO_STRINGS = 5,
    TKINFO_FIXED = (1 + TKINFO_STRINGS) * 4,
};

static uint8_t *
new_note(struct arena *arena, uint32_t type, size_t body)
{
    uint8_t *note = arena_zero(arena, NOTE_BODY + body);

    write_u32(note, sizeof owner);
    write_u32(note + 4, (uint32_t)body);
    write_u32(note + 8, type);
    memcpy(note + NOTE_HEADER, owner, sizeof owner);
    return note;
}

/* Is the section one note of the type, complete, of the format? */
static bool
is_note(struct bytes section, uint32_t type, size_t smallest_body, uint16_t format)
{
    return section.size >= NOTE_BODY + smallest_body && read_u32(section.at) == sizeof owner &&
           read_u32(section.at + 4) == section.size - NOTE_BODY &&
           read_u32(section.at + 8) == type &&
           !memcmp(section.at + NOTE_HEADER, owner, sizeof owner) &&
           read_u16(section.at + NOTE_BODY) == format;
}

bool
cuinfo_is_of_cuda_12(struct bytes section)
{
    enum { OLD_NOTE_REVISION = 1 }; /* where notes of today have the toolkit */

    return is_note(section, NOTE_CUINFO, CUINFO_BODY, OLD_NOTE_FORMAT) &&
           read_u16(section.at + NOTE_BODY + 4) == OLD_NOTE_REVISION;
}

uint16_t
cuinfo_old_virtual_arch(struct bytes section)
{
    return read_u16(section.at + NOTE_BODY + 2);
}

bool
cuinfo_read(struct bytes section, struct cuinfo *out)
{
    if (!is_note(section, NOTE_CUINFO, CUINFO_BODY, NOTE_FORMAT))
        return false;
    out->virtual_arch = read_u16(section.at + NOTE_BODY + 2);
    out->toolkit = read_u16(section.at + NOTE_BODY + 4);
    return true;
}

struct bytes
cuinfo_write(struct arena *arena, struct cuinfo info)
{
    uint8_t *note = new_note(arena, NOTE_CUINFO, CUINFO_BODY);

    write_u16(note + NOTE_BODY, NOTE_FORMAT);
    write_u16(note + NOTE_BODY + 2, info.virtual_arch);
    write_u16(note + NOTE_BODY + 4, info.toolkit);
    return (struct bytes){note, NOTE_BODY + CUINFO_BODY};
}

struct bytes
tkinfo_write(struct arena *arena, const struct tkinfo *info)
{
    const char *strings[TKINFO_STRINGS] = {info->object, info->tool, info->version, info->build,
                                           info->options};
    size_t text = 0;

    for (size_t i = 0; i < TKINFO_STRINGS; i++)
        text += strlen(strings[i]) + 1;
    size_t body = TKINFO_FIXED + align_up(text, 4);
    uint8_t *note = new_note(arena, NOTE_TKINFO, body);
    uint8_t *fixed = note + NOTE_BODY;

    write_u32(fixed, NOTE_FORMAT);
    text = 0;
    for (size_t i = 0; i < TKINFO_STRINGS; i++) {
        size_t size = strlen(strings[i]) + 1;
        write_u32(fixed + 4 + 4 * i, (uint32_t)text);
        memcpy(fixed + TKINFO_FIXED + text, strings[i], size);
        text += size;
    }
    return (struct bytes){note, NOTE_BODY + body};
}

/* The notes of CUDA 12 have the number of the toolkit where others have a format. */
static bool
is_old_tkinfo(struct bytes section)
{
    return is_note(section, NOTE_TKINFO, TKINFO_FIXED, 128) ||
           is_note(section, NOTE_TKINFO, TKINFO_FIXED, 129);
}

bool
tkinfo_read(struct bytes section, struct tkinfo *out)
{
    const char **const strings[TKINFO_STRINGS] = {&out->object, &out->tool, &out->version,
                                                  &out->build, &out->options};

    out->is_of_cuda_12 = is_old_tkinfo(section);
    if (!out->is_of_cuda_12 && !is_note(section, NOTE_TKINFO, TKINFO_FIXED, NOTE_FORMAT))
        return false;
    const char *text = (const char *)section.at + NOTE_BODY + TKINFO_FIXED;
    size_t size = section.size - NOTE_BODY - TKINFO_FIXED;
    for (size_t i = 0; i < TKINFO_STRINGS; i++) {
        uint32_t offset = read_u32(section.at + NOTE_BODY + 4 + 4 * i);
        if (offset >= size || !memchr(text + offset, '\0', size - offset))
            return false;
        *strings[i] = text + offset;
    }
    return true;
}
