#include "merge/open.h"

#include "mercury/view.h"
#include "merge/merge.h"

struct image_view {
    struct elf_view *view;
    const char *name;
    struct bytes image;
    struct opening opening;
};

static void
open_one_view(void *user)
{
    const struct image_view *one = user;
    const struct opening *opening = &one->opening;

    if (opening->is_mercury)
        mercury_view_open(one->view, one->name, one->image, opening->is_trusted, opening->arena,
                          opening->scratch, opening->known);
    else
        sass_view_open(one->view, one->name, one->image, opening->is_trusted, opening->arena,
                       opening->scratch);
}

/* Is there nothing wrong with it but what was learned from files of one release? */
static bool
is_sound_if_trusted(const struct image_view *one)
{
    struct image_view again = *one;
    struct diag silent = diag_silent(), *aloud = one->opening.arena->diag;

    again.opening.is_trusted = true;
    again.opening.known = NULL;
    one->opening.arena->diag = one->opening.scratch->diag = &silent;
    bool is_sound = diag_try(&silent, open_one_view, &again);
    one->opening.arena->diag = one->opening.scratch->diag = aloud;
    return is_sound;
}

void
open_view(struct elf_view *view, const char *name, struct bytes image,
          const struct opening *opening)
{
    struct arena_mark before = arena_mark(opening->scratch);
    struct image_view one = {view, name, image, *opening};
    struct diag *diag = opening->arena->diag;

    if (!diag_try(diag, open_one_view, &one)) {
        if (diag->has_damage && !opening->is_trusted && is_sound_if_trusted(&one))
            diag_hint(diag,
                      "'%s' breaks only rules learned from files of CUDA 13.0; if its tools "
                      "wrote it as it is, --trust-inputs links it",
                      name);
        diag_unwind(diag);
    }
    arena_release(opening->scratch, before);
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

/* Those of the merge alone. */
static void
make_notes(struct object *object, struct arena *arena, struct notes_room *room)
{
    size_t sections = object->elf.section_count * sizeof *object->section_notes;
    size_t size = sections + object->elf.symbol_count * sizeof *object->symbol_notes;

    if (room->size < size)
        *room = (struct notes_room){arena_alloc(arena, 2 * size), 2 * size};
    memset(room->at, 0, size);
    object->section_notes = (void *)room->at;
    object->symbol_notes = (void *)(room->at + sections);
}

static void
hash_names(struct object *object)
{
    const struct elf_view *elf = &object->elf;

    for (uint32_t i = 0; i < elf->section_count; i++)
        if (section_has_name(elf, i))
            object->section_notes[i].key = name_key_of(elf_section_name(elf, i));
    for (uint32_t i = 0; i < elf->symbol_count; i++)
        if (symbol_has_name(elf, i))
            object->symbol_notes[i].key = name_key_of(elf_symbol_name(elf, i));
}

struct object *
open_object(const char *name, struct bytes image, const struct opening *opening)
{
    struct object *object = arena_zero(opening->arena, sizeof *object);

    object->name = name;
    object->is_whole_program = is_whole_program(image);
    open_view(&object->elf, name, image, opening);
    make_tables(object, opening->arena);
    make_notes(object, opening->arena, opening->room);
    hash_names(object);
    read_global_info(object);
    measure_sections(object, opening);
    return object;
}
