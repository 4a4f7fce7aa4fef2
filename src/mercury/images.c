#include "base/array.h"
#include "mercury/capsule.h"
#include "mercury/split.h"
#include "relocate/field.h"
#include "schedule/instruction.h"

/*
 * Code that computes the number of a texture slot reads behind the parameters of its own file's
 * kernels. The slots of the program are behind the parameters of all kernels: such reads move.
 * What they are shows in the capsule; what has a relocation was resolved by it, or will be by another
 * link, for which nvlink moves it all the same.
 */
enum {
    READ_CONSTANT = 0x22, /* second byte of the record */
    ROLE_AT = 12,
    ROLE_IMAGE_SLOTS = 0x49,
};

/* The offset in the bank: whole programs also read into uniform registers. */
static const struct reloc_kind offset_field = {
    .fields = {{.bit = 38, .width = 16, .source = FIELD_VALUE}}};
static const struct reloc_kind uniform_offset_field = {
    .fields = {{.bit = 37, .width = 17, .source = FIELD_VALUE}}};

/* Where the file's own slots would begin. */
static uint64_t
own_slots(const struct elfw *elfw, const struct object *object)
{
    const struct elf_view *elf = &object->elf;
    uint64_t end = elfw->arch->generation->parameters_at;

    for (uint32_t i = 1; i < elf->section_count; i++)
        if (elf->parameter_banks[i])
            end = max_u64(end, mercury_parameters_end(elf, elf->parameter_banks[i]));
    return align_up(end, elfw->view->image_slot_align);
}

static bool
reads_slot(const uint8_t *capsule, const struct capsule_entry *entry)
{
    return entry->size > ROLE_AT && capsule[entry->record + 1] == READ_CONSTANT &&
           capsule[entry->record + ROLE_AT] == ROLE_IMAGE_SLOTS;
}

/* Per instruction of the text: does it have a relocation? */
static bool *
find_relocated(struct elfw *elfw, uint32_t text)
{
    uint64_t count = elfw_section(elfw, text)->size / SASS_INSTRUCTION + 1;
    uint32_t owner = elfw_section(elfw, text)->owner;
    bool *is_relocated = arena_array(elfw->arena, count, sizeof *is_relocated);

    for (uint32_t i = elfw_function(elfw, owner)->first_owned; i;
         i = elfw_section(elfw, i)->next_owned) {
        const struct section *table = elfw_section(elfw, i);
        uint32_t first = table->type == SHT_RELA && table->target == text ? table->first_piece : 0;

        for (uint32_t p = first; p; p = elfw->reloc_pieces.at[p].next) {
            struct bytes entries = elfw->reloc_pieces.at[p].entries;
            for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size; at += sizeof(Elf64_Rela)) {
                uint64_t number = read_u64(entries.at + at) / SASS_INSTRUCTION;
                if (number < count)
                    is_relocated[number] = true;
            }
        }
    }
    return is_relocated;
}

static void
move_read(uint8_t *code, uint64_t by)
{
    struct instruction instruction = read_instruction(code);

    fields_write(opcode_of(&instruction) == OP_LDCU ? &uniform_offset_field : &offset_field,
                 &(struct reloc_value){.symbol = by}, true, code, SASS_INSTRUCTION);
}

/* The text as it is written, in memory of its own. */
static uint8_t *
copy_text(struct elfw *elfw, uint32_t text)
{
    struct piece *piece = &elfw->pieces.at[elfw_section(elfw, text)->first_piece];
    uint8_t *copy = arena_alloc(elfw->arena, piece->size + 1);

    piece->bytes = memcpy(copy, piece->bytes, piece->size);
    return copy;
}

static void
move_reads(struct elfw *elfw, const struct section *section, uint64_t by)
{
    struct bytes capsule = capsule_bytes(elfw, section);
    struct capsule_reader reader = capsule_open(capsule);
    struct capsule_entry entry;
    uint8_t *text = NULL;
    bool *is_relocated = NULL;

    while (capsule_next(&reader, &entry)) {
        if (!reads_slot(capsule.at, &entry))
            continue;
        if (!text) {
            text = copy_text(elfw, section->twin);
            is_relocated = find_relocated(elfw, section->twin);
        }
        if (!is_relocated[entry.first] || elfw_flag(elfw, MERGE_RELOCATABLE))
            move_read(text + (uint64_t)entry.first * SASS_INSTRUCTION, by);
    }
}

void
move_image_reads(struct elfw *elfw)
{
    uint64_t *slots = arena_array(elfw->arena, elfw->objects.count, sizeof *slots);

    for (uint32_t i = 1; i < elfw->objects.count; i++)
        slots[i] = own_slots(elfw, elfw->objects.at[i]);
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        const struct section *section = elfw_section(elfw, i);
        uint32_t object =
            section->type == SHT_CUDA_CAPSULE ? elfw_function(elfw, section->owner)->object : 0;
        if (object && slots[object] != elfw->sass_slots)
            move_reads(elfw, section, elfw->sass_slots - slots[object]);
    }
}
