#include "merge/merge.h"

#include "cubin/notes.h"
#include "cubin/nvinfo.h"
#include "merge/opened.h"

bool
is_whole_program(struct bytes image)
{
    return image.size >= sizeof(Elf64_Ehdr) &&
           read_u16(image.at + offsetof(Elf64_Ehdr, e_type)) == ET_CUDA_WHOLE_PROGRAM;
}

/* Those that later phases ask, too. */
static void
make_tables(struct object *object, struct arena *arena)
{
    size_t symbols = object->elf.symbol_count, sections = object->elf.section_count;
    uint32_t *words = arena_array(arena, symbols + sections, sizeof *words);

    object->bases = arena_array(arena, sections, sizeof *object->bases);
    object->symbols = (int32_t *)words;
    object->sections = words + symbols;
    object->fates = arena_array(arena, symbols, sizeof *object->fates);
}

/* Those of the merge alone: the next object has them in the same place. */
static void
make_notes_of_merge(struct object *object, struct arena *scratch)
{
    size_t symbols = object->elf.symbol_count, sections = object->elf.section_count;

    object->registers = arena_array(scratch, symbols, sizeof *object->registers);
    object->frame_sizes = arena_array(scratch, symbols, sizeof *object->frame_sizes);
    object->unknown_stacks = arena_array(scratch, symbols, sizeof *object->unknown_stacks);
    object->covered = arena_array(scratch, sections, sizeof *object->covered);
    object->lost_sections = arena_array(scratch, sections, sizeof *object->lost_sections);
}

static void
forget_notes_of_merge(struct elfw *elfw, struct object *object)
{
    elfw->section_names = elfw->symbol_names = NULL;
    object->registers = object->frame_sizes = NULL;
    object->covered = NULL;
    object->unknown_stacks = object->lost_sections = NULL;
}

static struct object *
new_object(struct elfw *elfw, const char *name, struct bytes image, const struct elf_view *opened)
{
    struct arena *arena = elfw->arena;
    struct object *object = arena_zero(arena, sizeof *object);

    object->name = name;
    object->number = elfw->objects.count;
    object->is_whole_program = is_whole_program(image);
    if (opened)
        object->elf = *opened;
    else
        open_view(&object->elf, name, image, elfw->view->is_mercury, arena, &elfw->scratch);
    make_tables(object, arena);
    make_notes_of_merge(object, &elfw->scratch);
    array_push(&elfw->objects, arena, object);
    return object;
}

/* The memory where a name will be looked up is asked for while others are hashed. */
static struct name_key
hash_name(const struct elfw *elfw, const char *name)
{
    struct name_key key = name_key_of(name);

    name_map_expect(&elfw->names, key.hash);
    return key;
}

static uint32_t
enter_name(struct elfw *elfw, const char *name, const struct name_key *key)
{
    return name_map_add_hashed(&elfw->names, name, key->length, key->hash);
}

/* Each name is hashed and looked up once. Symbols of sections have none of their own; sections of
   another view take no part. */
static void
enter_names(struct elfw *elfw, const struct object *object)
{
    const struct elf_view *elf = &object->elf;
    uint32_t sections = elf->section_count, symbols = elf->symbol_count;
    struct name_key *keys =
        arena_alloc(&elfw->scratch, ((size_t)sections + symbols) * sizeof *keys);

    elfw->section_names = arena_array(&elfw->scratch, sections, sizeof *elfw->section_names);
    elfw->symbol_names = arena_array(&elfw->scratch, symbols, sizeof *elfw->symbol_names);
    for (uint32_t i = 0; i < sections; i++)
        if (elf->sections[i].sh_type != SHT_NULL)
            keys[i] = hash_name(elfw, elf_section_name(elf, i));
    for (uint32_t i = 0; i < symbols; i++)
        if (ELF64_ST_TYPE(elf->symbols[i].st_info) != STT_SECTION)
            keys[sections + i] = hash_name(elfw, elf_symbol_name(elf, i));
    for (uint32_t i = 0; i < sections; i++)
        if (elf->sections[i].sh_type != SHT_NULL)
            elfw->section_names[i] = enter_name(elfw, elf_section_name(elf, i), &keys[i]);
    for (uint32_t i = 0; i < symbols; i++)
        if (ELF64_ST_TYPE(elf->symbols[i].st_info) != STT_SECTION)
            elfw->symbol_names[i] = enter_name(elfw, elf_symbol_name(elf, i), &keys[sections + i]);
}

/* The virtual architecture decides between weak definitions; the output names the smallest. */
static void
read_notes(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count; i++) {
        struct cuinfo cuinfo;

        if (object->elf.sections[i].sh_type == SHT_CUDA_SHARED_RESERVED)
            check_tensor_memory(elfw, object);
        if (object->elf.sections[i].sh_type != SHT_NOTE ||
            !cuinfo_read(elf_contents(&object->elf, i), &cuinfo))
            continue;
        object->virtual_arch = cuinfo.virtual_arch;
        object->toolkit = cuinfo.toolkit;
        if (!elfw->min_virtual_arch || cuinfo.virtual_arch < elfw->min_virtual_arch)
            elfw->min_virtual_arch = cuinfo.virtual_arch;
    }
}

void
merge_elf(struct elfw *elfw, const char *name, struct bytes image)
{
    merge_opened(elfw, name, image, NULL);
}

void
merge_opened(struct elfw *elfw, const char *name, struct bytes image, const struct elf_view *opened)
{
    unsigned errors_before = elfw->diag->errors;
    struct arena_mark before = arena_mark(&elfw->scratch);
    struct object *object = new_object(elfw, name, image, opened);

    enter_names(elfw, object);
    read_notes(elfw, object);
    read_global_info(object);

    merge_functions(elfw, object);
    merge_objects(elfw, object);
    merge_sections(elfw, object);
    merge_function_info(elfw, object);
    merge_relocations(elfw, object);
    merge_fixed_shared(elfw, object);
    merge_callgraph(elfw, object);
    forget_notes_of_merge(elfw, object);
    arena_release(&elfw->scratch, before);

    if (elfw->diag->errors != errors_before)
        diag_fatal(elfw->diag, "merge_elf failed");
}

void
check_left_out(struct elfw *elfw, const char *name, struct bytes image)
{
    struct arena_mark before = arena_mark(&elfw->scratch);
    struct elf_view view;

    if (!elfw->view->is_mercury)
        return;
    open_view(&view, name, image, true, &elfw->scratch, &elfw->scratch);
    arena_release(&elfw->scratch, before);
}
