#include "mercury/debug.h"

#include "mercury/capsule.h"
#include "mercury/code_map.h"
#include "mercury/leaf_kernels.h"
#include "merge/merge.h"

/*
 * .nv_debug_info_reg_sass says where PTX registers are found: per function its name, a count, and
 * that many records of a number, a name, a register and the places of the code from which and up
 * to which this holds. Of functions that are gone the places are 0.
 */
enum { COUNT_SIZE = 4, NUMBER_SIZE = 4, PLACES_SIZE = 8, REGISTER_SIZE = 4 };

/* Functions of the output by their names, each until an input has described one of that name. */
static struct name_map *
list_functions(struct elfw *elfw)
{
    struct name_map *names = arena_alloc(elfw->arena, sizeof *names);

    name_map_init(names, elfw->arena, 64);
    for (uint32_t f = elfw->functions.count; f-- > 1;) {
        const struct function *function = elfw_function(elfw, f);
        bool is_alias = function->is_alias && !function->is_inner;

        if (!function->is_dead)
            name_at(names, name_map_add(names, elfw_function_name(elfw, f)))->index =
                (int32_t)(is_alias ? elfw_alias_owner(elfw, f) : f);
    }
    return names;
}

/* How places of a list become those of the output. */
struct registers_of {
    const struct function *function;  /* NULL: it is gone */
    const struct code_map *from, *to; /* of a definition that was replaced, and of the winner */
};

/* The functions that the part's input defines, by their names: the first of each counts. */
static struct name_map *
list_definitions(const struct debug_part *part)
{
    const struct elf_view *elf = &part->object->elf;
    struct arena *scratch = &part->elfw->scratch;
    struct name_map *names = arena_alloc(scratch, sizeof *names);

    name_map_init(names, scratch, 64);
    for (uint32_t i = elf->symbol_count; i-- > 1;)
        if (ELF64_ST_TYPE(elf->symbols[i].st_info) == STT_FUNC &&
            elf->symbols[i].st_shndx != SHN_UNDEF)
            name_at(names, name_map_add(names, elf_symbol_name(elf, i)))->index = (int32_t)i;
    return names;
}

/* The input's own definition of that name; 0: it has none. */
static uint32_t
own_definition(struct debug_part *part, const char *name)
{
    if (!part->definitions)
        part->definitions = list_definitions(part);
    return (uint32_t)name_at(part->definitions, name_map_find(part->definitions, name))->index;
}

/* The first mention of a name counts, whichever of the functions that have it was meant. */
static struct registers_of
take_function(struct debug_part *part, const char *name)
{
    struct name *found = name_at(part->names, name_map_find(part->names, name));
    uint32_t ordinal = (uint32_t)found->index;
    struct registers_of of = {0};

    found->index = 0;
    if (!ordinal)
        return of;
    of.function = elfw_function(part->elfw, ordinal);
    if (of.function->object == part->object->number)
        return of;
    uint32_t own = own_definition(part, name);
    uint32_t described = own ? described_function(part, own) : 0;
    if (described) { /* a local function, as it is */
        of.function = elfw_function(part->elfw, described);
    } else if (own) {
        of.from = definition_code_map(part->elfw, part->object, own);
        of.to = function_code_map(part->elfw, ordinal);
    }
    return of;
}

/* nvlink reads places of a definition that is gone as if they were of the one that stays. Where none of
   its instructions begins it writes 0, and behind its end what is in memory there. A register holds from
   where all is done that comes before the next instruction. */
static void
replace_places(const struct registers_of *of, uint8_t *words)
{
    const struct code_place *from = code_before_next(of->from, read_u32(words));
    const struct code_place *to = code_of_sass(of->from, read_u32(words + sizeof(uint32_t)));

    from = from ? code_at(of->to, from->mercury) : NULL;
    to = to ? code_at(of->to, to->mercury) : NULL;
    write_u32(words, from ? place_before_next(of->to, from) : 0);
    write_u32(words + sizeof(uint32_t), to ? place_of_step(to, to->itself) : 0);
}

/* A register holds from the last instruction before the next one of mercury: where it goes, from the one
   before it. */
static void
move_places(const struct function *function, uint8_t *words)
{
    uint64_t from = read_u32(words), moved = moved_place(function, from);
    bool is_gone = from < function->shift->kernel.text.size &&
                   moved_place(function, from + SASS_INSTRUCTION) == moved;

    move_words(function, words, PLACES_SIZE / sizeof(uint32_t));
    if (from == LOST_PLACE)
        write_u32(words, LOST_PLACE);
    else if (is_gone && moved >= SASS_INSTRUCTION)
        write_u32(words, (uint32_t)(moved - SASS_INSTRUCTION));
}

/* Are its places still the same? */
static bool
stays_as_it_is(const struct registers_of *of)
{
    return of->function && !(of->from && of->to) && !of->function->shift;
}

/* Steps over a record; 0: it is damaged. `copy`: of the bytes, NULL: places are still the same. */
static uint64_t
step_record(struct bytes bytes, uint64_t at, uint8_t *copy, const struct registers_of *of)
{
    uint64_t places = string_end(bytes, at + NUMBER_SIZE);

    if (!places || !bytes_hold(bytes, places, REGISTER_SIZE + PLACES_SIZE))
        return 0;
    uint8_t *words = copy ? copy + places + REGISTER_SIZE : NULL;
    if (words && !of->function)
        memset(words, 0, PLACES_SIZE);
    else if (words && of->from && of->to)
        replace_places(of, words);
    else if (words)
        move_places(of->function, words);
    return places + REGISTER_SIZE + PLACES_SIZE;
}

/* Steps over the list, the name and count of which were read, up to `at`; 0: it is damaged. */
static uint64_t
step_list(struct debug_part *part, uint64_t at, uint32_t count, const struct registers_of *of,
          uint8_t **copy)
{
    bool stays = stays_as_it_is(of);

    if (!stays && !*copy)
        *copy = memcpy(arena_alloc(part->elfw->arena, part->bytes.size), part->bytes.at,
                       part->bytes.size);
    for (uint32_t i = 0; at && i < count; i++)
        at = step_record(part->bytes, at, stays ? NULL : *copy, of);
    return at;
}

/* What stays is passed, if it was noted where lists end. */
void
rebuild_registers(struct debug_part *part)
{
    const struct section_marks *marks = elf_marks(&part->object->elf, part->input);
    struct bytes bytes = part->bytes;
    uint8_t *copy = NULL;

    part->definitions = NULL; /* those of the part before */
    if (!part->names)
        part->names = list_functions(part->elfw);
    for (uint64_t at = 0, list = 0, next; at < bytes.size; at = next, list++) {
        uint64_t count_at = string_end(bytes, at);

        if (!count_at || !bytes_hold(bytes, count_at, COUNT_SIZE))
            DAMAGED(part->elfw, part->object, part->input, at, "the list of registers is damaged");
        uint32_t count = read_u32(bytes.at + count_at);
        struct registers_of of = take_function(part, (const char *)bytes.at + at);
        part->describes_code |= count > 0;
        next = marks && stays_as_it_is(&of)
                   ? marks->ends[list]
                   : step_list(part, count_at + COUNT_SIZE, count, &of, &copy);
        if (!next)
            DAMAGED(part->elfw, part->object, part->input, at, "the list of registers is damaged");
    }
    if (copy)
        part->bytes.at = copy;
}
