#include "base/bytes.h"
#include "layout/layout.h"
#include "layout/list_sort.h"

#include <stdlib.h>

/*
 * Shared memory is laid out per kernel. A kernel needs its own variables and those of every
 * function it reaches. Variables that several kernels need get one address for all of them: they
 * are coloured, in order of size, into slots none of whose members share a kernel. Behind the
 * slots a kernel has the variables that it alone needs, and behind those the arrays whose size
 * the launch decides.
 */

struct variable {
    int32_t symbol;
    uint64_t size;
    uint64_t align;
    uint64_t address;
    bool is_extern; /* array of open size */
    uint32_t owner; /* the kernel that declares it, 0: none */
    bool has_user;  /* some text refers to it, living or dead */
    bool is_coloured;
    uint32_t first_kernel; /* the kernels that need it, in `needs` */
    uint32_t kernel_count;
};

struct kernel {
    uint32_t ordinal;
    uint64_t end;
    uint64_t align;
    bool has_any;
    uint64_t *slots; /* occupied slots, a bit each */
    uint32_t slot_words;
    uint32_t first_own, own_count; /* variables that it alone needs */
    uint32_t group;                /* kernels that share a user of an open array */
};

struct shared_layout {
    struct elfw *elfw;
    const struct call_graph *graph;
    struct variable *variables;
    uint32_t variable_count;
    uint32_t *variable_of;  /* placed -> variable + 1 */
    struct kernel *kernels; /* all entries that stay, whatever --kernels-used says */
    uint32_t kernel_count;
    uint32_t *kernel_of; /* function -> kernel + 1 */
    uint32_t *users;     /* functions that use shared memory */
    uint32_t user_count;
    uint32_t *user_of; /* function -> user + 1 */
    struct kernel_lists reaching;
    ARRAY(uint32_t) needs;
    bool any_extern;
    bool any_coloured;
    uint64_t slots_end;
    uint64_t common_align; /* that of all variables outside kernels, once one is coloured */
};

static void
collect_variables(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    uint32_t mentions = elfw->shared_mentions.count;

    l->variables = arena_array(elfw->arena, mentions, sizeof *l->variables);
    l->variable_of = arena_array(elfw->arena, elfw->placed.count, sizeof *l->variable_of);
    for (uint32_t i = 0; i < mentions; i++) {
        struct shared_mention mention = elfw->shared_mentions.at[i];
        const struct symbol_record *symbol = elfw_get_symbol(elfw, mention.symbol);
        bool is_defined = symbol->st_shndx != SHN_UNDEF;

        if (mention.is_definition != is_defined)
            continue; /* an open array that turned out to have a definition */
        uint32_t section = elfw_symbol_section(elfw, symbol);
        uint32_t owner = is_defined ? elfw_section(elfw, section)->owner : 0;
        if (owner && elfw_function(elfw, owner)->is_dead)
            continue;
        l->variables[l->variable_count++] = (struct variable){
            .symbol = mention.symbol,
            .size = symbol->st_size,
            .align = symbol->st_value,
            .is_extern = !is_defined,
            .owner = owner,
        };
        l->variable_of[symbol->data_ordinal] = l->variable_count;
        l->any_extern |= !is_defined;
    }
}

static void
collect_kernels(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;

    l->kernels = arena_array(elfw->arena, elfw->functions.count, sizeof *l->kernels);
    l->kernel_of = arena_array(elfw->arena, elfw->functions.count, sizeof *l->kernel_of);
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        if (elfw_function(elfw, f)->is_dead || !elfw_function_is_defined_entry(elfw, f))
            continue;
        l->kernels[l->kernel_count] = (struct kernel){.ordinal = f, .group = l->kernel_count};
        l->kernel_of[f] = ++l->kernel_count;
    }
}

static struct variable *
used_variable(const struct shared_layout *l, const struct data_use *use)
{
    const struct symbol_record *symbol = elfw_get_symbol(l->elfw, use->symbol);

    if (is_image_type(symbol_type(symbol)) || !use_counts(l->elfw, use))
        return NULL;
    uint32_t variable = l->variable_of[symbol->data_ordinal];
    return variable ? &l->variables[variable - 1] : NULL;
}

static void
collect_users(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;

    l->users = arena_array(elfw->arena, elfw->functions.count, sizeof *l->users);
    l->user_of = arena_array(elfw->arena, elfw->functions.count, sizeof *l->user_of);
    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];
        struct variable *variable = used_variable(l, use);

        if (!variable)
            continue;
        variable->has_user = true;
        if (elfw_function(elfw, use->function)->is_dead || l->user_of[use->function])
            continue;
        l->users[l->user_count] = use->function;
        l->user_of[use->function] = ++l->user_count;
    }
    l->reaching = call_graph_kernels_reaching(elfw, l->graph, l->users, l->user_count);
}

struct need {
    uint32_t variable;
    uint32_t kernel;
};

static int
compare_needs(const void *a, const void *b)
{
    const struct need *x = a, *y = b;

    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

/* For every variable the kernels that need it, each once. */
static void
collect_needs(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    ARRAY(struct need) needs = {0};

    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];
        struct variable *variable = used_variable(l, use);
        uint32_t user = variable ? l->user_of[use->function] : 0;

        if (!user)
            continue;
        for (uint32_t r = l->reaching.start[user - 1]; r < l->reaching.start[user]; r++)
            array_push(&needs, elfw->arena,
                       ((struct need){(uint32_t)(variable - l->variables),
                                      l->kernel_of[l->reaching.kernels[r]] - 1}));
    }
    /* A kernel needs its own variables whether it uses them or not. */
    for (uint32_t v = 0; v < l->variable_count; v++)
        if (l->variables[v].owner && l->kernel_of[l->variables[v].owner])
            array_push(&needs, elfw->arena,
                       ((struct need){v, l->kernel_of[l->variables[v].owner] - 1}));
    if (needs.count)
        qsort(needs.at, needs.count, sizeof *needs.at, compare_needs);
    for (uint32_t i = 0; i < needs.count; i++) {
        struct variable *variable = &l->variables[needs.at[i].variable];

        if (i && !compare_needs(&needs.at[i], &needs.at[i - 1]))
            continue;
        if (!variable->kernel_count++)
            variable->first_kernel = l->needs.count;
        array_push(&l->needs, elfw->arena, needs.at[i].kernel);
    }
}

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

/* The first slot that none of the variable's kernels has in use. */
static uint32_t
first_free_slot(const struct shared_layout *l, const struct variable *variable)
{
    for (uint32_t word = 0;; word++) {
        uint64_t used = 0;

        for (uint32_t i = 0; i < variable->kernel_count; i++) {
            const struct kernel *kernel = &l->kernels[l->needs.at[variable->first_kernel + i]];
            if (word < kernel->slot_words)
                used |= kernel->slots[word];
        }
        if (~used)
            return word * 64 + (uint32_t)__builtin_ctzll(~used);
    }
}

static void
occupy_slot(struct shared_layout *l, struct kernel *kernel, uint32_t slot)
{
    if (slot / 64 >= kernel->slot_words) {
        uint32_t words = (slot / 64 + 1) * 2;
        uint64_t *slots = arena_array(l->elfw->arena, words, sizeof *slots);
        if (kernel->slot_words)
            memcpy(slots, kernel->slots, kernel->slot_words * sizeof *slots);
        kernel->slots = slots;
        kernel->slot_words = words;
    }
    kernel->slots[slot / 64] |= (uint64_t)1 << slot % 64;
}

static void
grow_kernel(struct kernel *kernel, const struct variable *variable)
{
    kernel->end = max_u64(kernel->end, variable->address + variable->size);
    kernel->align = max_u64(kernel->align, variable->align);
    kernel->has_any = true;
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
    struct arena *arena = l->elfw->arena;
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
        for (uint32_t n = 0; n < variable->kernel_count; n++)
            occupy_slot(l, &l->kernels[l->needs.at[variable->first_kernel + n]], slot);
        slot_of[i] = slot;
        aligns[slot] = max_u64(aligns[slot], variable->align);
        sizes[slot] = max_u64(sizes[slot], variable->size);
        if (slot >= slot_count)
            slot_count = slot + 1;
        variable->is_coloured = l->any_coloured = true;
    }
    for (uint32_t slot = 0; slot < slot_count; slot++) {
        starts[slot] = align_up(l->slots_end, aligns[slot]);
        l->slots_end = starts[slot] + sizes[slot];
    }
    for (uint32_t i = 0; i < count; i++) {
        struct variable *variable = &l->variables[order[i]];

        if (!variable->is_coloured)
            continue;
        variable->address = starts[slot_of[i]];
        for (uint32_t n = 0; n < variable->kernel_count; n++)
            grow_kernel(&l->kernels[l->needs.at[variable->first_kernel + n]], variable);
    }
}

/* Variables that one kernel alone needs: its own first, then those of functions, as they come. */
static void
place_private(struct shared_layout *l, const uint32_t *order, uint32_t count)
{
    struct arena *arena = l->elfw->arena;
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
        l->kernels[l->needs.at[l->variables[list[i]].first_kernel]].own_count++;
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        l->kernels[k].first_own = first;
        first += l->kernels[k].own_count;
        l->kernels[k].own_count = 0;
    }
    for (uint32_t i = 0; i < listed; i++) {
        struct kernel *kernel = &l->kernels[l->needs.at[l->variables[list[i]].first_kernel]];
        grouped[kernel->first_own + kernel->own_count++] = list[i];
    }
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        struct kernel *kernel = &l->kernels[k];
        uint32_t *own = grouped + kernel->first_own;

        list_sort(arena, own, kernel->own_count, stricter_then_smaller_first, l, false);
        for (uint32_t i = 0; i < kernel->own_count; i++) {
            struct variable *variable = &l->variables[own[i]];
            variable->address = align_up(kernel->end, variable->align);
            grow_kernel(kernel, variable);
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

enum { OPEN_ARRAY_ALIGN = 16 };

static void
enter_open_kernel(struct shared_layout *l, uint32_t kernel, uint32_t *first)
{
    struct kernel *k = &l->kernels[kernel];

    k->end = align_up(k->end, OPEN_ARRAY_ALIGN);
    k->align = max_u64(k->align, OPEN_ARRAY_ALIGN);
    k->has_any = true;
    if (*first == UINT32_MAX)
        *first = kernel;
    join_groups(l, *first, kernel);
}

/* All kernels of a group end where the highest of them ends. */
static void
raise_to_group(struct shared_layout *l)
{
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        struct kernel *root = &l->kernels[group_of(l, k)];
        root->end = max_u64(root->end, l->kernels[k].end);
    }
    for (uint32_t k = 0; k < l->kernel_count; k++)
        l->kernels[k].end = l->kernels[group_of(l, k)].end;
}

/*
 * An open array begins at one address in each function that uses one: a function that several
 * kernels reach ties their ends together. With -g the address is one per array.
 */
static void
place_open_arrays(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    bool per_array = elfw_flag(elfw, MERGE_DEBUG);

    elfw->open_shared_start =
        arena_array(elfw->arena, elfw->functions.count, sizeof *elfw->open_shared_start);
    if (!l->any_extern)
        return;
    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        struct variable *variable = used_variable(l, &elfw->data_uses.at[i]);
        uint32_t user = variable ? l->user_of[elfw->data_uses.at[i].function] : 0;
        uint32_t first = UINT32_MAX;

        if (!user || !variable->is_extern)
            continue;
        for (uint32_t r = l->reaching.start[user - 1]; r < l->reaching.start[user]; r++)
            enter_open_kernel(l, l->kernel_of[l->reaching.kernels[r]] - 1, &first);
    }
    if (per_array)
        for (uint32_t v = 0; v < l->variable_count; v++)
            for (uint32_t n = 0, first = UINT32_MAX;
                 l->variables[v].is_extern && n < l->variables[v].kernel_count; n++)
                enter_open_kernel(l, l->needs.at[l->variables[v].first_kernel + n], &first);
    raise_to_group(l);
    for (uint32_t u = 0; u < l->user_count; u++) {
        bool is_reached = l->reaching.start[u] < l->reaching.start[u + 1];
        uint32_t kernel = is_reached ? l->kernel_of[l->reaching.kernels[l->reaching.start[u]]] : 0;
        elfw->open_shared_start[l->users[u]] = kernel ? l->kernels[kernel - 1].end : UINT64_MAX;
    }
    for (uint32_t v = 0; v < l->variable_count; v++)
        if (l->variables[v].is_extern && l->variables[v].kernel_count)
            l->variables[v].address = l->kernels[l->needs.at[l->variables[v].first_kernel]].end;
}

static void
check_limit(struct shared_layout *l, const struct kernel *kernel)
{
    uint64_t limit = l->elfw->arch->shared_limit;

    if (kernel->end > limit)
        diag_error(l->elfw->diag,
                   "Entry function '%s' uses too much shared data (0x%llx bytes, 0x%llx max)",
                   elfw_function_name(l->elfw, kernel->ordinal), (unsigned long long)kernel->end,
                   (unsigned long long)limit);
}

static uint64_t
reserved(const struct elfw *elfw)
{
    return elfw_flag(elfw, MERGE_NO_SMEM_RESERVATION) ? 0 : elfw->arch->generation->reserved_shared;
}

/* A section is written if it has contents, or marks a program with open arrays by its
   alignment of exactly that of such an array. */
static bool
is_mark_of_open_arrays(const struct shared_layout *l, const struct section *section)
{
    return l->any_extern && section->align == OPEN_ARRAY_ALIGN;
}

/* An entry that --kernels-used leaves out has its section only if it needs one. */
static uint32_t
kernel_section(struct shared_layout *l, const struct kernel *kernel)
{
    struct function *function = elfw_function(l->elfw, kernel->ordinal);

    if (!function->shared) {
        bool is_needed = kernel->has_any || l->any_extern;
        uint32_t section = elfw_add_section(
            l->elfw, &(struct new_section){
                         .name = arena_format(l->elfw->arena, ".nv.shared.%s",
                                              elfw_function_name(l->elfw, kernel->ordinal)),
                         .type = SHT_CUDA_SHARED,
                         .flags = SHF_INFO_LINK | SHF_ALLOC | SHF_WRITE,
                         .align = 1,
                         .owner = kernel->ordinal,
                         .target = function->text,
                     });
        elfw_function(l->elfw, kernel->ordinal)->shared = section;
        if (!is_needed)
            elfw_section(l->elfw, section)->state = SECTION_DEAD;
    }
    return elfw_function(l->elfw, kernel->ordinal)->shared;
}

static void
finish_kernel_sections(struct shared_layout *l)
{
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        struct kernel *kernel = &l->kernels[k];
        struct section *section = elfw_section(l->elfw, kernel_section(l, kernel));

        check_limit(l, kernel);
        section->align = max_u64(max_u64(kernel->align, l->common_align), 1);
        bool is_mark = is_mark_of_open_arrays(l, section);
        bool is_counted = kernel->has_any || (l->any_extern && section->align >= OPEN_ARRAY_ALIGN);
        section->size = is_counted ? kernel->end + reserved(l->elfw) : 0;
        if (!section->size && !is_mark && section->state == SECTION_LIVE)
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

/* With -g and --preserve-relocs shared variables are symbols of the output. */
static void
place_debug_symbol(struct shared_layout *l, const struct variable *variable)
{
    struct elfw *elfw = l->elfw;
    struct symbol_record *symbol = elfw_get_symbol(elfw, variable->symbol);

    symbol->st_value = variable->address;
    if (variable->is_extern || variable->is_coloured) {
        elfw_set_symbol_section(elfw, variable->symbol,
                                elfw_find_section(elfw, ".nv_debug.shared"));
        symbol->st_value += l->slots_end ? reserved(elfw) : 0;
    } else {
        uint32_t kernel = l->kernels[l->needs.at[variable->first_kernel]].ordinal;
        elfw_set_symbol_section(elfw, variable->symbol, elfw_function(elfw, kernel)->shared);
        symbol->st_value += reserved(elfw);
    }
}

static void
store_addresses(struct shared_layout *l)
{
    bool debug = elfw_flag(l->elfw, MERGE_DEBUG | MERGE_PRESERVE_RELOCS);

    for (uint32_t v = 0; v < l->variable_count; v++) {
        struct variable *variable = &l->variables[v];
        struct symbol_record *symbol = elfw_get_symbol(l->elfw, variable->symbol);
        struct placed *placed = &l->elfw->placed.at[symbol->data_ordinal];

        if (variable->is_extern || variable->is_coloured || variable->kernel_count)
            placed->address = variable->address;
        placed->is_open_array = variable->is_extern;
        placed->is_used = variable->has_user || variable->owner || variable->is_extern;
        if (debug && (variable->is_extern || variable->is_coloured || variable->kernel_count == 1))
            place_debug_symbol(l, variable);
    }
}

void
layout_shared(struct elfw *elfw, const struct call_graph *graph)
{
    struct shared_layout l = {.elfw = elfw, .graph = graph};

    collect_variables(&l);
    collect_kernels(&l);
    collect_users(&l);
    collect_needs(&l);

    uint32_t *order = arena_array(elfw->arena, l.variable_count + 1, sizeof *order);
    uint32_t count = 0;
    for (uint32_t v = 0; v < l.variable_count; v++)
        if (!l.variables[v].owner)
            order[count++] = v;
    list_sort(elfw->arena, order, count, larger_first, &l, true);

    place_in_slots(&l, order, count);
    for (uint32_t i = 0; l.any_coloured && i < count; i++)
        if (!l.variables[order[i]].is_extern)
            l.common_align = max_u64(l.common_align, l.variables[order[i]].align);
    place_private(&l, order, count);
    place_open_arrays(&l);
    finish_kernel_sections(&l);
    finish_common_section(&l);
    store_addresses(&l);
}

/*
 * Relocatable output has no addresses yet: sections only sum up what they hold. An open array
 * counts by its alignment alone.
 */
struct sum {
    uint64_t size, align;
};

static void
finish_relocatable(struct section *section, struct sum sum, bool any_open)
{
    section->align = max_u64(sum.align, 1);
    if (!sum.size && !(any_open && section->align == OPEN_ARRAY_ALIGN))
        section->state = SECTION_NAME_ONLY;
    section->has_no_symbol = !sum.size;
    section->size = sum.size > sum.align ? sum.size : sum.size + sum.align;
}

void
layout_relocatable_shared(struct elfw *elfw)
{
    struct shared_layout l = {.elfw = elfw};
    uint32_t common = elfw_find_section(elfw, ".nv_debug.shared");
    struct sum *sums = arena_array(elfw->arena, elfw->sections.count, sizeof *sums);

    collect_variables(&l);
    for (uint32_t v = 0; v < l.variable_count; v++) {
        const struct variable *variable = &l.variables[v];
        const struct symbol_record *symbol = elfw_get_symbol(elfw, variable->symbol);
        struct sum *sum = &sums[variable->is_extern ? common : elfw_symbol_section(elfw, symbol)];

        sum->size += variable->size;
        sum->align = max_u64(sum->align, variable->is_extern ? OPEN_ARRAY_ALIGN : variable->align);
    }
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        uint32_t shared = elfw_function(elfw, f)->shared;
        if (!shared)
            continue;
        struct sum sum = sums[shared];
        sum.align = max_u64(sum.align, sums[common].align);
        finish_relocatable(elfw_section(elfw, shared), sum, l.any_extern);
    }
    if (common)
        finish_relocatable(elfw_section(elfw, common), sums[common], l.any_extern);
}
