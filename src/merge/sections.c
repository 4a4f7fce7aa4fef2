#include "merge/merge.h"

/* The function of the elfw that owns an input section, 0: none. */
static uint32_t
owner_of(const struct elfw *elfw, const struct object *object, uint32_t input)
{
    uint32_t described = elf_owner(&object->elf, input);
    uint32_t text = described ? object->sections[described] : 0;

    return text ? elfw_section(elfw, text)->owner : 0;
}

bool
belongs_to_loser(const struct object *object, uint32_t input)
{
    uint32_t described = elf_owner(&object->elf, input);

    return object->section_notes[input].is_lost ||
           (described && object->section_notes[described].is_lost);
}

/*
 * A kernel's own shared memory brings the section a second time under the same name. Only the
 * name is ever written; it shows where the first one is removed with its kernel.
 */
static void
add_input_twin(struct elfw *elfw, uint32_t name)
{
    uint32_t twin = elfw_add_section(elfw, &(struct new_section){.name_id = name,
                                                                 .type = SHT_CUDA_SHARED,
                                                                 .flags = SHF_INFO_LINK,
                                                                 .is_unlisted = true});
    elfw_section(elfw, twin)->state = SECTION_NAME_ONLY;
}

/* Sections of one name are joined, so they must be of one kind, and not one of the linker's own. */
static void
check_joined(struct elfw *elfw, const struct object *object, uint32_t input, uint32_t found)
{
    const struct section *section = elfw_section(elfw, found);

    if (found <= elfw->nvinfo || found == elfw->compat ||
        section->type != object->elf.sections[input].sh_type)
        DAMAGED(elfw, object, input, 0, "type 0x%x, where another section of that name has 0x%x",
                object->elf.sections[input].sh_type, section->type);
}

static uint32_t
find_or_add(struct elfw *elfw, const struct object *object, uint32_t input)
{
    const Elf64_Shdr *section = &object->elf.sections[input];
    uint32_t owner = owner_of(elfw, object, input);
    uint32_t name = object->section_notes[input].name_id;
    uint32_t found = elfw_find_joined(elfw, owner, name);

    if (!found)
        found = elfw_add_section(elfw, &(struct new_section){
                                           .name_id = name,
                                           .type = section->sh_type,
                                           .flags = section->sh_flags,
                                           .align = section->sh_addralign,
                                           .entsize = section->sh_entsize,
                                           .owner = owner,
                                           .target = owner ? elfw_function(elfw, owner)->text : 0,
                                       });
    check_joined(elfw, object, input, found);
    if (section->sh_type == SHT_CUDA_SHARED && owner && !elfw_flag(elfw, MERGE_RELOCATABLE))
        add_input_twin(elfw, name);
    return found;
}

/*
 * A weak kernel that meets a weak one has the same parameters, or it is an error; the bank exists
 * once. (Beside a strong kernel both banks are kept, one behind the other.)
 */
static bool
is_duplicate_bank(struct elfw *elfw, const struct object *object, uint32_t input, uint32_t index)
{
    const struct section *bank = elfw_section(elfw, index);
    const Elf64_Shdr *section = &object->elf.sections[input];

    if (section->sh_type != SHT_CUDA_CONSTANT0 || !bank->owner || !bank->size)
        return false;
    uint32_t symbol = elf_text_function(&object->elf, section->sh_info);
    if (symbol >= object->elf.symbol_count ||
        ELF64_ST_BIND(object->elf.symbols[symbol].st_info) != STB_WEAK ||
        symbol_binding(elfw_function_symbol(elfw, bank->owner)) != STB_WEAK)
        return false;
    if (bank->size != section->sh_size)
        diag_error(elfw->diag, "Duplicate weak parameter bank for '%s' is not the same size",
                   elfw_function_name(elfw, bank->owner));
    return true;
}

uint32_t
merge_data_section(struct elfw *elfw, struct object *object, uint32_t input)
{
    const Elf64_Shdr *section = &object->elf.sections[input];

    if (object->sections[input])
        return object->sections[input];
    uint32_t index = find_or_add(elfw, object, input);
    object->sections[input] = index;
    if (section->sh_type == SHT_CUDA_SHARED) {
        /* Only the symbols count: layout/shared.c decides sizes and addresses. */
        struct section *shared = elfw_section(elfw, index);
        shared->align = max_u64(shared->align, section->sh_addralign);
        struct function *kernel = elfw_function(elfw, shared->owner);
        if (shared->owner && !kernel->shared)
            kernel->shared = index;
    } else if (!is_duplicate_bank(elfw, object, input, index)) {
        struct bytes contents = elf_contents(&object->elf, input);
        bool is_function_bank = is_constant_bank(section->sh_type) &&
                                section->sh_type != SHT_CUDA_CONSTANT0 &&
                                elfw_section(elfw, index)->owner;
        uint64_t covered = object->section_notes[input].covered;
        if (is_function_bank && covered && covered < contents.size)
            contents.size = covered;
        object->bases[input] =
            elfw_append(elfw, index, contents,
                        has_no_contents(section->sh_type) ? section->sh_size : contents.size,
                        section->sh_addralign);
        if (contents.size)
            elfw_mark_piece(elfw, index, object, input);
    }
    return index;
}

/* As they came: before CUDA 12.4 no flag said that sh_info is a section. */
static uint64_t
leftover_flags(const struct object *object, const Elf64_Shdr *section)
{
    enum { FIRST_WITH_FLAG = 124 };
    bool had_flag = !object->toolkit || object->toolkit >= FIRST_WITH_FLAG;

    return had_flag ? section->sh_flags : section->sh_flags & ~(uint64_t)SHF_INFO_LINK;
}

/*
 * Constants that a losing definition brings are not dropped: they go behind those of the winner,
 * or, where the winner has none, into a section of their own that layout leaves alone.
 */
static void
append_loser_constants(struct elfw *elfw, struct object *object, uint32_t input)
{
    const Elf64_Shdr *section = &object->elf.sections[input];
    const char *name = elf_section_name(&object->elf, input);
    uint32_t owner_symbol = elf_text_function(&object->elf, section->sh_info);
    int32_t winner = owner_symbol < object->elf.symbol_count ? object->symbols[owner_symbol] : 0;
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, winner));

    if (!ordinal)
        return;
    uint32_t leftover = elfw_function(elfw, ordinal)->first_owned;
    while (leftover && !(elfw_section(elfw, leftover)->is_leftover &&
                         elfw_section(elfw, leftover)->type == section->sh_type))
        leftover = elfw_section(elfw, leftover)->next_owned;
    uint32_t into = leftover ? leftover : elfw_owned_by_name(elfw, ordinal, name);
    if (!into) {
        into = elfw_add_section(elfw, &(struct new_section){
                                          .name = name,
                                          .type = section->sh_type,
                                          .flags = leftover_flags(object, section),
                                          .align = section->sh_addralign,
                                          .owner = ordinal,
                                          .target = elfw_function(elfw, ordinal)->text,
                                      });
        elfw_section(elfw, into)->is_leftover = true;
    }
    object->sections[input] = into;
    object->bases[input] = elfw_append(elfw, into, elf_contents(&object->elf, input),
                                       section->sh_size, section->sh_addralign);
    if (!section->sh_size)
        return;
    elfw_mark_piece(elfw, into, object, input);
    elfw->pieces.at[elfw_section(elfw, into)->last_piece].is_loser = true;
}

/* Constants of a function that no symbol leads to are what an earlier link left of a definition that
   lost, beside a winner without any. */
static void
merge_unnamed_section(struct elfw *elfw, struct object *object, uint32_t input)
{
    uint32_t pieces = elfw->pieces.count;
    struct section *section = elfw_section(elfw, merge_data_section(elfw, object, input));
    bool is_first = section->first_piece >= pieces;

    if (section->type == SHT_CUDA_CONSTANT2 && section->owner && is_first)
        section->is_leftover = true;
}

/* Sections that are carried over although no symbol leads to them. */
static bool
is_carried(uint32_t type)
{
    switch (type) {
    case SHT_PROGBITS:
    case SHT_NOTE:
    case SHT_CUDA_METADATA:
    case SHT_CUDA_GLOBAL_INIT:
    case SHT_CUDA_UFT:
    case SHT_CUDA_UFT_ENTRY:
    case SHT_CUDA_UDT:
    case SHT_CUDA_UDT_ENTRY:
        return true;
    }
    return is_constant_bank(type);
}

static void
merge_note(struct elfw *elfw, struct object *object, uint32_t input)
{
    const Elf64_Shdr *section = &object->elf.sections[input];

    if (section->sh_flags & SHF_CUDA_CUINFO)
        return; /* made anew from all inputs */
    if (!(section->sh_flags & SHF_CUDA_TKINFO))
        merge_data_section(elfw, object, input);
    else if (!elfw_flag(elfw, MERGE_RELOCATABLE))
        elfw_append(elfw, elfw->tkinfo, elf_contents(&object->elf, input), section->sh_size, 1);
}

static void
check_remaining(struct elfw *elfw, const struct object *object, uint32_t input)
{
    const Elf64_Shdr *section = &object->elf.sections[input];
    bool is_unified =
        section->sh_type == SHT_CUDA_UFT_ENTRY || section->sh_type == SHT_CUDA_UDT_ENTRY;

    if (is_unified && !elfw_flag(elfw, MERGE_RELOCATABLE))
        diag_fatal(elfw->diag, "Unified symbols found but index file not specified.");
    if (section->sh_flags & SHF_EXECINSTR && !belongs_to_loser(object, input))
        diag_fatal(elfw->diag,
                   "Internal error: no regcount? (in '%s', section '%s', offset 0x%llx: code of "
                   "no function)",
                   object->name, elf_section_name(&object->elf, input),
                   (unsigned long long)section->sh_offset);
}

static void
merge_remaining(struct elfw *elfw, struct object *object, uint32_t input)
{
    const Elf64_Shdr *section = &object->elf.sections[input];

    if (section->sh_type == SHT_CUDA_COMPAT) {
        compat_merge(&elfw->compat_values, elf_contents(&object->elf, input));
        object->target_mask = compat_mask(elf_contents(&object->elf, input));
    }
    if (!is_carried(section->sh_type))
        return;
    check_remaining(elfw, object, input);
    if (section->sh_type == SHT_NOTE) {
        merge_note(elfw, object, input);
    } else if (!belongs_to_loser(object, input) || section->sh_type == SHT_CUDA_CONSTANT0) {
        merge_unnamed_section(elfw, object, input);
    } else if (is_constant_bank(section->sh_type)) {
        append_loser_constants(elfw, object, input);
    }
}

/*
 * The shared memory of a whole program's kernel is laid out. nvlink appends it to the variables that
 * debug information names, which are in it already; with -g it takes those alone, and the rest is
 * missing.
 */
static void
add_fixed_shared(struct elfw *elfw, struct object *object, uint32_t input)
{
    const Elf64_Shdr *section = &object->elf.sections[input];
    bool debug = elfw_flag(elfw, MERGE_DEBUG);
    bool is_mark = !section->sh_size && !(section->sh_flags & SHF_INFO_LINK);

    if (is_mark && debug)
        return;
    uint32_t index = merge_data_section(elfw, object, input);
    struct section *shared = elfw_section(elfw, index);
    if (is_mark) /* of open arrays, in a program without kernels */
        elfw->fixed_shared_mark = max_u64(elfw->fixed_shared_mark, section->sh_addralign);
    if (!shared->owner) {
        elfw->given_shared_size += section->sh_size;
        elfw->given_shared_align = max_u64(elfw->given_shared_align, section->sh_addralign);
    }
    if (!shared->owner || (debug && section->sh_size <= shared->size))
        return;
    if (debug)
        shared->size = 0;
    elfw_append(elfw, index, (struct bytes){0}, section->sh_size, section->sh_addralign);
    elfw_function(elfw, shared->owner)->has_fixed_shared = true;
}

void
merge_fixed_shared(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count && object->is_whole_program; i++)
        if (object->elf.sections[i].sh_type == SHT_CUDA_SHARED)
            add_fixed_shared(elfw, object, i);
}

void
merge_sections(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count; i++)
        if (!object->sections[i])
            merge_remaining(elfw, object, i);
}
