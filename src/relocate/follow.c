#include "relocate/follow.h"

#include "mercury/mercury.h"

bool
has_follower(const struct reloc_place *place, const struct reloc_entry *entry)
{
    return !entry->symbol || entry->symbol != place->object->capacity_symbol;
}

static bool
names_bank(const struct reloc_kind *kind)
{
    for (int i = 0; i < RELOC_MAX_FIELDS; i++)
        if (kind->fields[i].source == FIELD_BANK)
            return true;
    return false;
}

/*
 * Texture slots have a bank for themselves in mercury. SASS counts from the beginning of the
 * parameter bank where it names the bank; else from the first slot, and what reads there adds its
 * place: see mercury/images.c.
 */
static uint64_t
slots_before(const struct elfw *elfw, const struct resolution *resolved,
             const struct reloc_kind *kind)
{
    bool is_image = is_image_type(symbol_type(elfw_get_symbol(elfw, resolved->symbol)));
    return is_image && names_bank(kind) ? elfw->sass_slots : 0;
}

/* Constants are known in the capsule, too, where its record of the instruction has room. */
static void
note_patch(struct follower *follower, uint32_t type, const struct resolution *resolved,
           uint64_t offset)
{
    uint64_t value = resolved->value.symbol + resolved->value.addend;

    if (type == R_MERCURY_ABS16)
        value &= UINT16_MAX;
    else if (type != R_MERCURY_ABS32)
        return;
    array_push(&follower->patches, follower->writer.elfw->arena,
               ((struct capsule_patch){(uint32_t)(offset / SASS_INSTRUCTION), (uint32_t)value}));
}

void
follow_entry(struct follower *follower, const struct reloc_place *place,
             const struct reloc_entry *entry, const struct resolution *resolved, uint8_t *image)
{
    struct elfw *elfw = follower->writer.elfw;
    struct reloc_entry own = read_entry(follower->piece, follower->next);
    const struct reloc_kind *kind = reloc_kind(own.type);
    uint64_t offset = follower->piece->base + own.offset;
    int64_t addend = (int64_t)((uint64_t)own.addend + resolved->base);
    elfw_moved_place(elfw, follower->writer.table->target, &offset);
    uint8_t *bytes = image + follower->target->output_offset + offset;
    uint64_t room = follower->target->size - offset;

    follower->next += sizeof(Elf64_Rela);
    if (resolved->verdict == RELOC_KEEP) {
        if (resolved->names_code)
            addend = mercury_code_place(elfw, place->object, own.symbol, addend);
        write_entry(&follower->writer, offset,
                    elfw_flag(elfw, MERGE_RELOCATABLE) ? own.type : kind->plain, resolved->symbol,
                    addend);
    } else if (resolved->verdict == RELOC_APPLY) {
        struct reloc_value value = resolved->value;
        value.symbol += slots_before(elfw, resolved, kind);
        value.addend = (uint64_t)addend;
        fields_write(kind, &value, false, bytes, room);
        if (follower->target->flags & SHF_EXECINSTR)
            note_patch(follower, entry->type, resolved, own.offset);
    } else if (resolved->verdict == RELOC_ZERO) {
        fields_clear(kind, bytes, room);
    }
}
