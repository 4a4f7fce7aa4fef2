#include "merge/check.h"
#include "merge/merge.h"
#include "merge/weak.h"

static uint32_t
add_entry_section(struct elfw *elfw, uint32_t ordinal, const char *prefix, uint32_t type,
                  uint64_t flags, uint64_t align)
{
    return elfw_add_section(
        elfw, &(struct new_section){
                  .name = arena_join(elfw->arena, prefix, elfw_function_name(elfw, ordinal)),
                  .type = type,
                  .flags = flags,
                  .align = align,
                  .owner = ordinal,
                  .target = elfw_function(elfw, ordinal)->text,
              });
}

static void
map_text(struct elfw *elfw, struct object *object, uint32_t input, uint32_t ordinal)
{
    uint32_t text = elfw_function(elfw, ordinal)->text;

    object->sections[input] = text;
    elfw_append(elfw, text, elf_contents(&object->elf, input), object->elf.sections[input].sh_size,
                1);
    if (object->elf.sections[input].sh_size)
        elfw_mark_piece(elfw, text, object, input);
    elfw_section(elfw, text)->registers = text_registers(object->elf.sections[input].sh_info);
}

static bool
counts_as_kernel(const struct elfw *elfw, const struct symbol_record *symbol)
{
    return symbol_is_entry(symbol) && (elfw_flag(elfw, MERGE_DEBUG | MERGE_RELOCATABLE) ||
                                       elfw_kernel_is_used(elfw, symbol->name_str));
}

/*
 * A kernel has sections for its records and its shared memory from the start, as has what takes the
 * place of one of the driver's functions; a kernel that --kernels-used does not name gets them like
 * any function, when they come, unless an earlier input referred to it.
 */
static bool
gets_entry_sections(const struct elfw *elfw, const struct object *object, uint32_t ordinal)
{
    const struct symbol_record *symbol = elfw_function_symbol(elfw, ordinal);
    bool is_known = symbol_binding(symbol) != STB_LOCAL &&
                    elfw_function(elfw, ordinal)->first_object != object->number;

    return symbol_is_entry(symbol) && (is_known || elfw_flag(elfw, MERGE_DEBUG) ||
                                       elfw_kernel_is_used(elfw, symbol->name_str));
}

static void
add_entry_sections(struct elfw *elfw, uint32_t ordinal)
{
    uint32_t info = add_entry_section(elfw, ordinal, ".nv.info.", SHT_CUDA_INFO, SHF_INFO_LINK, 4);
    elfw_function(elfw, ordinal)->info = info;
    uint32_t shared = add_entry_section(elfw, ordinal, ".nv.shared.", SHT_CUDA_SHARED,
                                        SHF_INFO_LINK | SHF_ALLOC | SHF_WRITE, 1);
    elfw_function(elfw, ordinal)->shared = shared;
}

static void
create_text(struct elfw *elfw, struct object *object, uint32_t input, uint32_t ordinal)
{
    const Elf64_Shdr *section = &object->elf.sections[input];
    uint32_t text = elfw_add_section(
        elfw, &(struct new_section){
                  .name_id = object->section_notes[input].name_id,
                  .type = section->sh_type,
                  .flags = SHF_ALLOC | SHF_EXECINSTR,
                  .align = section->sh_addralign,
                  .entsize = section->sh_type == SHT_PROGBITS ? 0 : section->sh_entsize,
                  .owner = ordinal,
              });
    struct function *function = elfw_function(elfw, ordinal);

    function->text = text;
    elfw_set_symbol_section(elfw, function->symbol, text);
    map_text(elfw, object, input, ordinal);
    elfw_function(elfw, ordinal)->is_kernel =
        counts_as_kernel(elfw, elfw_function_symbol(elfw, ordinal));
    elfw_function(elfw, ordinal)->is_prelinked =
        object->is_whole_program && symbol_is_entry(elfw_function_symbol(elfw, ordinal));
    elfw_function(elfw, ordinal)->is_system_call =
        !symbol_is_entry(elfw_function_symbol(elfw, ordinal)) &&
        elfw_is_syscall(elfw, elfw_function_name(elfw, ordinal));
    if (elfw_function(elfw, ordinal)->is_system_call || gets_entry_sections(elfw, object, ordinal))
        add_entry_sections(elfw, ordinal);
}

/* Is the symbol a second name for a function whose text it shares? */
static bool
is_alias(const struct object *object, const struct incoming *in)
{
    uint32_t owner = elf_text_function(&object->elf, in->section);

    return owner != in->input && owner < object->elf.symbol_count &&
           ELF64_ST_TYPE(object->elf.symbols[owner].st_info) == STT_FUNC &&
           elf_symbol_section(&object->elf, owner) == in->section;
}

/* The winner's numbers, from now on those of the function. */
static void
take_definition(struct elfw *elfw, struct object *object, const struct incoming *in,
                uint32_t ordinal)
{
    struct function *function = elfw_function(elfw, ordinal);
    const struct symbol_notes *notes = &object->symbol_notes[in->input];

    function->object = object->number;
    function->input_symbol = in->input;
    function->registers = notes->registers;
    if (!function->registers && !(in->symbol->st_other & STO_CUDA_ENTRY) && !is_alias(object, in))
        function->registers = text_registers(object->elf.sections[in->section].sh_info);
    function->barriers = text_barriers(object->elf.sections[in->section].sh_flags);
    function->frame_size = notes->frame_size;
    function->has_unknown_stack = notes->has_unknown_stack;
}

static void
define_function(struct elfw *elfw, struct object *object, const struct incoming *in, int32_t index)
{
    struct symbol_record *symbol = elfw_get_symbol(elfw, index);
    uint32_t ordinal = symbol_function(symbol);

    /* What was said where it was mentioned first counts, but for one bit. */
    symbol->st_other |= in->symbol->st_other & STO_CUDA_OBSCURE;
    symbol->st_size = in->symbol->st_size;
    symbol->st_value = in->symbol->st_value;
    elfw_set_binding(symbol, ELF64_ST_BIND(in->symbol->st_info));
    elfw_function(elfw, ordinal)->virtual_arch = object->virtual_arch;
    take_definition(elfw, object, in, ordinal);
    if (in->name_id)
        name_at(&elfw->names, in->name_id)->input = object->number;
    if (is_alias(object, in)) {
        elfw_function(elfw, ordinal)->is_alias = true;
        return; /* gets its section when the owner of the text has one */
    }
    create_text(elfw, object, in->section, ordinal);
}

static int32_t
add_function(struct elfw *elfw, const struct incoming *in)
{
    return elfw_add_symbol(elfw, &(struct new_symbol){
                                     .name_id = in->spelling,
                                     .type = STT_FUNC,
                                     .binding = ELF64_ST_BIND(in->symbol->st_info),
                                     .other = in->symbol->st_other,
                                     .value = in->symbol->st_value,
                                     .size = in->symbol->st_size,
                                 });
}

static void
lose_definition(struct elfw *elfw, struct object *object, const struct incoming *in)
{
    struct symbol_record *winner = elfw_get_symbol(elfw, object->symbols[in->input]);

    object_lose_symbol(object, in->input);
    if (in->section == SHN_UNDEF)
        return;
    if (symbol_binding(winner) == STB_WEAK) /* weak definitions share that bit */
        winner->st_other |= in->symbol->st_other & STO_CUDA_OBSCURE;
    object->section_notes[in->section].is_lost = true;
    object->sections[in->section] = elfw_function(elfw, symbol_function(winner))->text;
}

/* The incoming definition takes the place of the weak one; the symbol keeps its slot. */
static void
replace_definition(struct elfw *elfw, struct object *object, const struct incoming *in)
{
    struct symbol_record *symbol = elfw_get_symbol(elfw, in->existing);
    uint32_t ordinal = symbol_function(symbol);
    unsigned binding = ELF64_ST_BIND(in->symbol->st_info);
    uint8_t shared = binding == STB_WEAK ? symbol->st_other & STO_CUDA_OBSCURE : 0;

    drop_weak_definition(elfw, ordinal, object->number);
    symbol->st_other = in->symbol->st_other | shared;
    symbol->st_size = in->symbol->st_size;
    elfw_set_binding(symbol, binding);
    take_definition(elfw, object, in, ordinal);
    map_text(elfw, object, in->section, ordinal);
}

/* Of weak definitions of one name each is in a file of its own. */
static void
check_single_definition(struct elfw *elfw, const struct object *object, const struct incoming *in)
{
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, in->existing));

    if (elfw_function(elfw, ordinal)->object == object->number)
        DAMAGED(elfw, object, object->elf.symtab, (uint64_t)in->input * sizeof(Elf64_Sym),
                "a second definition of '%s'", in->name);
}

static void
resolve_function(struct elfw *elfw, struct object *object, const struct incoming *in)
{
    const struct symbol_record *existing = elfw_get_symbol(elfw, in->existing);
    bool is_definition = in->section != SHN_UNDEF;

    if (in->name_id && !check_function(elfw, object, in)) {
        if (symbol_function(existing)) {
            object->symbols[in->input] = in->existing;
            if (is_definition && existing->st_shndx == SHN_UNDEF) /* later messages name it */
                name_at(&elfw->names, in->name_id)->input = object->number;
        }
        lose_definition(elfw, object, in);
        return;
    }
    if (!in->existing) {
        int32_t index = add_function(elfw, in);
        object->symbols[in->input] = index;
        if (is_definition)
            define_function(elfw, object, in, index);
        else
            name_at(&elfw->names, in->name_id)->is_weak =
                ELF64_ST_BIND(in->symbol->st_info) == STB_WEAK;
        return;
    }
    object->symbols[in->input] = in->existing;
    if (!is_definition)
        return;
    check_single_definition(elfw, object, in);
    if (existing->st_shndx == SHN_UNDEF)
        define_function(elfw, object, in, in->existing);
    else if (symbol_binding(existing) == STB_WEAK &&
             weak_is_replaced(elfw, object, in->input, symbol_function(existing)))
        replace_definition(elfw, object, in);
    else
        lose_definition(elfw, object, in);
}

static void
check_function_symbol(struct elfw *elfw, struct object *object, const struct incoming *in)
{
    const struct elf_view *elf = &object->elf;
    uint64_t at = (uint64_t)in->input * sizeof(Elf64_Sym);

    if (in->section == SHN_UNDEF)
        return;
    if (in->section >= elf->section_count ||
        !(elf->sections[in->section].sh_flags & SHF_EXECINSTR) ||
        (elf->sections[in->section].sh_type != SHT_PROGBITS &&
         elf->sections[in->section].sh_type != SHT_CUDA_UFT))
        DAMAGED(elfw, object, elf->symtab, at, "function '%s' is in no code section", in->name);
}

/* Aliases live in the text of the function they name, wherever that one came in the table. */
static void
place_aliases(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.symbol_count; i++) {
        if (ELF64_ST_TYPE(object->elf.symbols[i].st_info) != STT_FUNC ||
            object->fates[i] == SYMBOL_LOST)
            continue;
        struct incoming in = incoming_symbol(elfw, object, i);
        int32_t index = object->symbols[i];
        const struct symbol_record *symbol = elfw_get_symbol(elfw, index);
        if (in.section == SHN_UNDEF || !is_alias(object, &in) || !symbol_function(symbol) ||
            elfw_function(elfw, symbol_function(symbol))->object != object->number)
            continue;
        uint32_t owner = elf_text_function(&object->elf, in.section);
        struct function *function = elfw_function(elfw, symbol_function(symbol));
        if (object->symbols[owner] == index || function->is_chained || !function->is_alias)
            DAMAGED(elfw, object, object->elf.symtab, (uint64_t)i * sizeof(Elf64_Sym),
                    "'%s' is listed twice", symbol->name_str);
        elfw_set_symbol_section(elfw, index, object->sections[in.section]);
        elfw_add_alias(elfw, object->symbols[owner], index);
        function->is_chained = true;
        function->is_inner = symbol_is_entry(elfw_get_symbol(elfw, object->symbols[owner]));
    }
}

/*
 * In a whole program functions lie inside the kernels that call them. The kernel is defined before
 * the first of these.
 */
static void
merge_owner_first(struct elfw *elfw, struct object *object, const struct incoming *in)
{
    uint32_t owner = elf_text_function(&object->elf, in->section);

    if (object->symbols[owner] || object->fates[owner] == SYMBOL_LOST)
        return;
    struct incoming first = incoming_symbol(elfw, object, owner);
    check_function_symbol(elfw, object, &first);
    resolve_function(elfw, object, &first);
}

void
merge_functions(struct elfw *elfw, struct object *object)
{
    bool has_alias = false;

    for (uint32_t i = 1; i < object->elf.symbol_count; i++) {
        bool is_merged = object->symbols[i] || object->fates[i] == SYMBOL_LOST;
        if (ELF64_ST_TYPE(object->elf.symbols[i].st_info) != STT_FUNC || is_merged)
            continue;
        struct incoming in = incoming_symbol(elfw, object, i);
        check_function_symbol(elfw, object, &in);
        bool shares_text = in.section != SHN_UNDEF && is_alias(object, &in);
        if (shares_text) {
            merge_owner_first(elfw, object, &in);
            in = incoming_symbol(elfw, object, i); /* the owner may have the same name */
        }
        resolve_function(elfw, object, &in);
        has_alias |= shares_text;
    }
    if (has_alias)
        place_aliases(elfw, object);
}
