#include "mercury/mercury.h"
#include "mercury/split.h"

static uint32_t
parameter_input(const struct elfw *elfw, uint32_t kernel)
{
    const struct function *function = elfw_function(elfw, kernel);
    const struct elf_view *elf = &elfw->objects.at[function->object]->elf;
    uint32_t capsule = elf_symbol_section(elf, function->input_symbol);

    return capsule < elf->section_count ? elf->parameter_banks[elf->twins[capsule]] : 0;
}

uint64_t
mercury_parameters_end(const struct elf_view *elf, uint32_t bank)
{
    uint32_t slots = elf->twins[bank];
    uint64_t size = elf_contents(elf, bank).size;

    return slots ? size - elf->sections[slots].sh_size : size;
}

struct bytes
mercury_parameters(const struct elfw *elfw, uint32_t kernel)
{
    const struct elf_view *elf = &elfw->objects.at[elfw_function(elfw, kernel)->object]->elf;
    uint32_t input = parameter_input(elfw, kernel);

    if (!input)
        return (struct bytes){0};
    return (struct bytes){elf_contents(elf, input).at, mercury_parameters_end(elf, input)};
}

void
add_parameter_bank(struct elfw *elfw, uint32_t kernel)
{
    const struct function *function = elfw_function(elfw, kernel);
    const struct elf_view *elf = &elfw->objects.at[function->object]->elf;
    uint32_t input = parameter_input(elfw, kernel);
    struct bytes contents = mercury_parameters(elfw, kernel);

    if (!input)
        return;
    uint32_t added = elfw->sections.count;
    struct section *bank = elfw_push_section(elfw, SHT_CUDA_CONSTANT0);
    bank->name_id = name_map_add(&elfw->names, elf_section_name(elf, input));
    bank->flags = SHF_ALLOC | SHF_INFO_LINK;
    bank->align = sizeof(uint32_t);
    bank->target = function->text;
    bank->is_parameter_bank = true;
    array_push(&elfw->parameter_banks, elfw->arena, added);
    elfw_append(elfw, added, contents, contents.size, 1);
    elfw_function(elfw, kernel)->parameters = added;
}

void
take_parameters(struct elfw *elfw, uint32_t bank)
{
    uint64_t slots = elfw_section(elfw, bank)->size;
    uint32_t kernel = elfw_section(elfw, bank)->owner;
    struct bytes contents = mercury_parameters(elfw, kernel);

    elfw_clear_section(elfw, bank);
    elfw_append(elfw, bank, contents, contents.size, 1);
    elfw_section(elfw, bank)->size = elfw->sass_slots + slots;
    elfw_function(elfw, kernel)->parameters = bank;
}

void
mercury_reserve_shared(struct elfw *elfw)
{
    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        return;
    for (uint32_t i = 0; i < elfw->shared_sections.count; i++) {
        struct section *section = &elfw->sections.at[elfw->shared_sections.at[i]];

        if (section->is_mercury || section->state != SECTION_LIVE)
            continue;
        if (section->type == SHT_CUDA_SHARED_RESERVED)
            section->size += elfw->arch->generation->reserved_offset;
        if (section->type != SHT_CUDA_SHARED)
            continue;
        section->has_no_symbol |= !section->size;
        section->size += elfw_reserved_shared(elfw);
    }
}
