#include "cubin/nvinfo.h"
#include "mercury/leaf_kernels.h"
#include "mercury/mercury.h"

/* Lists of branches have words that are no places: the second of each, and the count of targets. */
static void
move_branch_targets(const struct function *function, uint8_t *list, size_t size)
{
    enum { COUNT_AT = 8, TARGETS_AT = 12 };

    for (size_t at = 0; at + TARGETS_AT <= size;) {
        size_t count = read_u32(list + at + COUNT_AT);
        if (count > (size - at - TARGETS_AT) / sizeof(uint32_t))
            return;
        move_words(function, list + at, 1);
        move_words(function, list + at + TARGETS_AT, count);
        at += TARGETS_AT + count * sizeof(uint32_t);
    }
}

static void
move_annotations(const struct function *function, uint8_t *list, size_t size)
{
    size_t offset = 0, place;

    while (info_next_annotation((struct bytes){list, size}, &offset, &place))
        if (place)
            move_words(function, list + place, 1);
}

static void
move_record(const struct function *function, uint8_t *record, size_t size)
{
    uint8_t *payload = record + INFO_HEADER_SIZE;

    if (record[0] != EIFMT_SVAL || !function->shift)
        return;
    size -= INFO_HEADER_SIZE;
    if (record[1] == EIATTR_INDIRECT_BRANCH_TARGETS)
        move_branch_targets(function, payload, size);
    if (record[1] == EIATTR_ANNOTATIONS)
        move_annotations(function, payload, size);
    if (info_words_per_place(record[1]) == INFO_PLACES_OTHERWISE)
        return;
    size_t step = info_words_per_place(record[1]) * sizeof(uint32_t);
    for (size_t at = 0; at + step <= size; at += step) {
        if (record[1] == EIATTR_EXIT_INSTR_OFFSETS)
            write_u32(payload + at, (uint32_t)moved_exit(function, read_u32(payload + at)));
        else
            move_words(function, payload + at, 1);
    }
}

/* The records of SASS that mercury has not, as they came: those that name places, and from the end
   of the same list those about SASS alone. */
struct maker {
    const struct function *function;
    struct bytes sass; /* all records of the function */
    struct bytes *places, *alone;
    uint32_t count, alone_count;
    uint8_t *next;
};

static uint8_t *
put(struct maker *maker, struct bytes record)
{
    uint8_t *at = memcpy(maker->next, record.at, record.size);
    maker->next += record.size;
    return at;
}

static void
list_records(struct maker *maker, struct arena *arena)
{
    size_t most = maker->sass.size / INFO_HEADER_SIZE + 1;
    struct info_record record;

    maker->places = arena_alloc(arena, most * sizeof *maker->places);
    maker->alone = maker->places + most;
    for (size_t offset = 0; info_next(maker->sass, &offset, &record);) {
        if (info_words_per_place(record.attribute))
            maker->places[maker->count++] = record.whole;
        else if (info_is_of_sass_alone(record.attribute) && !info_is_of_slots(record.attribute))
            *(--maker->alone) = record.whole, maker->alone_count++;
    }
}

/* Both views have the same records, one by one; those of mercury come from the last to the first. */
static void
put_place(struct maker *maker, uint8_t attribute)
{
    if (!maker->count || maker->places[maker->count - 1].at[1] != attribute)
        return;
    struct bytes record = maker->places[--maker->count];
    move_record(maker->function, put(maker, record), record.size);
}

/* Behind all others, in their order. */
static void
put_sass_alone(struct maker *maker, const struct elfw *elfw, uint32_t parameters_symbol)
{
    for (uint32_t i = maker->alone_count; i-- > 0;) {
        uint8_t *copy = put(maker, maker->alone[i]);
        if (copy[1] == EIATTR_PARAM_CBANK)
            write_u32(copy + INFO_HEADER_SIZE, parameters_symbol);
        if (copy[1] == EIATTR_SW_WAR)
            write_u32(copy + INFO_HEADER_SIZE, elfw->arch->workarounds);
    }
}

/* Which banks the slots of textures and surfaces are in. */
static void
put_image_banks(struct maker *maker)
{
    static const uint8_t records[][INFO_HEADER_SIZE] = {
        {EIFMT_BVAL, EIATTR_BINDLESS_TEXTURE_BANK},
        {EIFMT_BVAL, EIATTR_BINDLESS_SURFACE_BANK},
    };

    for (size_t i = 0; i < COUNT_OF(records); i++)
        put(maker, (struct bytes){records[i], sizeof records[i]});
}

static uint32_t
parameters_symbol(const struct elfw *elfw, const struct function *function)
{
    const struct section *bank = elfw_section(elfw, function->parameters);
    return bank->is_parameter_bank ? elfw_sass_part(elfw, bank)->tail_symbol
                                   : elfw_remap_symbol(elfw, bank->symbol);
}

void
mercury_make_sass_info(struct elfw *elfw, uint32_t ordinal)
{
    const struct function *function = elfw_function(elfw, ordinal);
    struct section *section = elfw_section(elfw, function->info);
    const struct section *twin = elfw_section(elfw, section->twin);
    struct bytes records = {twin->contents, twin->size};
    struct bytes sass = elfw_sass_records(elfw, function);
    struct arena_mark mark = arena_mark(&elfw->scratch);
    size_t room = records.size + sass.size + (size_t)2 * INFO_HEADER_SIZE;
    uint8_t *space = arena_alloc(&elfw->scratch, room);
    struct maker maker = {.function = function, .sass = sass, .next = space};
    struct info_record record;
    size_t offset = 0;

    list_records(&maker, &elfw->scratch);
    for (size_t done = 0; info_next(records, &offset, &record);) {
        bool names_places = info_words_per_place(record.attribute);
        bool goes = names_places || record.attribute == EIATTR_MERCURY_FINALIZER_OPTIONS;
        size_t end = goes ? offset - record.whole.size : offset;

        if (!goes && offset < records.size) /* what stays is copied as a whole */
            continue;
        put(&maker, (struct bytes){records.at + done, end - done});
        done = offset;
        if (names_places)
            put_place(&maker, record.attribute);
    }
    put_sass_alone(&maker, elfw, parameters_symbol(elfw, function));
    if (function->is_kernel && elfw_owned_section(elfw, ordinal, SHT_CUDA_CONSTANT0))
        put_image_banks(&maker);
    section->size = (uint64_t)(maker.next - space);
    section->contents = memcpy(arena_alloc(elfw->arena, section->size), space, section->size);
    arena_release(&elfw->scratch, mark);
}
