#include "mercury/split.h"

#include "mercury/debug.h"
#include "mercury/leaf_kernels.h"
#include "mercury/mercury.h"
#include "mercury/twins.h"
#include "mercury/yields.h"

/* What is for debuggers and describes no code is written once, unless nobody knows the name. */
static bool
is_written_once(const char *name)
{
    static const char *const names[] = {".debug_abbrev",  ".debug_aranges",  ".debug_loc",
                                        ".debug_macinfo", ".debug_pubnames", ".debug_pubtypes",
                                        ".debug_ranges",  ".debug_str"};

    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return text_begins(name, ".nv_debug_ptx_txt");
}

/* Do both views share the bytes of the section? */
static bool
shares_bytes(const struct elfw *elfw, const struct section *section)
{
    if (section->type == SHT_CUDA_CONSTANT3 || section->type == SHT_CUDA_CONSTANT4 ||
        section->type == SHT_CUDA_GLOBAL_INIT)
        return true;
    if (section->type != SHT_PROGBITS || section->flags & SHF_ALLOC)
        return false;
    return !section->size || is_written_once(elfw_section_name(elfw, section));
}

/* Not one of the link: it has no symbol, and no name but that of its counterpart. */
static void
add_twin(struct elfw *elfw, uint32_t index, const struct twin_kind *kind)
{
    uint32_t number = elfw->sections.count;
    struct section *twin = elfw_push_section(elfw, kind->type);
    struct section *section = &elfw->sections.at[index];

    section->twin = number;
    twin->name_id = section->name_id;
    twin->flags = (section->flags & ~(uint32_t)kind->plain_flags) | SHF_CUDA_MERCURY;
    twin->size = section->size;
    twin->align = kind->align ? kind->align : section->align;
    twin->entsize = section->entsize;
    twin->owner = section->owner;
    twin->target = section->target;
    twin->first_piece = section->first_piece;
    twin->last_piece = section->last_piece;
    twin->first_table_type = section->first_table_type;
    twin->has_image_slots = section->has_image_slots;
    twin->twin = index;
    twin->is_mercury = true;
    twin->shares_bytes = shares_bytes(elfw, section);
}

static void
rename_section(struct elfw *elfw, uint32_t index)
{
    const struct section *section = elfw_section(elfw, index);
    uint32_t type = section->type;

    if (holds_entries(type))
        type = elfw_section(elfw, section->target)->type;
    if (!is_constant_bank(type))
        return;
    const char *name = elfw_section_name(elfw, elfw_section(elfw, index));
    const char *new_name = sass_name(elfw->arena, name);

    if (new_name != name)
        elfw_make_sass_part(elfw, index)->name = new_name;
}

/* A kernel without texture slots has its parameters for themselves. */
static bool
wants_parameter_bank(const struct elfw *elfw, uint32_t kernel)
{
    return elfw_function_is_defined_entry(elfw, kernel) && !elfw_function(elfw, kernel)->is_dead &&
           !elfw_owned_section(elfw, kernel, SHT_CUDA_CONSTANT0);
}

/* False: it has no twin. */
static bool
add_counterparts(struct elfw *elfw, uint32_t index)
{
    const struct section *section = &elfw->sections.at[index];
    const struct twin_kind *kind = twin_kind_for(section->type, section->flags);

    if (section->state != SECTION_LIVE || !kind)
        return false;
    uint32_t owner = section->flags & SHF_EXECINSTR ? elfw_text_owner(elfw, index) : 0;
    add_twin(elfw, index, kind);
    rename_section(elfw, index);
    if (owner && wants_parameter_bank(elfw, owner))
        add_parameter_bank(elfw, owner);
    return true;
}

static bool
same_pieces(const struct elfw *elfw, uint32_t a, uint32_t b)
{
    const struct piece *pieces = elfw->pieces.at;

    for (; a && b; a = pieces[a].next, b = pieces[b].next)
        if (pieces[a].size != pieces[b].size || pieces[a].base != pieces[b].base ||
            (pieces[a].bytes != pieces[b].bytes &&
             memcmp(pieces[a].bytes, pieces[b].bytes, pieces[a].size) != 0))
            return false;
    return !a && !b;
}

/* The types of registers, which have no places, may be the same in both views; data of a whole program
   with addresses of functions inside of kernels, which SASS has already, is not. */
static void
share_equal_bytes(struct elfw *elfw, uint32_t index)
{
    const struct section *section = elfw_section(elfw, index);

    if (section->twin)
        elfw_section(elfw, section->twin)->shares_bytes =
            same_pieces(elfw, section->first_piece, elfw_section(elfw, section->twin)->first_piece);
}

/* Objects of whole programs have .debug_info once, others twice, though with the same bytes. The output
   has it once if all inputs do. */
static void
share_bytes_of_inputs(struct elfw *elfw, uint32_t index)
{
    const struct section *section = elfw_section(elfw, index);
    struct section *twin = section->twin ? elfw_section(elfw, section->twin) : NULL;
    const struct piece *pieces = elfw->pieces.at;
    uint32_t a = section->first_piece, b = twin ? twin->first_piece : 0;

    for (; a && b && pieces[a].bytes == pieces[b].bytes; a = pieces[a].next)
        b = pieces[b].next;
    if (twin)
        twin->shares_bytes = !a && !b;
}

/* What the twin is about is the twin of what the section is about. */
static void
take_target(struct elfw *elfw, uint32_t index)
{
    const struct section *section = &elfw->sections.at[index];

    elfw->sections.at[section->twin].target = elfw->sections.at[section->target].twin;
}

/* The section gets what it has in the SASS view. Tables wait until the code is finished. */
static void
take_sass(struct elfw *elfw, uint32_t index)
{
    const struct section *section = &elfw->sections.at[index];

    if (section->flags & SHF_EXECINSTR)
        array_push(&elfw->sass_texts, elfw->arena, index);
    if (!holds_entries(section->type))
        take_sass_contents(elfw, index);
}

/* Each section while it is at hand: a target that comes later has no twin yet. */
static void
split_sections(struct elfw *elfw)
{
    struct arena_mark before = arena_mark(&elfw->scratch);
    ARRAY(uint32_t) early = {0};

    for (uint32_t i = 1, count = elfw->sections.count; i < count; i++) {
        if (!add_counterparts(elfw, i))
            continue;
        uint32_t target = elfw->sections.at[i].target;
        if (target > i)
            array_push(&early, &elfw->scratch, i);
        else if (target)
            take_target(elfw, i);
        take_sass(elfw, i);
    }
    for (uint32_t i = 0; i < early.count; i++)
        take_target(elfw, early.at[i]);
    arena_release(&elfw->scratch, before);
}

uint64_t
mercury_split(struct elfw *elfw)
{
    enum { COST_OF_A_BYTE = 8 }; /* of a kernel: its instructions are scheduled anew */
    uint64_t size = 0;

    find_guarded_inputs(elfw);
    split_sections(elfw);
    for (uint32_t i = 0; i < elfw->sass_texts.count; i++) {
        const struct section *text = &elfw->sections.at[elfw->sass_texts.at[i]];
        size += elfw_function(elfw, text->owner)->is_kernel ? text->size : 0;
    }
    return size * COST_OF_A_BYTE;
}

void
mercury_finish_split(struct elfw *elfw, unsigned threads, struct crew *crew)
{
    finish_code(elfw, threads, crew);
    for (uint32_t i = 0, count = elfw->tables.count; i < count; i++) {
        const struct section *table = &elfw->sections.at[elfw->tables.at[i]];
        if (table->twin && !table->is_mercury)
            take_sass_tables(elfw, elfw->tables.at[i]);
    }
    drop_yields(elfw);
    move_jump_tables(elfw);
    share_equal_bytes(elfw, elfw_find_section(elfw, ".nv_debug_info_reg_type"));
    share_equal_bytes(elfw, elfw_find_section(elfw, ".nv.global.init"));
    share_equal_bytes(elfw, elfw_user_bank(elfw));
    share_bytes_of_inputs(elfw, elfw_find_section(elfw, ".debug_info"));
    mercury_rebuild_debug(elfw);
}
