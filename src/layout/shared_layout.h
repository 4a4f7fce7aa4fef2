/*
 * shared_layout.h: what the parts of the layout of shared memory share.
 *
 * A kernel needs its own variables and those of every function it reaches. Kernels that reach the
 * same functions with shared memory form a team; what a function needs is noted once for the team.
 */
#ifndef CULD_LAYOUT_SHARED_LAYOUT_H
#define CULD_LAYOUT_SHARED_LAYOUT_H

#include "layout/layout.h"
#include "layout/reach_sets.h"

enum { OPEN_ARRAY_ALIGN = 16 };
#define NO_TEAM UINT32_MAX
#define NO_KERNEL UINT32_MAX

struct variable {
    int32_t symbol;
    uint64_t size;
    uint64_t align;
    uint64_t address;
    bool is_extern; /* array of open size */
    bool is_given;  /* of a whole program: `align` is its address */
    uint32_t owner; /* the kernel that declares it, 0: none */
    bool has_user;  /* some text refers to it, living or dead */
    bool is_coloured;
    uint32_t first_need, need_count; /* the parties that need it, in `needs` */
    uint32_t kernel_count;           /* how many kernels those are; 2 stands for more */
    uint32_t kernel;                 /* one of them */
};

/* Slots in use, a bit each. */
struct slot_set {
    uint64_t *words;
    uint32_t word_count;
};

/* A team or a single kernel: who needs variables. */
struct party {
    uint64_t end;
    uint64_t align;
    bool has_any;
    struct slot_set slots;
    struct slot_set member_slots; /* of a team: those its members use on their own account */
};

struct kernel {
    uint32_t ordinal;
    uint32_t team;
    uint32_t first_own, own_count; /* variables that it alone needs */
    uint32_t group;                /* kernels whose open arrays begin at one address */
    bool is_open_alone;            /* its section is there for open arrays alone */
};

struct team {
    uint32_t first_member, member_count; /* kernels, in `members` */
    uint32_t first_user, user_count;     /* functions with shared memory, in `team_users` */
};

struct shared_layout {
    struct elfw *elfw;
    const struct call_graph *graph;
    struct variable *variables;
    uint32_t variable_count;
    uint32_t *variable_of;  /* placed -> variable + 1 */
    struct kernel *kernels; /* all entries that stay, whatever --kernels-used says */
    uint32_t kernel_count;
    uint32_t
        *kernel_of;  /* function -> kernel + 1, whose text counts for itself: not system calls */
    uint32_t *users; /* device functions that use shared memory */
    uint32_t user_count;
    uint32_t *user_of; /* function -> user + 1 */
    ARRAY(struct team) teams;
    uint32_t *members;
    ARRAY(uint32_t) team_users;
    struct party *parties; /* the teams, then the kernels */
    ARRAY(uint32_t) needs;
    bool any_extern;
    bool any_coloured;
    uint64_t lowest; /* address: 1 with --reserve-null-pointer */
    uint64_t slots_end;
    uint64_t common_align; /* that of all variables outside kernels, once one is coloured */
};

/* The variables in the order of their definition; for relocatable output nothing else is needed. */
void shared_collect_variables(struct shared_layout *l);

/* Kernels, teams, and who needs what. */
void shared_collect_needs(struct shared_layout *l);

/* The variable that the text of a function uses; NULL if the use does not count. */
struct variable *shared_used_variable(const struct shared_layout *l, const struct data_use *use);

/* Kernels of whole programs begin with what they bring; returns whether there are any. Nothing but
   open arrays can be added to them: other variables that they would need are errors. */
bool shared_begin_with_fixed(struct shared_layout *l);
void shared_check_prelinked(struct shared_layout *l, const uint32_t *order, uint32_t count);

/* Addresses, in this order: variables of several kernels, of one, arrays whose size the launch
   decides. `order` is that of the variables outside kernels, the largest first. */
void shared_place_in_slots(struct shared_layout *l, const uint32_t *order, uint32_t count);
void shared_place_private(struct shared_layout *l, const uint32_t *order, uint32_t count);
void shared_place_open_arrays(struct shared_layout *l);

/* What follows from the addresses. */
void shared_check_limits(struct shared_layout *l);
void shared_finish_kernel_sections(struct shared_layout *l);
void shared_finish_common_section(struct shared_layout *l);
void shared_store_addresses(struct shared_layout *l);

/* `.nv.shared.F` of a function that has none yet. */
uint32_t shared_add_section(struct elfw *elfw, uint32_t ordinal);

/* Sections of kernels that need one after all, in the order in which nvlink makes them; `order` is
   that of the variables. */
void shared_add_late_sections(struct shared_layout *l, const uint32_t *order, uint32_t count);

static inline struct party *
kernel_party(const struct shared_layout *l, uint32_t kernel)
{
    return &l->parties[l->teams.count + kernel];
}

#endif
