#include "finalize/record_writer.h"

#include "finalize/finalize.h"

void
open_writer(struct record_writer *writer, struct elfw *elfw, struct arena *arena, size_t records,
            size_t appended)
{
    writer->elfw = elfw;
    writer->space = arena_alloc(arena, records + appended + 1);
    writer->middle = writer->next = writer->end = writer->space + records;
}

void
keep_records(struct record_writer *writer)
{
    size_t size = (size_t)(writer->end - writer->next);

    writer->next = memcpy(arena_alloc(writer->elfw->arena, size), writer->next, size);
    writer->end = writer->next + size;
}

void
close_writer(struct record_writer *writer, uint32_t section)
{
    set_contents(writer->elfw, section, writer->next, (uint64_t)(writer->end - writer->next));
}

static uint8_t *
prepend(struct record_writer *writer, struct bytes record)
{
    writer->next -= record.size;
    return memcpy(writer->next, record.at, record.size);
}

uint8_t *
prepend_record(struct record_writer *writer, uint8_t attribute, uint16_t size)
{
    writer->next -= INFO_HEADER_SIZE + (size_t)size;
    writer->next[0] = EIFMT_SVAL;
    writer->next[1] = attribute;
    write_u16(writer->next + 2, size);
    return writer->next + INFO_HEADER_SIZE;
}

uint8_t *
append_record(struct record_writer *writer, uint8_t format, uint8_t attribute, uint16_t value)
{
    uint8_t *record = writer->end;

    record[0] = format;
    record[1] = attribute;
    write_u16(record + 2, value);
    writer->end += INFO_HEADER_SIZE + (format == EIFMT_SVAL ? value : 0);
    return record + INFO_HEADER_SIZE;
}

int32_t
map_info_symbol(const struct elfw *elfw, const struct object *object, uint32_t input)
{
    if (input >= object->elf.symbol_count)
        return 0;
    int32_t index = object->symbols[input];
    if (!index && ELF64_ST_TYPE(object->elf.symbols[input].st_info) == STT_SECTION) {
        uint32_t section = elf_symbol_section(&object->elf, input);
        if (section < object->elf.section_count)
            index = elfw_section(elfw, object->sections[section])->symbol;
    }
    return elfw_symbol_is_deleted(elfw, index) ? 0 : index;
}

static bool
is_of_replaced_definition(const struct elfw *elfw, const struct object *object, uint8_t attribute,
                          int32_t symbol)
{
    uint32_t function = symbol_function(elfw_get_symbol(elfw, symbol));
    bool is_per_definition = attribute == EIATTR_REGCOUNT || attribute == EIATTR_FRAME_SIZE ||
                             attribute == EIATTR_MAX_STACK_SIZE;

    return function && is_per_definition && elfw_function(elfw, function)->object != object->number;
}

/* Parameters could name a symbol; those of compilers name none. */
static uint8_t *
carry_parameter(struct record_writer *writer, const struct object *object,
                const struct info_record *record)
{
    uint8_t *copy = prepend(writer, record->whole);

    if (record->payload.size >= sizeof(uint32_t))
        write_u32(copy + INFO_HEADER_SIZE,
                  elfw_remap_symbol(writer->elfw, map_info_symbol(writer->elfw, object,
                                                                  read_u32(record->payload.at))));
    return copy;
}

/* Stacks are computed anew; what a whole program says of calls inside it counts: see reached.c. */
static bool
is_of_stacks(const struct info_record *record)
{
    return record->attribute == EIATTR_MAX_STACK_SIZE ||
           (record->attribute == EIATTR_MIN_STACK_SIZE &&
            record->payload.size >= 2 * sizeof(uint32_t) &&
            read_u32(record->payload.at + sizeof(uint32_t)) == STACK_UNKNOWN);
}

/* Code with mercury needs the workarounds of the target, whatever it says and whatever becomes of the mercury. */
static uint8_t *
carry_plain(struct record_writer *writer, const struct object *object,
            const struct info_record *record)
{
    uint8_t *copy = prepend(writer, record->whole);

    if (record->attribute == EIATTR_SW_WAR && record->payload.size == sizeof(uint32_t) &&
        object->elf.header.e_flags & CUBIN_FLAG_MERCURY)
        write_u32(copy + INFO_HEADER_SIZE, writer->elfw->arch->workarounds);
    return copy;
}

uint8_t *
carry_record(struct record_writer *writer, const struct object *object,
             const struct info_record *record)
{
    const struct elfw *elfw = writer->elfw;

    if (record->attribute == EIATTR_ERROR || record->attribute == EIATTR_LOAD_CACHE_REQUEST ||
        (is_of_stacks(record) && !elfw_flag(elfw, MERGE_RELOCATABLE)))
        return NULL;
    if (record->attribute == EIATTR_KPARAM_INFO || record->attribute == EIATTR_KPARAM_INFO_V2)
        return carry_parameter(writer, object, record);
    if (!info_names_symbol(record->attribute))
        return carry_plain(writer, object, record);
    uint32_t input = read_u32(record->payload.at);
    int32_t symbol = map_info_symbol(elfw, object, input);
    if (!symbol || object->fates[input] == SYMBOL_LOST ||
        is_of_replaced_definition(elfw, object, record->attribute, symbol))
        return NULL;
    uint8_t *copy = prepend(writer, record->whole);
    write_u32(copy + INFO_HEADER_SIZE, elfw_remap_symbol(elfw, symbol));
    return copy;
}
