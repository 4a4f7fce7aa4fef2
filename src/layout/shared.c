#include "layout/list_sort.h"
#include "layout/shared_layout.h"

/*
 * Shared memory is laid out per kernel. Variables that several kernels need get one address for all
 * of them: they are coloured, in order of size, into slots none of whose members share a kernel.
 * Behind the slots a kernel has the variables that it alone needs, and behind those the arrays whose
 * size the launch decides.
 */

static int
larger_first(const void *context, uint32_t a, uint32_t b)
{
    const struct shared_layout *l = context;
    uint64_t x = l->variables[a].size, y = l->variables[b].size;

    return x > y ? -1 : x < y;
}

static int
stricter_then_smaller_first(const void *context, uint32_t a, uint32_t b)
{
    const struct shared_layout *l = context;
    const struct variable *x = &l->variables[a], *y = &l->variables[b];

    if (x->align != y->align)
        return x->align > y->align ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size;
}

static uint64_t
slot_word(const struct slot_set *set, uint32_t word)
{
    return word < set->word_count ? set->words[word] : 0;
}

/* Slots that a party must not share: its own, those of its team, those of its members. */
static uint64_t
used_slots(const struct shared_layout *l, uint32_t party, uint32_t word)
{
    const struct party *p = &l->parties[party];
    uint64_t used = slot_word(&p->slots, word) | slot_word(&p->member_slots, word);

    if (party >= l->teams.count) {
        uint32_t team = l->kernels[party - l->teams.count].team;
        if (team != NO_TEAM)
            used |= slot_word(&l->parties[team].slots, word);
    }
    return used;
}

/* The first slot that none of the variable's kernels has in use. */
static uint32_t
first_free_slot(const struct shared_layout *l, const struct variable *variable)
{
    for (uint32_t word = 0;; word++) {
        uint64_t used = 0;

        for (uint32_t i = 0; i < variable->need_count; i++)
            used |= used_slots(l, l->needs.at[variable->first_need + i], word);
        if (~used)
            return word * 64 + (uint32_t)__builtin_ctzll(~used);
    }
}

static void
set_slot(struct arena *arena, struct slot_set *set, uint32_t slot)
{
    if (slot / 64 >= set->word_count) {
        uint32_t count = (slot / 64 + 1) * 2;
        uint64_t *words = arena_array(arena, count, sizeof *words);
        if (set->word_count)
            memcpy(words, set->words, set->word_count * sizeof *words);
        set->words = words;
        set->word_count = count;
    }
    set->words[slot / 64] |= (uint64_t)1 << slot % 64;
}

static void
occupy_slot(struct shared_layout *l, uint32_t party, uint32_t slot)
{
    set_slot(&l->elfw->scratch, &l->parties[party].slots, slot);
    if (party < l->teams.count)
        return;
    uint32_t team = l->kernels[party - l->teams.count].team;
    if (team != NO_TEAM)
        set_slot(&l->elfw->scratch, &l->parties[team].member_slots, slot);
}

static void
grow(struct party *party, const struct variable *variable)
{
    party->end = max_u64(party->end, variable->address + variable->size);
    party->align = max_u64(party->align, variable->align);
    party->has_any = true;
}

/* From here on every kernel counts for itself. */
static void
pass_on_to_members(struct shared_layout *l)
{
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        struct party *kernel = kernel_party(l, k);

        if (l->kernels[k].team == NO_TEAM)
            continue;
        const struct party *team = &l->parties[l->kernels[k].team];
        kernel->end = max_u64(kernel->end, team->end);
        kernel->align = max_u64(kernel->align, team->align);
        kernel->has_any |= team->has_any;
    }
}

static bool
is_coloured(const struct variable *variable)
{
    return !variable->is_extern &&
           (variable->kernel_count > 1 || (!variable->kernel_count && variable->has_user));
}

/* Colours the variables of `order`, then lays the slots out one after the other. */
static void
place_in_slots(struct shared_layout *l, const uint32_t *order, uint32_t count)
{
    struct arena *arena = &l->elfw->scratch;
    uint32_t *slot_of = arena_array(arena, count + 1, sizeof *slot_of);
    uint64_t *aligns = arena_array(arena, count + 1, sizeof *aligns);
    uint64_t *starts = arena_array(arena, count + 1, sizeof *starts);
    uint64_t *sizes = arena_array(arena, count + 1, sizeof *sizes);
    uint32_t slot_count = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct variable *variable = &l->variables[order[i]];

        if (!is_coloured(variable))
            continue;
        uint32_t slot = first_free_slot(l, variable);
        for (uint32_t n = 0; n < variable->need_count; n++)
            occupy_slot(l, l->needs.at[variable->first_need + n], slot);
        slot_of[i] = slot;
        aligns[slot] = max_u64(aligns[slot], variable->align);
        sizes[slot] = max_u64(sizes[slot], variable->size);
        if (slot >= slot_count)
            slot_count = slot + 1;
        variable->is_coloured = l->any_coloured = true;
    }
    for (uint32_t slot = 0; slot < slot_count; slot++) {
        starts[slot] = align_up(max_u64(l->slots_end, l->lowest), aligns[slot]);
        l->slots_end = starts[slot] + sizes[slot];
    }
    for (uint32_t i = 0; i < count; i++) {
        struct variable *variable = &l->variables[order[i]];

        if (!variable->is_coloured)
            continue;
        variable->address = starts[slot_of[i]];
        for (uint32_t n = 0; n < variable->need_count; n++)
            grow(&l->parties[l->needs.at[variable->first_need + n]], variable);
    }
    pass_on_to_members(l);
}

/* Variables that one kernel alone needs: its own first, then those of functions, as they come. */
static void
place_private(struct shared_layout *l, const uint32_t *order, uint32_t count)
{
    struct arena *arena = &l->elfw->scratch;
    uint32_t *list = arena_array(arena, l->variable_count + 1, sizeof *list);
    uint32_t *grouped = arena_array(arena, l->variable_count + 1, sizeof *grouped);
    uint32_t listed = 0, first = 0;

    for (uint32_t v = 0; v < l->variable_count; v++)
        if (l->variables[v].owner && l->variables[v].kernel_count)
            list[listed++] = v;
    for (uint32_t i = 0; i < count; i++)
        if (!l->variables[order[i]].is_extern && l->variables[order[i]].kernel_count == 1)
            list[listed++] = order[i];

    for (uint32_t i = 0; i < listed; i++)
        l->kernels[l->variables[list[i]].kernel].own_count++;
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        l->kernels[k].first_own = first;
        first += l->kernels[k].own_count;
        l->kernels[k].own_count = 0;
    }
    for (uint32_t i = 0; i < listed; i++) {
        struct kernel *kernel = &l->kernels[l->variables[list[i]].kernel];
        grouped[kernel->first_own + kernel->own_count++] = list[i];
    }
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        struct kernel *kernel = &l->kernels[k];
        uint32_t *own = grouped + kernel->first_own;

        list_sort(arena, own, kernel->own_count, stricter_then_smaller_first, l, false);
        for (uint32_t i = 0; i < kernel->own_count; i++) {
            struct variable *variable = &l->variables[own[i]];
            uint64_t end = max_u64(kernel_party(l, k)->end, l->lowest);
            variable->address = align_up(end, variable->align);
            grow(kernel_party(l, k), variable);
        }
    }
}

/* Kernels whose open arrays must begin at one address form a group. */
static uint32_t
group_of(struct shared_layout *l, uint32_t kernel)
{
    while (l->kernels[kernel].group != kernel) {
        l->kernels[kernel].group = l->kernels[l->kernels[kernel].group].group;
        kernel = l->kernels[kernel].group;
    }
    return kernel;
}

static void
join_groups(struct shared_layout *l, uint32_t a, uint32_t b)
{
    a = group_of(l, a);
    b = group_of(l, b);
    if (a < b)
        l->kernels[b].group = a;
    else
        l->kernels[a].group = b;
}

/* A kernel with open arrays joins the one that was first met with the same function or array. */
static void
enter_open_kernel(struct shared_layout *l, uint32_t kernel, uint32_t *first)
{
    struct party *party = kernel_party(l, kernel);

    party->end = align_up(max_u64(party->end, l->lowest), OPEN_ARRAY_ALIGN);
    party->align = max_u64(party->align, OPEN_ARRAY_ALIGN);
    party->has_any = true;
    if (*first == NO_KERNEL)
        *first = kernel;
    join_groups(l, *first, kernel);
}

static void
enter_open_party(struct shared_layout *l, uint32_t party, uint32_t *first)
{
    if (party >= l->teams.count) {
        enter_open_kernel(l, party - l->teams.count, first);
        return;
    }
    const struct team *team = &l->teams.at[party];
    for (uint32_t i = 0; i < team->member_count; i++)
        enter_open_kernel(l, l->members[team->first_member + i], first);
}

/* All kernels of a group end where the highest of them ends. */
static void
raise_to_group(struct shared_layout *l)
{
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        struct party *root = kernel_party(l, group_of(l, k));
        root->end = max_u64(root->end, kernel_party(l, k)->end);
    }
    for (uint32_t k = 0; k < l->kernel_count; k++)
        kernel_party(l, k)->end = kernel_party(l, group_of(l, k))->end;
}

/* Which functions use open arrays: those of users by their place, those of kernels by theirs. */
static void
mark_open_users(struct shared_layout *l, bool *user_is_open, bool *kernel_is_open)
{
    struct elfw *elfw = l->elfw;

    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];
        struct variable *variable = shared_used_variable(l, use);

        if (!variable || !variable->is_extern)
            continue;
        if (l->user_of[use->function])
            user_is_open[l->user_of[use->function] - 1] = true;
        if (l->kernel_of[use->function])
            kernel_is_open[l->kernel_of[use->function] - 1] = true;
    }
}

/* Ties together the kernels that reach a common user; notes one of them for every user. */
static void
tie_kernels(struct shared_layout *l, uint32_t *kernel_of_user)
{
    struct arena *arena = &l->elfw->scratch;
    bool *user_is_open = arena_array(arena, (size_t)l->user_count + 1, sizeof(bool));
    bool *kernel_is_open = arena_array(arena, (size_t)l->kernel_count + 1, sizeof(bool));

    mark_open_users(l, user_is_open, kernel_is_open);
    for (uint32_t t = 0; t < l->teams.count; t++) {
        const struct team *team = &l->teams.at[t];
        bool is_entered = false;

        for (uint32_t i = 0; i < team->user_count; i++) {
            uint32_t user = l->team_users.at[team->first_user + i];
            uint32_t first = l->members[team->first_member];

            if (kernel_of_user[user] == NO_KERNEL)
                kernel_of_user[user] = first;
            if (!user_is_open[user])
                continue;
            if (!is_entered)
                enter_open_party(l, t, &first);
            is_entered = true;
            join_groups(l, kernel_of_user[user], first);
        }
    }
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        uint32_t first = k;
        if (kernel_is_open[k])
            enter_open_kernel(l, k, &first);
    }
}

/*
 * An open array begins at one address in each function that uses one: a function that several
 * kernels reach ties their ends together. With -g the address is one per array.
 */
static void
place_open_arrays(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;

    if (!l->any_extern)
        return;
    uint32_t *kernel_of_user =
        arena_array(&elfw->scratch, (size_t)l->user_count + 1, sizeof *kernel_of_user);
    elfw->open_shared_start =
        arena_array(elfw->arena, elfw->functions.count, sizeof *elfw->open_shared_start);
    memset(kernel_of_user, 0xff, ((size_t)l->user_count + 1) * sizeof *kernel_of_user);
    tie_kernels(l, kernel_of_user);
    if (elfw_flag(elfw, MERGE_DEBUG))
        for (uint32_t v = 0; v < l->variable_count; v++)
            for (uint32_t n = 0, first = NO_KERNEL;
                 l->variables[v].is_extern && n < l->variables[v].need_count; n++)
                enter_open_party(l, l->needs.at[l->variables[v].first_need + n], &first);
    raise_to_group(l);
    for (uint32_t u = 0; u < l->user_count; u++)
        elfw->open_shared_start[l->users[u]] =
            kernel_of_user[u] == NO_KERNEL ? UINT64_MAX : kernel_party(l, kernel_of_user[u])->end;
    for (uint32_t k = 0; k < l->kernel_count; k++)
        elfw->open_shared_start[l->kernels[k].ordinal] = kernel_party(l, k)->end;
    for (uint32_t v = 0; v < l->variable_count; v++)
        if (l->variables[v].is_extern)
            l->variables[v].address = l->variables[v].kernel_count
                                          ? kernel_party(l, l->variables[v].kernel)->end
                                          : align_up(l->lowest, OPEN_ARRAY_ALIGN);
}

static uint64_t
reserved(const struct elfw *elfw)
{
    return elfw->view->layout_reserves_shared ? elfw_reserved_shared(elfw) : 0;
}

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

static void
finish_kernel_sections(struct shared_layout *l)
{
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        const struct party *kernel = kernel_party(l, k);
        struct section *section = elfw_section(l->elfw, kernel_section(l, k));

        section->align = max_u64(max_u64(kernel->align, l->common_align), 1);
        bool is_mark = is_mark_of_open_arrays(l, section);
        bool is_counted = kernel->has_any || (l->any_extern && section->align >= OPEN_ARRAY_ALIGN);
        is_counted &= section->state != SECTION_DEAD;
        section->size = is_counted ? kernel->end + reserved_for(l->elfw, l->kernels[k].ordinal) : 0;
        bool is_fixed = elfw_function(l->elfw, l->kernels[k].ordinal)->has_fixed_shared;
        if (!section->size && !is_mark && !is_fixed && section->state == SECTION_LIVE)
            section->state = SECTION_NAME_ONLY;
    }
}

static void
finish_common_section(struct shared_layout *l)
{
    uint32_t index = elfw_find_section(l->elfw, ".nv_debug.shared");
    struct section *section = elfw_section(l->elfw, index);
    bool debug = elfw_flag(l->elfw, MERGE_DEBUG | MERGE_PRESERVE_RELOCS);

    if (!index)
        return;
    section->size = debug ? l->slots_end : 0;
    section->align = max_u64(max_u64(l->any_extern ? OPEN_ARRAY_ALIGN : 0, l->common_align), 1);
    if (!section->size && !is_mark_of_open_arrays(l, section))
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

static void
store_addresses(struct shared_layout *l)
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

static bool
any_is_too_large(const struct shared_layout *l)
{
    bool any = false;

    for (uint32_t k = 0; k < l->kernel_count; k++)
        any |= kernel_party(l, k)->end > l->elfw->arch->shared_limit;
    return any;
}

/* In the order in which the kernels were defined. */
static void
check_limits_of_kernels(struct shared_layout *l)
{
    if (!any_is_too_large(l))
        return;
    for (uint32_t i = 1; i < l->elfw->sections.count; i++) {
        uint32_t function = elfw_text_owner(l->elfw, i);
        if (function && l->kernel_of[function])
            check_limit(l, l->kernel_of[function] - 1);
    }
}

/* Kernels of whole programs begin with what they bring; nothing but open arrays can be added. */
static bool
begin_with_fixed(struct shared_layout *l)
{
    bool any = false;

    for (uint32_t k = 0; k < l->kernel_count; k++) {
        const struct function *kernel = elfw_function(l->elfw, l->kernels[k].ordinal);
        struct party *party = kernel_party(l, k);

        any |= kernel->is_prelinked;
        if (!kernel->is_prelinked || !kernel->shared)
            continue;
        const struct section *section = elfw_section(l->elfw, kernel->shared);
        party->end = section->size;
        party->align = kernel->has_fixed_shared ? section->align : 0;
        party->has_any = section->size > 0;
    }
    return any;
}

static void
report_prelinked(struct shared_layout *l, const struct variable *variable, uint32_t kernel)
{
    if (elfw_function(l->elfw, l->kernels[kernel].ordinal)->is_prelinked)
        diag_error(l->elfw->diag,
                   "Cannot link shared object '%s' with partially linked kernel '%s'",
                   elfw_get_symbol(l->elfw, variable->symbol)->name_str,
                   elfw_function_name(l->elfw, l->kernels[kernel].ordinal));
}

/* The kernels that need the variable, the last first. */
static void
report_uses(struct shared_layout *l, const struct variable *variable)
{
    for (uint32_t n = variable->need_count; n-- > 0;) {
        uint32_t party = l->needs.at[variable->first_need + n];
        const struct team *team = party < l->teams.count ? &l->teams.at[party] : NULL;

        if (!team)
            report_prelinked(l, variable, party - l->teams.count);
        for (uint32_t m = team ? team->member_count : 0; m-- > 0;)
            report_prelinked(l, variable, l->members[team->first_member + m]);
    }
}

/* A message for each place in the code that uses the variable. */
static void
check_prelinked(struct shared_layout *l, const uint32_t *order, uint32_t count)
{
    struct elfw *elfw = l->elfw;
    uint32_t *uses = arena_array(&elfw->scratch, (size_t)l->variable_count + 1, sizeof *uses);

    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];
        const struct variable *variable = shared_used_variable(l, use);
        if (variable && !elfw_function(elfw, use->function)->is_dead)
            uses[variable - l->variables]++;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t n = l->variables[order[i]].is_extern ? 0 : uses[order[i]]; n > 0; n--)
            report_uses(l, &l->variables[order[i]]);
}

void
layout_shared(struct elfw *elfw, const struct call_graph *graph)
{
    struct shared_layout l = {
        .elfw = elfw, .graph = graph, .lowest = elfw_flag(elfw, MERGE_RESERVE_NULL) ? 1 : 0};
    struct arena_mark before = arena_mark(&elfw->scratch);

    shared_collect_variables(&l);
    shared_collect_needs(&l);

    uint32_t *order = arena_array(&elfw->scratch, l.variable_count + 1, sizeof *order);
    uint32_t count = 0;
    for (uint32_t v = 0; v < l.variable_count; v++)
        if (!l.variables[v].owner)
            order[count++] = v;
    list_sort(&elfw->scratch, order, count, larger_first, &l, true);

    if (begin_with_fixed(&l))
        check_prelinked(&l, order, count);
    place_in_slots(&l, order, count);
    for (uint32_t i = 0; l.any_coloured && i < count; i++)
        if (!l.variables[order[i]].is_extern)
            l.common_align = max_u64(l.common_align, l.variables[order[i]].align);
    place_private(&l, order, count);
    shared_add_late_sections(&l, order, count);
    place_open_arrays(&l);
    check_limits_of_kernels(&l);
    finish_kernel_sections(&l);
    finish_common_section(&l);
    store_addresses(&l);
    arena_release(&elfw->scratch, before);
}
