#include "mercury/debug.h"

#include "mercury/frame_record.h"
#include "mercury/mercury.h"

/*
 * Of most parts each frame stays as it is, or goes. Such a part is mostly written in one order: frames from
 * the first to the last, each behind its CIE, and the relocations of their three fields the other way round.
 */
struct plain_walk {
    const struct debug_part *part;
    uint64_t offset, size; /* of the frame */
    uint64_t cie, cie_size;
    bool is_cie_used;
    const struct section_marks *marks; /* NULL: where frames end was not noted */
    uint32_t next;                     /* of these */
    size_t left;                       /* of the entries */
    const uint8_t *function;           /* the entry of the frame that names it */
};

enum { ENTRY = sizeof(Elf64_Rela), FIELDS = 3, ENTRIES = FIELDS * ENTRY };

static struct plain_walk
walk_plain(const struct debug_part *part)
{
    const struct section_marks *marks = elf_marks(&part->object->elf, part->input);
    bool has_all = marks && part->entries.size == (size_t)marks->count * ENTRIES;

    return (struct plain_walk){.part = part,
                               .marks = has_all ? marks : NULL,
                               .is_cie_used = true,
                               .left = part->entries.size};
}

/* Of a part that was found to be written in that order: frames end where it was noted. */
static bool
next_noted(struct plain_walk *walk)
{
    uint64_t from = walk->offset + walk->size;

    walk->offset = from;
    walk->size = 0;
    if (walk->next == walk->marks->count)
        return false;
    walk->left -= ENTRIES;
    walk->function = walk->part->entries.at + walk->left + ENTRY;
    walk->offset = entry_offset(walk->function) - FUNCTION_AT;
    walk->size = walk->marks->ends[walk->next++] - walk->offset;
    if (walk->offset > from) {
        walk->cie = from;
        walk->cie_size = walk->offset - from;
    }
    return true;
}

/* Goes to the next frame that describes a function; false at the end, and where it is otherwise. */
static bool
next_plain(struct plain_walk *walk)
{
    struct bytes bytes = walk->part->bytes;

    if (walk->marks)
        return next_noted(walk);
    walk->offset += walk->size;
    walk->size = frame_record_size(bytes, walk->offset);
    if (walk->size && frame_record_is_cie(bytes, walk->offset) && walk->is_cie_used) {
        walk->cie = walk->offset;
        walk->cie_size = walk->size;
        walk->is_cie_used = false;
        walk->offset += walk->size;
        walk->size = frame_record_size(bytes, walk->offset);
    }
    if (!walk->size || frame_record_is_cie(bytes, walk->offset) || walk->left < ENTRIES)
        return false;
    walk->left -= ENTRIES;
    walk->is_cie_used = true;
    const uint8_t *size = walk->part->entries.at + walk->left, *function = size + ENTRY;
    walk->function = function;
    return entry_offset(size) == walk->offset + LENGTH_OF_CODE_AT &&
           entry_offset(function) == walk->offset + FUNCTION_AT &&
           entry_offset(function + ENTRY) == walk->offset + CIE_POINTER_AT;
}

/* The function of the frame; 0: the frame goes. */
static uint32_t
plain_function(const struct plain_walk *walk)
{
    uint32_t symbol = entry_symbol(walk->function);
    return symbol ? mentioned_function(walk->part, symbol) : 0;
}

/* Is it the first frame of a function that this input defines, and whose code is not shortened? */
static bool
stays_as_it_is(const struct plain_walk *walk, uint32_t ordinal)
{
    const struct debug_part *part = walk->part;
    const struct function *function = elfw_function(part->elfw, ordinal);

    return !part->seen[ordinal] && function->object == part->object->number && !function->shift &&
           !read_u64(part->bytes.at + walk->offset + FUNCTION_AT) &&
           part->object->symbols[entry_symbol(walk->function)] ==
               elfw_text_symbol(part->elfw, ordinal);
}

/* How many frames stay, and go; what stays, each with its CIE, has so many bytes. */
struct plain_sum {
    uint32_t stay, go;
    uint64_t size;
};

/* False: some must be made anew. Else functions of those that stay are seen. */
static bool
add_plain(const struct debug_part *part, struct plain_sum *sum)
{
    struct plain_walk walk = walk_plain(part);
    uint64_t last_cie = UINT64_MAX;

    while (next_plain(&walk)) {
        uint32_t ordinal = plain_function(&walk);

        if (!ordinal) {
            sum->go++;
            continue;
        }
        if (!stays_as_it_is(&walk, ordinal))
            return false;
        part->seen[ordinal] = true;
        sum->stay++;
        sum->size += walk.size + (walk.cie == last_cie ? 0 : walk.cie_size);
        last_cie = walk.cie;
    }
    return sum->stay + sum->go && !walk.left && walk.is_cie_used && walk.offset == part->bytes.size;
}

static bool
is_plain(const struct debug_part *part, struct plain_sum *sum)
{
    if (add_plain(part, sum))
        return true;
    struct plain_walk walk = walk_plain(part);
    for (uint32_t left = sum->stay + sum->go; left > 0 && next_plain(&walk); left--)
        part->seen[plain_function(&walk)] = false;
    return false;
}

/* In the order of a part that is plain, and at the place where it will be. */
static void
fill_frames(uint8_t *bytes, size_t size, uint64_t base)
{
    struct bytes section = {bytes, size};
    uint64_t cie = 0, record;

    for (uint64_t at = 0; (record = frame_record_size(section, at)); at += record) {
        if (frame_record_is_cie(section, at))
            cie = at;
        else
            write_u64(bytes + at + CIE_POINTER_AT, base + cie);
    }
}

void
mercury_fill_frames(const struct piece *piece, uint8_t *bytes)
{
    fill_frames(bytes, piece->size, piece->base);
}

/* Only addresses of functions are still open: as in frames.c. Bytes that are copied once more when they are
   written are filled in then. */
static void
copy_all(struct debug_part *part)
{
    struct arena *arena = part->elfw->arena;
    size_t size = part->entries.size / FIELDS;
    uint8_t *entries = arena_alloc(arena, size), *to = entries;

    for (const uint8_t *function = part->entries.at + ENTRY; to < entries + size;
         function += ENTRIES, to += ENTRY)
        memcpy(to, function, ENTRY);
    part->entries = (struct bytes){entries, size};
    part->has_open_frames = part->bytes.size <= MOST_OPEN_FRAMES;
    if (part->has_open_frames)
        return;
    part->bytes.at = memcpy(arena_alloc(arena, part->bytes.size), part->bytes.at, part->bytes.size);
    fill_frames((uint8_t *)part->bytes.at, part->bytes.size, part->base);
}

/* The same where some go: what stays moves up. */
static void
copy_staying(struct debug_part *part, const struct plain_sum *sum)
{
    struct arena *arena = part->elfw->arena;
    size_t entries_size = (size_t)sum->stay * ENTRY;
    uint8_t *bytes = arena_alloc(arena, sum->size + 1), *next = bytes;
    uint8_t *entries = arena_alloc(arena, entries_size + 1), *to = entries + entries_size;
    uint64_t last_cie = UINT64_MAX, cie = 0;

    for (struct plain_walk walk = walk_plain(part); next_plain(&walk);) {
        if (!plain_function(&walk))
            continue;
        if (walk.cie != last_cie) {
            memcpy(next, part->bytes.at + walk.cie, walk.cie_size);
            cie = part->base + (uint64_t)(next - bytes);
            next += walk.cie_size;
            last_cie = walk.cie;
        }
        memcpy(next, part->bytes.at + walk.offset, walk.size);
        write_u64(next + CIE_POINTER_AT, cie);
        to -= ENTRY;
        memcpy(to, walk.function, ENTRY);
        write_u64(to + ENTRY_OFFSET_AT, (uint64_t)(next - bytes) + FUNCTION_AT);
        next += walk.size;
    }
    part->bytes = (struct bytes){bytes, sum->size};
    part->entries = (struct bytes){entries, entries_size};
}

bool
copy_plain_frames(struct debug_part *part)
{
    struct plain_sum sum = {0};

    if (part->object->elf.has_frames_alone || !is_plain(part, &sum))
        return false;
    part->describes_code = true;
    if (sum.go)
        copy_staying(part, &sum);
    else
        copy_all(part);
    return true;
}
