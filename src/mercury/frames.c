#include "mercury/frames.h"

#include "merge/merge.h"

/*
 * A record is a mark of the 64-bit form, a length, and that many bytes. Those that describe a
 * function (FDE) begin with the offset of the record of what they have in common with others
 * (CIE), then name the function; a CIE has all ones there.
 */
enum {
    LENGTH_AT = 4,
    CIE_POINTER_AT = 12,
    FUNCTION_AT = 20,
    RECORD_HEADER = 20,
};

#define MARK_64BIT UINT32_MAX
#define IS_CIE UINT64_MAX

/* A record of an input and where it goes. */
struct frame {
    uint64_t offset, size;
    uint64_t new_offset;
    uint32_t cie; /* the number of its CIE; its own number for one */
    bool stays;
};

typedef ARRAY(struct frame) frame_list;

struct rebuilder {
    struct elfw *elfw;
    const struct object *object;
    uint32_t input; /* the section of the object */
    struct bytes bytes;
    frame_list frames;
};

static void
read_frames(struct rebuilder *rebuilder)
{
    struct bytes bytes = rebuilder->bytes;
    uint32_t cie = UINT32_MAX;

    rebuilder->frames.count = 0;
    for (uint64_t at = 0; at < bytes.size;) {
        bool fits = bytes_hold(bytes, at, RECORD_HEADER) && read_u32(bytes.at + at) == MARK_64BIT;
        uint64_t length = fits ? read_u64(bytes.at + at + LENGTH_AT) : 0;
        uint64_t before = CIE_POINTER_AT;

        if (!fits || length < RECORD_HEADER - before ||
            !bytes_hold(bytes, at + before, length))
            DAMAGED(rebuilder->elfw, rebuilder->object, rebuilder->input, at,
                    "the frame does not fit");
        if (read_u64(bytes.at + at + CIE_POINTER_AT) == IS_CIE)
            cie = rebuilder->frames.count;
        if (cie == UINT32_MAX)
            DAMAGED(rebuilder->elfw, rebuilder->object, rebuilder->input, at,
                    "the frame has nothing before it");
        array_push(&rebuilder->frames, rebuilder->elfw->arena,
                   ((struct frame){.offset = at, .size = before + length, .cie = cie}));
        at += before + length;
    }
}

/* The frame that holds the offset; NULL: none does. */
static struct frame *
frame_at(const struct rebuilder *rebuilder, uint64_t offset)
{
    uint32_t low = 0, high = rebuilder->frames.count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        struct frame *frame = &rebuilder->frames.at[middle];

        if (offset < frame->offset)
            high = middle;
        else if (offset >= frame->offset + frame->size)
            low = middle + 1;
        else
            return frame;
    }
    return NULL;
}

/* Is the function, as this input defines it, part of the output? */
static bool
is_kept(const struct rebuilder *rebuilder, uint32_t symbol)
{
    const struct elfw *elfw = rebuilder->elfw;
    const struct object *object = rebuilder->object;
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, object->symbols[symbol]));
    const struct function *function = elfw_function(elfw, ordinal);

    return ordinal && !function->is_dead && object->fates[symbol] != SYMBOL_LOST &&
           function->object == object->number;
}

static void
mark_kept(struct rebuilder *rebuilder, struct bytes entries)
{
    for (size_t at = 0; at < entries.size; at += sizeof(Elf64_Rela)) {
        uint64_t offset = read_u64(entries.at + at);
        uint32_t symbol = (uint32_t)(read_u64(entries.at + at + 8) >> 32);
        struct frame *frame = frame_at(rebuilder, offset);

        if (!frame || offset != frame->offset + FUNCTION_AT || !is_kept(rebuilder, symbol))
            continue;
        frame->stays = true;
        rebuilder->frames.at[frame->cie].stays = true;
    }
}

static struct bytes
copy_frames(struct rebuilder *rebuilder)
{
    uint8_t *copy = arena_alloc(rebuilder->elfw->arena, rebuilder->bytes.size + 1);
    uint64_t size = 0;

    for (uint32_t i = 0; i < rebuilder->frames.count; i++) {
        struct frame *frame = &rebuilder->frames.at[i];
        if (!frame->stays)
            continue;
        frame->new_offset = size;
        memcpy(copy + size, rebuilder->bytes.at + frame->offset, frame->size);
        size += frame->size;
    }
    return (struct bytes){copy, size};
}

static struct bytes
copy_entries(struct rebuilder *rebuilder, struct bytes entries)
{
    uint8_t *copy = arena_alloc(rebuilder->elfw->arena, entries.size + 1);
    size_t size = 0;

    for (size_t at = 0; at < entries.size; at += sizeof(Elf64_Rela)) {
        uint64_t offset = read_u64(entries.at + at);
        const struct frame *frame = frame_at(rebuilder, offset);

        if (!frame || !frame->stays)
            continue;
        memcpy(copy + size, entries.at + at, sizeof(Elf64_Rela));
        write_u64(copy + size, frame->new_offset + (offset - frame->offset));
        if (offset == frame->offset + CIE_POINTER_AT)
            write_u64(copy + size + 16, rebuilder->frames.at[frame->cie].new_offset);
        size += sizeof(Elf64_Rela);
    }
    return (struct bytes){copy, size};
}

static uint32_t
find_table(const struct elfw *elfw, uint32_t section)
{
    uint32_t table = elfw_find_section(elfw, ".rela.debug_frame");
    return table && elfw_section(elfw, table)->target == section ? table : 0;
}

/* Per input: its relocations of frames. */
static uint32_t *
tables_by_object(struct elfw *elfw, uint32_t section)
{
    uint32_t *tables = arena_array(elfw->arena, elfw->objects.count, sizeof *tables);
    uint32_t table = find_table(elfw, section);

    for (uint32_t p = elfw_section(elfw, table)->first_piece; table && p;
         p = elfw->reloc_pieces.at[p].next)
        tables[elfw->reloc_pieces.at[p].object] = p;
    return tables;
}

void
mercury_rebuild_frames(struct elfw *elfw, uint32_t section)
{
    uint32_t *tables = tables_by_object(elfw, section);
    struct rebuilder rebuilder = {.elfw = elfw};
    uint64_t size = 0;

    for (uint32_t p = elfw_section(elfw, section)->first_piece; p; p = elfw->pieces.at[p].next) {
        struct piece *piece = &elfw->pieces.at[p];
        struct reloc_piece *table = &elfw->reloc_pieces.at[tables[piece->object]];

        rebuilder.object = elfw->objects.at[piece->object];
        rebuilder.input = piece->input;
        rebuilder.bytes = (struct bytes){piece->bytes, piece->size};
        read_frames(&rebuilder);
        mark_kept(&rebuilder, table->entries);
        struct bytes copy = copy_frames(&rebuilder);
        piece->bytes = copy.at;
        piece->size = copy.size;
        piece->base = table->base = rebuilder.object->bases[piece->input] = size;
        if (tables[piece->object])
            table->entries = copy_entries(&rebuilder, table->entries);
        size += copy.size;
    }
    elfw_section(elfw, section)->size = size;
}
