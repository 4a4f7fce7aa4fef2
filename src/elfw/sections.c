#include "elfw/elfw.h"

uint32_t
elfw_find_section(const struct elfw *elfw, const char *name)
{
    return name_at(&elfw->names, name_map_find(&elfw->names, name))->section;
}

/* Every accessor checks the numbering against its inverse once there is one. */
void
elfw_check_section(const struct elfw *elfw, uint32_t index)
{
    uint32_t output = elfw->section_virtual[index];

    if (output && elfw->section_order[output] != index)
        diag_fatal(elfw->diag, "Internal error: secidx not virtual");
}

struct sass_part *
elfw_make_sass_part(struct elfw *elfw, uint32_t index)
{
    struct section *section = &elfw->sections.at[index];

    if (!section->sass) {
        section->sass = elfw->sass_parts.count;
        array_push(&elfw->sass_parts, elfw->arena, ((struct sass_part){0}));
    }
    return elfw_sass_part(elfw, section);
}

static void
link_to_owner(struct elfw *elfw, uint32_t index)
{
    struct section *section = elfw_section(elfw, index);
    struct function *owner = elfw_function(elfw, section->owner);

    section->next_owned = owner->first_owned;
    owner->first_owned = index;
}

/* Parameters of a kernel may have to hold texture slots: relocations of .nv.constant0.K are
   prepared with it. The companion's symbol comes before that of the bank itself. */
static void
add_companion(struct elfw *elfw, uint32_t bank)
{
    const struct section *section = elfw_section(elfw, bank);
    bool is_rela = elfw_flag(elfw, MERGE_FORCE_RELA) || elfw->view->is_mercury;
    const struct new_section companion = {
        .name =
            arena_join(elfw->arena, is_rela ? ".rela" : ".rel", elfw_section_name(elfw, section)),
        .type = is_rela ? SHT_RELA : SHT_REL,
        .flags = SHF_INFO_LINK,
        .align = 8,
        .entsize = is_rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel),
        .owner = section->owner,
        .target = bank,
    };

    elfw_add_section(elfw, &companion);
}

bool
elfw_is_companion(const struct elfw *elfw, uint32_t table)
{
    uint32_t bank = elfw_section(elfw, table)->target;

    return elfw_section(elfw, bank)->type == SHT_CUDA_CONSTANT0 && table == bank + 1 &&
           !elfw_flag(elfw, MERGE_RELOCATABLE);
}

struct section *
elfw_push_section(struct elfw *elfw, uint32_t type)
{
    uint32_t index = elfw->sections.count;

    elfw->types_of_sections |= (uint64_t)1 << type % 64;
    if (holds_entries(type))
        array_push(&elfw->tables, elfw->arena, index);
    if (type == SHT_CUDA_SHARED || type == SHT_CUDA_SHARED_RESERVED)
        array_push(&elfw->shared_sections, elfw->arena, index);
    struct section *section = array_add(&elfw->sections, elfw->arena);
    section->type = type;
    return section;
}

uint32_t
elfw_add_section(struct elfw *elfw, const struct new_section *add)
{
    uint32_t name = add->name_id ? add->name_id : name_map_add(&elfw->names, add->name);
    uint32_t index = elfw->sections.count;
    struct section *section = elfw_push_section(elfw, add->type);

    section->name_id = name;
    section->flags = (uint32_t)add->flags;
    section->align = (uint32_t)add->align;
    section->entsize = (uint32_t)add->entsize;
    section->owner = add->owner;
    section->target = add->target;
    if (add->owner)
        link_to_owner(elfw, index);
    else if (!add->is_unlisted)
        name_at(&elfw->names, name)->section = index;
    if (add->type == SHT_CUDA_CONSTANT0 && !elfw_flag(elfw, MERGE_RELOCATABLE))
        add_companion(elfw, index);
    elfw_section(elfw, index)->symbol = elfw_add_section_symbol(elfw, index);
    return index;
}

uint32_t
elfw_owned_section(const struct elfw *elfw, uint32_t function, uint32_t type)
{
    uint32_t index = elfw_function(elfw, function)->first_owned;

    for (; index; index = elfw_section(elfw, index)->next_owned) {
        const struct section *section = elfw_section(elfw, index);
        if (section->type == type && section->state == SECTION_LIVE && !section->is_leftover)
            break;
    }
    return index;
}

uint32_t
elfw_first_bank(const struct elfw *elfw, uint32_t function, uint32_t type)
{
    uint32_t bank = 0;

    for (uint32_t i = elfw_function(elfw, function)->first_owned; i;
         i = elfw_section(elfw, i)->next_owned)
        if (elfw_section(elfw, i)->type == type)
            bank = i; /* the list begins with the newest */
    return bank;
}

static uint32_t
owned_by_name_id(const struct elfw *elfw, uint32_t function, uint32_t id)
{
    uint32_t index = id ? elfw_function(elfw, function)->first_owned : 0;

    for (; index; index = elfw_section(elfw, index)->next_owned) {
        const struct section *section = elfw_section(elfw, index);
        if (section->name_id == id && section->state == SECTION_LIVE && !section->is_leftover)
            break;
    }
    return index;
}

uint32_t
elfw_owned_by_name(const struct elfw *elfw, uint32_t function, const char *name)
{
    return owned_by_name_id(elfw, function, name_map_find(&elfw->names, name));
}

uint32_t
elfw_find_joined(const struct elfw *elfw, uint32_t function, uint32_t name_id)
{
    if (function)
        return owned_by_name_id(elfw, function, name_id);
    return name_at(&elfw->names, name_id)->section;
}

/* Memory of a GPU is far smaller; the limit keeps sums of untrusted sizes from wrapping. */
#define LARGEST_OUTPUT_SECTION ((uint64_t)1 << 60)

bool
elfw_packed_place(const struct elfw *elfw, uint32_t section, uint64_t *offset)
{
    const struct moved_range *ranges = elfw->moved_constants.at;
    uint32_t low = 0, high = elfw->moved_constants.count;

    if (section != elfw->packed_bank && elfw->sections.at[section].twin != elfw->packed_bank)
        return true;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (ranges[middle].from <= *offset)
            low = middle;
        else
            high = middle;
    }
    if (!elfw->moved_constants.count || *offset < ranges[low].from || *offset >= ranges[low].to)
        return false;
    *offset = ranges[low].place + (*offset - ranges[low].from);
    return true;
}

uint64_t
elfw_append(struct elfw *elfw, uint32_t index, struct bytes bytes, uint64_t size, uint64_t align)
{
    struct section *section = elfw_section(elfw, index);
    uint64_t base = align_up(section->size, align);

    if (base + size > LARGEST_OUTPUT_SECTION)
        diag_fatal(elfw->diag, "Section '%s' is too large", elfw_section_name(elfw, section));
    section->align = (uint32_t)max_u64(section->align, align);
    section->size = base + size;
    if (!bytes.size)
        return base;
    uint32_t piece = elfw->pieces.count;
    array_push(&elfw->pieces, elfw->arena,
               ((struct piece){
                   .bytes = bytes.at, .base = base, .size = bytes.size, .align = (uint32_t)align}));
    if (section->last_piece)
        elfw->pieces.at[section->last_piece].next = piece;
    else
        section->first_piece = piece;
    section->last_piece = piece;
    return base;
}

void
elfw_mark_piece(struct elfw *elfw, uint32_t section, const struct object *object, uint32_t input)
{
    struct piece *piece = &elfw->pieces.at[elfw_section(elfw, section)->last_piece];

    piece->object = object->number;
    piece->input = input;
}

void
elfw_clear_section(struct elfw *elfw, uint32_t index)
{
    struct section *section = elfw_section(elfw, index);

    section->size = 0;
    section->first_piece = section->last_piece = 0;
}

uint32_t
elfw_user_bank(const struct elfw *elfw)
{
    return elfw_find_section(elfw, elfw->view->user_bank);
}

uint64_t
elfw_constant_bank_size(const struct elfw *elfw)
{
    uint32_t section = elfw_user_bank(elfw);
    return section ? elfw_section(elfw, section)->size : UINT64_MAX;
}
