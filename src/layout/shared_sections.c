#include "layout/shared_layout.h"

/*
 * The result of the layout: sizes of sections, values of symbols, and what exceeds the hardware.
 */

static uint64_t
reserved(const struct elfw *elfw)
{
    return elfw->view->layout_reserves_shared ? elfw_reserved_shared(elfw) : 0;
}

/* Not for a whole program's entry that --kernels-used leaves out. */
static uint64_t
reserved_for(const struct elfw *elfw, uint32_t ordinal)
{
    bool is_left_out = elfw_function(elfw, ordinal)->is_prelinked &&
                       !elfw_kernel_is_used(elfw, elfw_function_name(elfw, ordinal));
    return is_left_out ? 0 : reserved(elfw);
}

/* Harmless but visible: what nvlink adds to the symbols of a kernel's shared memory it adds to symbol
   0 for the memory of a whole program, which has none. */
void
note_fixed_shared(struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        const struct function *function = elfw_function(elfw, f);
        if (function->has_fixed_shared && !function->is_dead &&
            elfw_section(elfw, function->shared)->size)
            elfw->null_symbol_value += reserved_for(elfw, f);
    }
}

/* A section is written if it has contents, or marks a program with open arrays by its
   alignment of exactly that of such an array. */
static bool
is_mark_of_open_arrays(const struct shared_layout *l, const struct section *section)
{
    return l->any_extern && section->align == OPEN_ARRAY_ALIGN;
}

uint32_t
shared_add_section(struct elfw *elfw, uint32_t ordinal)
{
    return elfw_add_section(
        elfw, &(struct new_section){
                  .name = arena_join(elfw->arena, ".nv.shared.", elfw_function_name(elfw, ordinal)),
                  .type = SHT_CUDA_SHARED,
                  .flags = SHF_INFO_LINK | SHF_ALLOC | SHF_WRITE,
                  .align = 1,
                  .owner = ordinal,
                  .target = elfw_function(elfw, ordinal)->text,
              });
}

/* An entry that --kernels-used leaves out has its section only if it needs one. */
static uint32_t
kernel_section(struct shared_layout *l, uint32_t k)
{
    uint32_t ordinal = l->kernels[k].ordinal;
    struct function *function = elfw_function(l->elfw, ordinal);

    if (!function->shared) {
        function->shared = shared_add_section(l->elfw, ordinal);
        if (!kernel_party(l, k)->has_any)
            elfw_section(l->elfw, function->shared)->state = SECTION_DEAD;
    }
    return function->shared;
}

void
shared_finish_kernel_sections(struct shared_layout *l)
{
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        const struct party *kernel = kernel_party(l, k);
        struct section *section = elfw_section(l->elfw, kernel_section(l, k));

        uint64_t common_align = l->kernels[k].is_open_alone ? 0 : l->common_align;
        section->align = max_u64(max_u64(kernel->align, common_align), 1);
        bool is_mark = is_mark_of_open_arrays(l, section);
        bool is_counted = kernel->has_any || (l->any_extern && section->align >= OPEN_ARRAY_ALIGN);
        is_counted &= section->state != SECTION_DEAD;
        section->size = is_counted ? kernel->end + reserved_for(l->elfw, l->kernels[k].ordinal) : 0;
        bool is_fixed = elfw_function(l->elfw, l->kernels[k].ordinal)->has_fixed_shared;
        if (!section->size && !is_mark && !is_fixed && section->state == SECTION_LIVE)
            section->state = SECTION_NAME_ONLY;
    }
}

void
shared_finish_common_section(struct shared_layout *l)
{
    uint32_t index = elfw_find_section(l->elfw, ".nv_debug.shared");
    struct section *section = elfw_section(l->elfw, index);
    bool debug = elfw_flag(l->elfw, MERGE_DEBUG | MERGE_PRESERVE_RELOCS);

    if (!index)
        return;
    section->size = debug ? l->slots_end : 0;
    section->align = max_u64(max_u64(l->any_extern ? OPEN_ARRAY_ALIGN : 0, l->common_align), 1);
    section->align = max_u64(section->align, l->elfw->fixed_shared_mark);
    if (!section->size && !is_mark_of_open_arrays(l, section) && !l->elfw->fixed_shared_mark)
        section->state = SECTION_NAME_ONLY;
    else if (debug)
        section->size += reserved(l->elfw);
}

/*
 * --preserve-relocs leaves out open arrays, which have no one address, by their address of -1; where
 * the reserved memory was added to that, nvlink does not know it again.
 */
static bool
is_stray(const struct shared_layout *l, const struct variable *variable)
{
    return variable->is_extern && l->slots_end && reserved(l->elfw) &&
           !elfw_flag(l->elfw, MERGE_DEBUG);
}

/* With -g and --preserve-relocs shared variables are symbols of the output. */
static void
place_debug_symbol(struct shared_layout *l, const struct variable *variable)
{
    struct elfw *elfw = l->elfw;
    struct symbol_record *symbol = elfw_get_symbol(elfw, variable->symbol);

    symbol->st_value = is_stray(l, variable) ? UINT64_MAX : variable->address;
    if (variable->is_extern || variable->is_coloured) {
        elfw_set_symbol_section(elfw, variable->symbol,
                                elfw_find_section(elfw, ".nv_debug.shared"));
        symbol->st_value += l->slots_end ? reserved(elfw) : 0;
    } else {
        uint32_t kernel = l->kernels[variable->kernel].ordinal;
        elfw_set_symbol_section(elfw, variable->symbol, elfw_function(elfw, kernel)->shared);
        symbol->st_value += reserved(elfw);
    }
}

/* Variables of whole programs have their places, but count from behind the reserved memory too. */
static void
move_fixed_symbols(struct elfw *elfw)
{
    for (uint32_t p = 1; p < elfw->placed.count; p++)
        if (elfw->placed.at[p].is_fixed)
            elfw_get_symbol(elfw, elfw->placed.at[p].symbol)->st_value += reserved(elfw);
}

void
shared_store_addresses(struct shared_layout *l)
{
    bool debug = elfw_flag(l->elfw, MERGE_DEBUG | MERGE_PRESERVE_RELOCS);

    if (debug)
        move_fixed_symbols(l->elfw);

    for (uint32_t v = 0; v < l->variable_count; v++) {
        struct variable *variable = &l->variables[v];
        struct symbol_record *symbol = elfw_get_symbol(l->elfw, variable->symbol);
        struct placed *placed = &l->elfw->placed.at[symbol->data_ordinal];

        if (variable->is_extern || variable->is_coloured || variable->kernel_count)
            placed->address = variable->address;
        placed->is_open_array = variable->is_extern;
        placed->is_used = variable->has_user || variable->owner || variable->is_extern;
        placed->is_stray = is_stray(l, variable);
        if (debug && (variable->is_extern || variable->is_coloured || variable->kernel_count == 1))
            place_debug_symbol(l, variable);
    }
}

/* ---- Limits ---- */

/* What the hardware reserves is not counted, even where --disable-smem-reservation leaves it out. */
static void
check_limit(struct shared_layout *l, uint32_t k)
{
    uint64_t limit = l->elfw->arch->shared_limit;
    bool counts_reserved = l->elfw->view->layout_reserves_shared;
    uint64_t uncounted =
        counts_reserved ? l->elfw->arch->generation->reserved_shared - reserved(l->elfw) : 0;
    uint64_t end = kernel_party(l, k)->end;

    if (end > limit && end - uncounted > limit)
        diag_error(l->elfw->diag,
                   "Entry function '%s' uses too much shared data (0x%llx bytes, 0x%llx max)",
                   elfw_function_name(l->elfw, l->kernels[k].ordinal),
                   (unsigned long long)(end - uncounted), (unsigned long long)limit);
}

static bool
any_is_too_large(const struct shared_layout *l)
{
    bool any = false;

    for (uint32_t k = 0; k < l->kernel_count; k++)
        any |= kernel_party(l, k)->end > l->elfw->arch->shared_limit;
    return any;
}

/* In the order in which the kernels were defined. */
void
shared_check_limits(struct shared_layout *l)
{
    if (!any_is_too_large(l))
        return;
    for (uint32_t i = 1; i < l->elfw->sections.count; i++) {
        uint32_t function = elfw_text_owner(l->elfw, i);
        if (function && l->kernel_of[function])
            check_limit(l, l->kernel_of[function] - 1);
    }
}
