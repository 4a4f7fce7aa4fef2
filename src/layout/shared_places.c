#include "layout/list_sort.h"
#include "layout/shared_layout.h"

/*
 * Addresses of variables whose size is known. Those that several kernels need are coloured, in order
 * of size, into slots none of whose members share a kernel; those of one kernel follow the slots.
 */

/* ---- Slots ---- */

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
void
shared_place_in_slots(struct shared_layout *l, const uint32_t *order, uint32_t count)
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

/* ---- Variables of one kernel ---- */

static int
stricter_then_smaller_first(const void *context, uint32_t a, uint32_t b)
{
    const struct shared_layout *l = context;
    const struct variable *x = &l->variables[a], *y = &l->variables[b];

    if (x->align != y->align)
        return x->align > y->align ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size;
}

/* Variables that one kernel alone needs: its own first, then those of functions, as they come. */
void
shared_place_private(struct shared_layout *l, const uint32_t *order, uint32_t count)
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
