#include "merge/check.h"

#include "merge/merge.h"

/* No tool hides a symbol. Links for programs make it visible, but mercury and links for further links lose what
   frames say of it. */
static void
check_hidden(struct elfw *elfw, const struct object *object, uint32_t input)
{
    if (elfw_flag(elfw, MERGE_RELOCATABLE) || object->elf.header.e_flags & CUBIN_FLAG_MERCURY)
        DAMAGED(elfw, object, object->elf.symtab, input * sizeof(Elf64_Sym), "'%s' is hidden",
                elf_symbol_name(&object->elf, input));
}

struct incoming
incoming_symbol(struct elfw *elfw, const struct object *object, uint32_t input)
{
    const Elf64_Sym *symbol = &object->elf.symbols[input];
    struct incoming in = {
        .input = input,
        .section = elf_symbol_section(&object->elf, input),
        .symbol = symbol,
        .name = elf_symbol_name(&object->elf, input),
        .spelling = object->symbol_notes[input].name_id,
    };

    if (ELF64_ST_BIND(symbol->st_info) != STB_LOCAL) {
        if (ELF64_ST_VISIBILITY(symbol->st_other) == STV_HIDDEN)
            check_hidden(elfw, object, input);
        in.name_id = in.spelling;
        in.existing = name_at(&elfw->names, in.name_id)->index;
    }
    return in;
}

const char *
first_file(const struct elfw *elfw, uint32_t name_id)
{
    uint32_t input = name_at(&elfw->names, name_id)->input;
    return input ? elfw->objects.at[input]->name : "<input>";
}

static void
report(struct elfw *elfw, const struct object *object, const struct incoming *in,
       const char *problem, const char *first)
{
    diag_error(elfw->diag, "%s '%s' in '%s', first %s in '%s'", problem, in->name, object->name,
               first, first_file(elfw, in->name_id));
}

#define REPORT_SPACE(elfw, object, in)                                                             \
    report(elfw, object, in, "Memory space doesn't match for", "specified")
#define REPORT_SIZE(elfw, object, in)                                                              \
    report(elfw, object, in, "Size doesn't match for", "specified")
#define REPORT_DEFINITION(elfw, object, in)                                                        \
    report(elfw, object, in, "Multiple definition of", "defined")

/* Functions are a space of their own, and so is each kind of image reference. */
static unsigned
kind_of(unsigned type, uint8_t other)
{
    if (type == STT_FUNC || is_image_type(type))
        return type;
    return memory_space(other);
}

static bool
both_strong_definitions(const struct incoming *in, const struct symbol_record *existing)
{
    return in->section != SHN_UNDEF && ELF64_ST_BIND(in->symbol->st_info) == STB_GLOBAL &&
           existing->st_shndx != SHN_UNDEF && symbol_binding(existing) == STB_GLOBAL;
}

/* An open shared array counts as a definition wherever it meets something of another space. */
static bool
is_defined_elsewhere(const struct incoming *in, const struct symbol_record *existing)
{
    bool is_open_array = symbol_type(existing) != STT_FUNC && existing->st_shndx == SHN_UNDEF &&
                         memory_space(existing->st_other) == STO_CUDA_SHARED && !existing->st_size;

    return is_open_array && in->section != SHN_UNDEF &&
           ELF64_ST_BIND(in->symbol->st_info) == STB_GLOBAL;
}

bool
check_function(struct elfw *elfw, const struct object *object, const struct incoming *in)
{
    const struct name *name = name_at(&elfw->names, in->name_id);
    const struct symbol_record *existing = elfw_get_symbol(elfw, in->existing);
    bool is_entry = in->symbol->st_other & STO_CUDA_ENTRY;
    bool agrees = true;

    /* A local of that name counts only against a kernel. */
    bool differs = in->existing ? is_entry != symbol_is_entry(existing)
                                : is_entry && name->local &&
                                      !symbol_is_entry(elfw_get_symbol(elfw, name->local));
    if (differs) {
        diag_error(elfw->diag, "Function '%s' not declared __global__ in all source files",
                   in->name);
        agrees = false;
    }
    if (!in->existing)
        return agrees;
    if (symbol_type(existing) != STT_FUNC) {
        REPORT_SPACE(elfw, object, in);
        agrees = false;
    }
    if (both_strong_definitions(in, existing) || is_defined_elsewhere(in, existing)) {
        REPORT_DEFINITION(elfw, object, in);
        agrees = false;
    }
    return agrees;
}

bool
is_initialised(const struct elfw *elfw, const struct symbol_record *symbol)
{
    uint32_t section = elfw_symbol_section(elfw, symbol);
    return section && section != COMMON_SECTION &&
           !has_no_contents(elfw_section(elfw, section)->type);
}

static bool
report_common(struct elfw *elfw, const char *name, const char *file)
{
    diag_error(elfw->diag, "Common symbol '%s' in file '%s' has larger size than initialization",
               name, file);
    return false;
}

/* A common symbol meets anything of the same space, or the other way round. */
static bool
check_common(struct elfw *elfw, const struct object *object, const struct incoming *in,
             const struct symbol_record *existing)
{
    bool old_common = existing->st_shndx == SHN_COMMON;
    bool new_common = in->section == COMMON_SECTION;
    uint64_t old_size = existing->st_size;
    uint64_t new_size = in->symbol->st_size;
    bool agrees = true;

    if (old_common && new_common)
        return true;
    if (new_common && is_initialised(elfw, existing))
        return new_size <= old_size || report_common(elfw, in->name, object->name);
    if (old_common && in->section != SHN_UNDEF &&
        !has_no_contents(object->elf.sections[in->section].sh_type))
        return old_size <= new_size || report_common(elfw, in->name, first_file(elfw, in->name_id));
    if (old_size != new_size && old_size && new_size) {
        REPORT_SIZE(elfw, object, in);
        agrees = false;
    }
    if (new_common && existing->st_shndx != SHN_UNDEF && symbol_binding(existing) == STB_GLOBAL) {
        REPORT_DEFINITION(elfw, object, in);
        agrees = false;
    }
    return agrees;
}

static bool
check_image(struct elfw *elfw, const struct object *object, const struct incoming *in)
{
    const struct name *name = name_at(&elfw->names, in->name_id);
    int32_t other = in->existing ? in->existing : name->local;

    if (!other || symbol_type(elfw_get_symbol(elfw, other)) == ELF64_ST_TYPE(in->symbol->st_info))
        return true;
    REPORT_DEFINITION(elfw, object, in);
    return false;
}

static bool
sizes_differ(const struct incoming *in, const struct symbol_record *existing)
{
    bool any_size_counts = in->section == COMMON_SECTION && !is_image_type(symbol_type(existing));

    if (symbol_type(existing) == STT_FUNC && existing->st_shndx == SHN_UNDEF)
        return false;
    return in->symbol->st_size != existing->st_size &&
           (any_size_counts || (in->symbol->st_size && existing->st_size));
}

bool
check_object(struct elfw *elfw, const struct object *object, const struct incoming *in)
{
    const struct symbol_record *existing = elfw_get_symbol(elfw, in->existing);
    unsigned type = ELF64_ST_TYPE(in->symbol->st_info);
    bool agrees = true;

    if (is_image_type(type))
        return check_image(elfw, object, in);
    if (!in->existing)
        return true;
    bool same_space =
        kind_of(type, in->symbol->st_other) == kind_of(symbol_type(existing), existing->st_other);
    if (!same_space) {
        REPORT_SPACE(elfw, object, in);
        agrees = false;
    }
    if ((in->symbol->st_other ^ existing->st_other) & STO_CUDA_MANAGED) {
        report(elfw, object, in, "Managed attribute doesn't match for", "specified");
        agrees = false;
        if (same_space && existing->st_shndx == SHN_COMMON && in->section != SHN_UNDEF)
            return false;
    }
    if (same_space && (in->section == COMMON_SECTION || existing->st_shndx == SHN_COMMON))
        return check_common(elfw, object, in, existing) && agrees;
    if (sizes_differ(in, existing)) {
        REPORT_SIZE(elfw, object, in);
        agrees = false;
    }
    if ((both_strong_definitions(in, existing) &&
         !(existing->st_shndx == SHN_COMMON && symbol_type(existing) != STT_FUNC)) ||
        (!same_space && is_defined_elsewhere(in, existing))) {
        REPORT_DEFINITION(elfw, object, in);
        agrees = false;
    }
    return agrees;
}
