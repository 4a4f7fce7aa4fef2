#include "merge/weak.h"

/* The count cached in the text section's header, else that of the REGCOUNT record. */
static uint32_t
incoming_registers(struct elfw *elfw, const struct object *object, uint32_t input_symbol)
{
    uint32_t section = elf_symbol_section(&object->elf, input_symbol);
    uint32_t count = text_registers(object->elf.sections[section].sh_info);

    if (!count)
        count = object->symbol_notes[input_symbol].registers;
    if (!count)
        diag_fatal(elfw->diag, "Internal error: no such new reg count");
    return count;
}

static uint32_t
existing_registers(struct elfw *elfw, uint32_t ordinal)
{
    const struct function *function = elfw_function(elfw, ordinal);
    uint32_t count = elfw_section(elfw, function->text)->registers;

    if (!count)
        count = function->registers;
    if (!count)
        diag_fatal(elfw->diag, "Internal error: no such original reg count");
    return count;
}

bool
weak_is_replaced(struct elfw *elfw, const struct object *object, uint32_t input_symbol,
                 uint32_t ordinal)
{
    if (ELF64_ST_BIND(object->elf.symbols[input_symbol].st_info) == STB_GLOBAL)
        return true;

    uint32_t new_count = incoming_registers(elfw, object, input_symbol);
    uint32_t old_count = existing_registers(elfw, ordinal);

    if (new_count != old_count)
        return new_count < old_count;
    return object->virtual_arch > elfw_function(elfw, ordinal)->virtual_arch;
}

static void
drop_text_relocations(struct elfw *elfw, struct function *function)
{
    bool had_any = false;

    for (uint32_t i = function->first_owned; i; i = elfw_section(elfw, i)->next_owned) {
        struct section *section = elfw_section(elfw, i);

        bool is_table = is_relocation_table(section->type);

        if ((is_table || section->type == SHT_CUDA_RESOLVED_RELA) &&
            section->target == function->text) {
            section->first_piece = section->last_piece = 0;
            had_any |= is_table;
        }
    }
    if (had_any) {
        function->line_entries_from = elfw->objects.count - 1;
        elfw->has_void_line_entries = true;
    }
}

static bool
is_function_bank(const struct section *section)
{
    return is_constant_bank(section->type) && section->type != SHT_CUDA_CONSTANT0;
}

/* nvlink forgets to drop these. They are kept where they do no harm: see layout/stale_entries.c. */
static void
drop_tables_of(struct elfw *elfw, const struct function *function, uint32_t target)
{
    for (uint32_t i = function->first_owned; i; i = elfw_section(elfw, i)->next_owned) {
        struct section *section = elfw_section(elfw, i);
        if (!is_relocation_table(section->type) || section->target != target)
            continue;
        section->has_stale_pieces = true;
        for (uint32_t p = section->first_piece; p; p = elfw->reloc_pieces.at[p].next)
            elfw->reloc_pieces.at[p].is_stale = true;
    }
}

/* Where losers have left a section of their own, it is the one that goes, and the winner's stays. */
static void
drop_constants(struct elfw *elfw, struct function *function)
{
    bool has_leftover = false;

    for (uint32_t i = function->first_owned; i; i = elfw_section(elfw, i)->next_owned)
        has_leftover |= elfw_section(elfw, i)->is_leftover;
    for (uint32_t i = function->first_owned; i; i = elfw_section(elfw, i)->next_owned) {
        if (!is_function_bank(elfw_section(elfw, i)) ||
            elfw_section(elfw, i)->is_leftover != has_leftover)
            continue;
        elfw_clear_section(elfw, i);
        drop_tables_of(elfw, function, i);
    }
}

void
drop_weak_definition(struct elfw *elfw, uint32_t ordinal, uint32_t object)
{
    struct function *function = elfw_function(elfw, ordinal);

    drop_text_relocations(elfw, function);
    drop_constants(elfw, function);
    function->input_info = 0;
    function->records = (struct bytes){0};
    /* Records of .nv.info count only from the winning input: finalize compares with this. */
    function->object = object;
    elfw_clear_section(elfw, function->text);
}
