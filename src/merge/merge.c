#include "merge/merge.h"

#include "cubin/notes.h"
#include "cubin/nvinfo.h"

bool
is_whole_program(struct bytes image)
{
    return image.size >= sizeof(Elf64_Ehdr) &&
           read_u16(image.at + offsetof(Elf64_Ehdr, e_type)) == ET_CUDA_WHOLE_PROGRAM;
}

static uint32_t
enter_name(struct elfw *elfw, const char *name, struct name_key key)
{
    return name_map_add_hashed(&elfw->names, name, key.length, key.hash);
}

/* Each name is looked up once; the way to the memory where that is begins before. */
static void
enter_names(struct elfw *elfw, struct object *object)
{
    const struct elf_view *elf = &object->elf;
    struct section_notes *sections = object->section_notes;
    struct symbol_notes *symbols = object->symbol_notes;

    for (uint32_t i = 0; i < elf->section_count; i++)
        name_map_expect(&elfw->names, sections[i].key.hash);
    for (uint32_t i = 0; i < elf->symbol_count; i++)
        name_map_expect(&elfw->names, symbols[i].key.hash);
    for (uint32_t i = 0; i < elf->section_count; i++)
        if (section_has_name(elf, i))
            sections[i].name_id = enter_name(elfw, elf_section_name(elf, i), sections[i].key);
    for (uint32_t i = 0; i < elf->symbol_count; i++)
        if (symbol_has_name(elf, i))
            symbols[i].name_id = enter_name(elfw, elf_symbol_name(elf, i), symbols[i].key);
}

/* The virtual architecture decides between weak definitions; the output names the smallest. */
static void
read_notes(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count; i++) {
        struct cuinfo cuinfo;

        object->has_reserved_shared |= object->elf.sections[i].sh_type == SHT_CUDA_SHARED_RESERVED;
        if (object->elf.sections[i].sh_type != SHT_NOTE ||
            !cuinfo_read(elf_contents(&object->elf, i), &cuinfo))
            continue;
        object->virtual_arch = cuinfo.virtual_arch;
        object->toolkit = cuinfo.toolkit;
        if (!elfw->min_virtual_arch || cuinfo.virtual_arch < elfw->min_virtual_arch)
            elfw->min_virtual_arch = cuinfo.virtual_arch;
        if (cuinfo.virtual_arch > elfw->max_virtual_arch)
            elfw->max_virtual_arch = cuinfo.virtual_arch;
    }
    if (object->has_reserved_shared)
        check_tensor_variables(elfw, object);
}

void
merge_object(struct elfw *elfw, struct object *object)
{
    unsigned errors_before = elfw->diag->errors;
    struct arena_mark before = arena_mark(&elfw->scratch);

    object->number = elfw->objects.count;
    array_push(&elfw->objects, elfw->arena, object);
    enter_names(elfw, object);
    read_notes(elfw, object);

    merge_functions(elfw, object);
    merge_objects(elfw, object);
    merge_sections(elfw, object);
    merge_function_info(elfw, object);
    merge_relocations(elfw, object);
    merge_fixed_shared(elfw, object);
    merge_callgraph(elfw, object);
    object->symbol_notes = NULL;
    object->section_notes = NULL;
    arena_release(&elfw->scratch, before);

    if (elfw->diag->errors != errors_before)
        diag_fatal(elfw->diag, "merge_elf failed");
}

void
merge_elf(struct elfw *elfw, const char *name, struct bytes image)
{
    bool is_trusted = elfw->merge_flags & MERGE_TRUST_INPUTS;
    struct opening opening = {elfw->view->is_mercury, is_trusted,   elfw->arena,
                              &elfw->scratch,         &elfw->notes, &elfw->known_code};

    merge_object(elfw, open_object(name, image, &opening));
}

void
check_left_out(struct elfw *elfw, const char *name, struct bytes image)
{
    bool is_trusted = elfw->merge_flags & MERGE_TRUST_INPUTS;
    struct opening opening = {true, is_trusted, &elfw->scratch, &elfw->scratch, NULL, NULL};
    struct elf_view view;

    if (elfw->view->is_mercury)
        open_view(&view, name, image, &opening);
}
