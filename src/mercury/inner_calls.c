#include "mercury/inner_calls.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "mercury/code_map.h"
#include "schedule/instruction.h"

#include <stdlib.h>

/* Are there addresses of functions? Jump tables, which have words of 32 bits, move with the code. */
static bool
has_addresses(struct bytes entries)
{
    for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size; at += sizeof(Elf64_Rela)) {
        uint32_t type = entry_type(entries.at + at);
        if (is_distance_in_code(type) && type != R_MERCURY_PROG_REL32)
            return true;
    }
    return false;
}

static void
read_tables(struct elfw *elfw, const struct elf_view *view, struct place_tables *tables)
{
    tables->are_known = true;
    tables->of_texts = arena_array(elfw->arena, view->section_count, sizeof *tables->of_texts);
    for (uint32_t i = 1; i < view->section_count; i++) {
        const Elf64_Shdr *table = &view->sections[i];
        if (table->sh_type != SHT_RELA || table->sh_info >= view->section_count)
            continue;
        const Elf64_Shdr *target = &view->sections[table->sh_info];
        if (target->sh_flags & SHF_EXECINSTR)
            tables->of_texts[table->sh_info] = i;
        else if (target->sh_flags & SHF_ALLOC)
            tables->has_places_in_data |= has_addresses(elf_contents(view, i));
    }
}

/* The instruction of SASS that an entry of mercury is about, if its number is the place that the entry names. */
static bool
find_address(const struct elf_view *view, const struct code_map *map, const uint8_t *entry,
             struct bytes text, uint32_t *instruction, uint32_t *named_instruction)
{
    enum { NUMBER_AT = 4 };
    uint64_t behind = entry_offset(entry) + 1;
    uint32_t symbol = entry_symbol(entry);
    const struct code_place *next = behind <= UINT32_MAX ? code_from(map, (uint32_t)behind) : NULL;

    if (symbol >= view->symbol_count || !next || next == map->places.at || next[-1].is_uncertain)
        return false;
    uint32_t at = place_of_step(next - 1, next[-1].patched);
    if (!bytes_hold(text, at, INSTRUCTION_SIZE))
        return false;
    uint64_t target = view->symbols[symbol].st_value + entry_addend(entry);
    const struct code_place *named = target <= UINT32_MAX ? code_at(map, (uint32_t)target) : NULL;
    *instruction = at / INSTRUCTION_SIZE;
    *named_instruction = named ? named->sass / INSTRUCTION_SIZE : 0;
    return named && read_u32(text.at + at + NUMBER_AT) == named->sass;
}

static int
compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static void
read_addresses(struct elfw *elfw, const struct elf_view *view, const struct code_map *map,
               struct bytes entries, struct leaf_kernel *kernel)
{
    size_t most = entries.size / sizeof(Elf64_Rela);
    uint32_t *found = arena_array(elfw->arena, most + 1, sizeof *found), count = 0;
    uint32_t *named = arena_array(elfw->arena, most + 1, sizeof *named);

    for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size; at += sizeof(Elf64_Rela)) {
        if (!is_distance_in_code(entry_type(entries.at + at)))
            continue;
        if (!find_address(view, map, entries.at + at, kernel->text, &found[count], &named[count]))
            return;
        count++;
    }
    if (count) {
        qsort(found, count, sizeof *found, compare_numbers);
        qsort(named, count, sizeof *named, compare_numbers);
    }
    kernel->addresses = found;
    kernel->named = named;
    kernel->address_count = count;
    kernel->knows_addresses = true;
}

void
find_addresses(struct elfw *elfw, const struct function *function, struct place_tables *tables,
               struct leaf_kernel *kernel)
{
    const struct object *object = elfw->objects.at[function->object];
    const struct elf_view *view = &object->elf;
    uint32_t text = elf_symbol_section(view, function->input_symbol);

    if (!tables->are_known)
        read_tables(elfw, view, tables);
    const struct code_map *map = definition_code_map(elfw, object, function->input_symbol);
    if (tables->has_places_in_data || !map || text >= view->section_count)
        return;
    uint32_t table = tables->of_texts[text];
    struct bytes entries = table ? elf_contents(view, table) : (struct bytes){0};
    read_addresses(elfw, view, map, entries, kernel);
}
