#include "merge/check.h"

#include "merge/merge.h"

/* No memory of a GPU is larger; the limit keeps sums from wrapping. */
#define LARGEST_OBJECT ((uint64_t)1 << 44)

#define EXTERN_SHARED_SECTION ".nv_debug.shared"

/* Plain objects count as CUDA objects of no memory space. */
static uint8_t
object_type(const Elf64_Sym *symbol)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return type == STT_OBJECT ? STT_CUDA_OBJECT : (uint8_t)type;
}

static int32_t
add_object(struct elfw *elfw, const struct incoming *in, uint32_t section, uint64_t base)
{
    return elfw_add_symbol(elfw, &(struct new_symbol){
                                     .name_id = in->spelling,
                                     .type = object_type(in->symbol),
                                     .binding = ELF64_ST_BIND(in->symbol->st_info),
                                     .other = in->symbol->st_other,
                                     .section = section,
                                     .value = in->symbol->st_value + base,
                                     .size = in->symbol->st_size,
                                 });
}

static bool
is_shared(const struct incoming *in)
{
    return memory_space(in->symbol->st_other) == STO_CUDA_SHARED;
}

/* An undefined object in what a relocatable link wrote. */
#define NO_ADDRESS UINT64_MAX

/* Its value is an alignment until layout places it. */
static bool
is_placed_by_alignment(const struct object *object, const struct incoming *in)
{
    if (in->section == SHN_UNDEF && in->symbol->st_value == NO_ADDRESS)
        return false;
    return in->section == COMMON_SECTION || is_shared(in) ||
           (in->section != SHN_UNDEF && in->section < object->elf.section_count &&
            object->elf.sections[in->section].sh_type == SHT_CUDA_SHARED_RESERVED);
}

static void
note_shared(struct elfw *elfw, struct shared_mention mention)
{
    elfw_place(elfw, mention.symbol);
    array_push(&elfw->shared_mentions, elfw->arena, mention);
}

/* A shared array without a size is laid out behind the static shared memory of each kernel. */
static void
note_extern_shared(struct elfw *elfw, int32_t index)
{
    if (!elfw_find_section(elfw, EXTERN_SHARED_SECTION))
        elfw_add_section(elfw, &(struct new_section){.name = EXTERN_SHARED_SECTION,
                                                     .type = SHT_CUDA_SHARED,
                                                     .flags = SHF_WRITE | SHF_ALLOC,
                                                     .align = 1});
    note_shared(elfw, (struct shared_mention){.symbol = index});
}

/* Code of a whole program has the addresses of its shared variables in it. */
static void
fix_shared(struct elfw *elfw, int32_t index, uint32_t section)
{
    struct symbol_record *symbol = elfw_get_symbol(elfw, index);
    struct section *shared = elfw_section(elfw, section);

    shared->size = max_u64(shared->size, symbol->st_value + symbol->st_size);
    elfw_place(elfw, index);
    struct placed *placed = &elfw->placed.at[symbol->data_ordinal];
    placed->address = symbol->st_value;
    placed->is_fixed = placed->is_used = true;
    if (elfw_flag(elfw, MERGE_RELOCATABLE)) /* where it is an alignment */
        symbol->st_value = 1;
}

/*
 * Objects of the loader stand among the globals although every input refers to them weakly. Other
 * weak references keep their binding and have no address.
 */
static int32_t
add_reference(struct elfw *elfw, const struct incoming *in)
{
    struct new_symbol symbol = {
        .name_id = in->spelling,
        .type = ELF64_ST_TYPE(in->symbol->st_info),
        .binding = ELF64_ST_BIND(in->symbol->st_info),
        .other = in->symbol->st_other,
        .value = in->symbol->st_value == NO_ADDRESS ? 0 : in->symbol->st_value,
        .size = in->symbol->st_size,
    };

    if (symbol.binding == STB_WEAK && is_loader_object(in->name)) {
        symbol.binding = STB_GLOBAL;
        symbol.value = elfw->view->is_mercury ? 0 : elfw_loader_value(elfw, in->name);
        if (elfw->view->loader_objects_are_cuda)
            symbol.type = object_type(in->symbol);
    } else if (symbol.binding == STB_WEAK) {
        symbol.type = object_type(in->symbol);
        if (!elfw_flag(elfw, MERGE_ALLOW_UNDEFINED_GLOBALS))
            symbol.value = NO_ADDRESS;
    }
    return elfw_add_symbol(elfw, &symbol);
}

static void
merge_reference(struct elfw *elfw, struct object *object, const struct incoming *in)
{
    unsigned type = ELF64_ST_TYPE(in->symbol->st_info);

    if (elfw->view->is_mercury && is_reserved_symbol(in->name))
        add_reserved_symbol(&object->reserved, in->input);
    if (in->existing) {
        object->symbols[in->input] = in->existing;
        return;
    }
    int32_t index = add_reference(elfw, in);
    struct name *name = name_at(&elfw->names, in->name_id);
    name->role = is_unified_table(in->name)   ? ROLE_UNIFIED_TABLE
                 : is_loader_object(in->name) ? ROLE_LOADER_OBJECT
                                              : ROLE_ORDINARY;
    object->symbols[in->input] = index;
    name->is_weak = ELF64_ST_BIND(in->symbol->st_info) == STB_WEAK;
    if (is_image_type(type)) {
        name->input = 0; /* belongs to no file in messages */
        elfw_place(elfw, index);
        array_push(&elfw->image_references, elfw->arena, index);
    } else if (is_shared(in) && in->symbol->st_size == 0) {
        note_extern_shared(elfw, index);
    }
}

/* Its flags are those of the first mention. */
static void
define_in_place(struct elfw *elfw, const struct incoming *in, uint32_t section, uint64_t base)
{
    struct symbol_record *symbol = elfw_get_symbol(elfw, in->existing);

    symbol->st_value = in->symbol->st_value + base;
    symbol->st_size = in->symbol->st_size;
    symbol->st_info = ELF64_ST_INFO(ELF64_ST_BIND(in->symbol->st_info), object_type(in->symbol));
    elfw_set_symbol_section(elfw, in->existing, section);
}

/* A weak definition without contents gives way to a common symbol, but the symbol keeps its place and
   binding. */
static void
become_common(struct elfw *elfw, const struct incoming *in)
{
    struct symbol_record *symbol = elfw_get_symbol(elfw, in->existing);

    symbol->st_value = in->symbol->st_value;
    symbol->st_size = in->symbol->st_size;
    elfw_set_symbol_section(elfw, in->existing, COMMON_SECTION);
    array_push(&elfw->commons, elfw->arena, in->existing);
}

static void
merge_common(struct elfw *elfw, struct object *object, const struct incoming *in)
{
    struct symbol_record *existing = elfw_get_symbol(elfw, in->existing);

    if (!in->existing) {
        object->symbols[in->input] = add_object(elfw, in, COMMON_SECTION, 0);
        array_push(&elfw->commons, elfw->arena, object->symbols[in->input]);
        return;
    }
    object->symbols[in->input] = in->existing;
    if (existing->st_shndx == SHN_UNDEF ||
        (symbol_binding(existing) == STB_WEAK && !is_initialised(elfw, existing))) {
        become_common(elfw, in);
    } else if (existing->st_shndx == SHN_COMMON && existing->st_size < in->symbol->st_size) {
        existing->st_size = in->symbol->st_size;
        name_at(&elfw->names, in->name_id)->input = object->number;
    }
}

/* A common symbol gives way to a definition with contents, to no other. */
static bool
common_stays(const struct elfw *elfw, const struct object *object, const struct incoming *in)
{
    const struct symbol_record *existing = elfw_get_symbol(elfw, in->existing);

    return in->existing && existing->st_shndx == SHN_COMMON &&
           has_no_contents(object->elf.sections[in->section].sh_type);
}

/* The first weak definition stays; the bytes of a later one do too, unless they are all it has. */
static bool
definition_loses(const struct symbol_record *existing, const struct incoming *in)
{
    return in->existing && existing->st_shndx != SHN_UNDEF &&
           !(ELF64_ST_BIND(in->symbol->st_info) == STB_GLOBAL &&
             symbol_binding(existing) == STB_WEAK) &&
           existing->st_shndx != SHN_COMMON;
}

static void
merge_definition(struct elfw *elfw, struct object *object, const struct incoming *in)
{
    const struct symbol_record *existing = elfw_get_symbol(elfw, in->existing);
    bool is_strong = ELF64_ST_BIND(in->symbol->st_info) == STB_GLOBAL;

    if (common_stays(elfw, object, in)) {
        object->symbols[in->input] = in->existing;
        if (is_strong)
            merge_data_section(elfw, object, in->section);
        return;
    }
    if (definition_loses(existing, in)) {
        object->symbols[in->input] = in->existing;
        if (symbol_binding(existing) == STB_WEAK &&
            object->elf.sections[in->section].sh_type == SHT_CUDA_GLOBAL_INIT)
            object_lose_range(object, elfw->arena, in->section, in->symbol->st_value,
                              in->symbol->st_value + in->symbol->st_size);
        return;
    }
    uint32_t section = merge_data_section(elfw, object, in->section);
    uint64_t base = is_placed_by_alignment(object, in) ? 0 : object->bases[in->section];
    if (!in->existing) {
        object->symbols[in->input] = add_object(elfw, in, section, base);
        if (is_shared(in) && object->is_whole_program && elfw_section(elfw, section)->owner)
            fix_shared(elfw, object->symbols[in->input], section);
        else if (is_shared(in))
            note_shared(elfw, (struct shared_mention){object->symbols[in->input], true,
                                                      object->is_whole_program});
        return;
    }
    existing = elfw_get_symbol(elfw, in->existing); /* may have moved with the new section */
    object->symbols[in->input] = in->existing;
    bool was_undefined = existing->st_shndx == SHN_UNDEF;
    if (existing->st_shndx == SHN_COMMON)
        name_at(&elfw->names, in->name_id)->input = object->number;
    define_in_place(elfw, in, section, base);
    if (is_shared(in) && was_undefined)
        note_shared(elfw, (struct shared_mention){in->existing, true, object->is_whole_program});
}

static bool
holds_objects(uint32_t section_type)
{
    return section_type == SHT_PROGBITS || section_type == SHT_CUDA_GLOBAL_INIT ||
           section_type == SHT_CUDA_UDT || is_constant_bank(section_type) ||
           has_no_contents(section_type);
}

static bool
is_skipped(const struct elf_view *elf, uint32_t i)
{
    unsigned type = ELF64_ST_TYPE(elf->symbols[i].st_info);
    return type == STT_FUNC || type == STT_SECTION || type == STT_NOTYPE || type == STT_FILE;
}

/* Shared variables of a kernel count for all its definitions, and so do its parameters where they
   stay symbols. */
static bool
outlives_loser(const struct elfw *elfw, const struct object *object, uint32_t section)
{
    uint32_t type = object->elf.sections[section].sh_type;

    return type == SHT_CUDA_SHARED || (type == SHT_CUDA_CONSTANT0 &&
                                       elfw_flag(elfw, MERGE_RELOCATABLE | MERGE_PRESERVE_RELOCS));
}

static void
check_object_symbol(struct elfw *elfw, const struct object *object, const struct incoming *in)
{
    uint64_t at = (uint64_t)in->input * sizeof(Elf64_Sym);
    const Elf64_Sym *symbol = in->symbol;

    if (symbol->st_size > LARGEST_OBJECT ||
        (is_placed_by_alignment(object, in) && symbol->st_value > LARGEST_ALIGNMENT))
        DAMAGED(elfw, object, object->elf.symtab, at,
                "object '%s' has size 0x%llx and alignment 0x%llx", in->name,
                (unsigned long long)symbol->st_size, (unsigned long long)symbol->st_value);
    if (in->section == ABSOLUTE_SECTION)
        DAMAGED(elfw, object, object->elf.symtab, at, "object '%s' has an absolute address",
                in->name);
    if (in->section < object->elf.section_count && in->section != SHN_UNDEF &&
        !holds_objects(object->elf.sections[in->section].sh_type))
        DAMAGED(elfw, object, object->elf.symtab, at,
                "object '%s' is in section '%s', which holds no objects", in->name,
                elf_section_name(&object->elf, in->section));
}

/* In mercury links the compiler's constants are numbered through an input, those that lose too. */
static void
name_by_number(struct elfw *elfw, struct object *object, struct incoming *in)
{
    if (!elfw->view->is_mercury || in->section >= object->elf.section_count ||
        object->elf.sections[in->section].sh_type != SHT_CUDA_CONSTANT2)
        return;
    in->name = arena_format(elfw->arena, "%s.%u", elf_section_name(&object->elf, in->section),
                            ++object->numbered_constants);
    in->spelling = name_map_add(&elfw->names, in->name);
}

/* Of a kernel: it belongs to the text, and gets slots like any other image. */
static void
note_image_parameter(struct elfw *elfw, int32_t symbol)
{
    elfw_place(elfw, symbol);
    array_push(&elfw->image_references, elfw->arena, symbol);
}

static void
merge_object_symbol(struct elfw *elfw, struct object *object, uint32_t i)
{
    struct incoming in = incoming_symbol(elfw, object, i);
    bool is_local = ELF64_ST_BIND(in.symbol->st_info) == STB_LOCAL;
    bool has_section = in.section != SHN_UNDEF && in.section != COMMON_SECTION;

    check_object_symbol(elfw, object, &in);
    if (in.section == SHN_UNDEF && is_local) {
        object->fates[i] = SYMBOL_UNDEFINED_LOCAL;
        if (elfw_flag(elfw, MERGE_RELOCATABLE) && !elfw->bank_size_symbol &&
            !strcmp(in.name, CONSTANT_BANK_SIZE))
            elfw->bank_size_symbol = add_object(elfw, &in, SHN_UNDEF, 0);
        return;
    }
    if (is_local && has_section)
        name_by_number(elfw, object, &in);
    if (has_section && belongs_to_loser(object, in.section) &&
        !outlives_loser(elfw, object, in.section)) {
        object_lose_symbol(object, i);
        return;
    }
    if (!is_local && !check_object(elfw, object, &in))
        return;
    if (in.section == SHN_UNDEF)
        merge_reference(elfw, object, &in);
    else if (in.section == COMMON_SECTION)
        merge_common(elfw, object, &in);
    else
        merge_definition(elfw, object, &in);
    if (has_section && is_image_type(ELF64_ST_TYPE(in.symbol->st_info)))
        note_image_parameter(elfw, object->symbols[i]);
}

/* Puts a constant behind the others of its section; few inputs have any. */
static void
list_constant(struct object *object, uint32_t symbol, uint32_t section, uint32_t **last,
              const struct opening *opening)
{
    size_t sections = object->elf.section_count;

    if (!*last) {
        *last = arena_array(opening->scratch, sections, sizeof **last);
        object->first_objects = arena_array(opening->arena, sections, sizeof **last);
        object->next_objects = arena_array(opening->arena, object->elf.symbol_count, sizeof **last);
    }
    if ((*last)[section])
        object->next_objects[(*last)[section]] = symbol;
    else
        object->first_objects[section] = symbol;
    (*last)[section] = symbol;
}

/* How far the objects of each section reach: of function constants nothing behind is carried. */
void
measure_sections(struct object *object, const struct opening *opening)
{
    struct arena_mark before = arena_mark(opening->scratch);
    uint32_t *last = NULL;

    for (uint32_t i = 1; i < object->elf.symbol_count; i++) {
        const Elf64_Sym *symbol = &object->elf.symbols[i];
        uint32_t section = elf_symbol_section(&object->elf, i);

        if (is_skipped(&object->elf, i) || section >= object->elf.section_count ||
            symbol->st_value > LARGEST_OBJECT || symbol->st_size > LARGEST_OBJECT)
            continue;
        struct section_notes *notes = &object->section_notes[section];
        notes->covered = max_u64(notes->covered, symbol->st_value + symbol->st_size);
        if (opening->is_mercury && is_constant_bank(object->elf.sections[section].sh_type))
            list_constant(object, i, section, &last, opening);
    }
    arena_release(opening->scratch, before);
}

void
merge_objects(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.symbol_count; i++) {
        if (ELF64_ST_TYPE(object->elf.symbols[i].st_info) == STT_NOTYPE)
            object->fates[i] = SYMBOL_UNDEFINED_LOCAL;
        if (!is_skipped(&object->elf, i))
            merge_object_symbol(elfw, object, i);
    }
    object_order_lost(object);
}
