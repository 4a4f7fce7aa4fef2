#include "cubin/nvinfo.h"

#include "merge/merge.h"

static void
read_counts(struct object *object)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(object->info, &offset, &record)) {
        object->guards_exits |= record.attribute == EIATTR_GEN_ERRBAR_AT_EXIT;
        if (record.payload.size < 2 * sizeof(uint32_t))
            continue;
        uint32_t symbol = read_u32(record.payload.at);
        uint32_t value = read_u32(record.payload.at + sizeof(uint32_t));
        if (symbol >= object->elf.symbol_count)
            continue;
        struct symbol_notes *notes = &object->symbol_notes[symbol];
        if (record.attribute == EIATTR_REGCOUNT)
            notes->registers = value;
        else if (record.attribute == EIATTR_FRAME_SIZE)
            notes->frame_size = value;
        else if (record.attribute == EIATTR_MIN_STACK_SIZE)
            notes->has_unknown_stack = value == STACK_UNKNOWN;
    }
}

void
read_global_info(struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count; i++)
        if (object->elf.sections[i].sh_type == SHT_CUDA_INFO &&
            !(object->elf.sections[i].sh_flags & SHF_INFO_LINK))
            object->info = elf_contents(&object->elf, i);
    read_counts(object);
}

/* --cuda-api-version: no function may need a newer one. */
static void
check_api_version(struct elfw *elfw, const struct object *object, struct bytes records)
{
    struct info_record record;
    size_t offset = 0;

    while (elfw->api_version && info_next(records, &offset, &record)) {
        if (record.attribute != EIATTR_CUDA_API_VERSION || record.payload.size < sizeof(uint32_t))
            continue;
        uint32_t needed = read_u32(record.payload.at);
        if (needed > elfw->api_version)
            diag_error(elfw->diag,
                       "Object '%s' has cuda-api-version of %u which is greater than version on "
                       "link line (%u)",
                       object->name, needed, elfw->api_version);
    }
}

void
merge_function_info(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count; i++) {
        const Elf64_Shdr *section = &object->elf.sections[i];

        if (section->sh_type != SHT_CUDA_INFO || !(section->sh_flags & SHF_INFO_LINK) ||
            belongs_to_loser(object, i))
            continue;
        uint32_t text =
            section->sh_info < object->elf.section_count ? object->sections[section->sh_info] : 0;
        uint32_t ordinal = text ? elfw_text_owner(elfw, text) : 0;
        if (!ordinal)
            DAMAGED(elfw, object, i, 0, "belongs to no function");
        if (!elfw_function(elfw, ordinal)->info) {
            uint32_t info = elfw_add_section(
                elfw, &(struct new_section){.name_id = object->section_notes[i].name_id,
                                            .type = SHT_CUDA_INFO,
                                            .flags = SHF_INFO_LINK,
                                            .align = 4,
                                            .owner = ordinal,
                                            .target = text});
            elfw_function(elfw, ordinal)->info = info;
        }
        struct function *function = elfw_function(elfw, ordinal);
        function->input_info = i;
        function->records = elf_contents(&object->elf, i);
        function->read_order = ++elfw->info_sections_read;
        check_api_version(elfw, object, function->records);
        if (object->has_reserved_shared) /* that tensor memory needs */
            check_tensor_fragments(elfw, object, function->records);
    }
}
