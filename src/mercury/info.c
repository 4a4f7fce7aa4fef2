#include "cubin/nvinfo.h"
#include "mercury/mercury.h"

/* Attributes that name places in the code: each view has its own. */
static bool
names_places(uint8_t attribute)
{
    static const uint8_t attributes[] = {
        EIATTR_EXIT_INSTR_OFFSETS,
        EIATTR_S2RCTAID_INSTR_OFFSETS,
        EIATTR_LD_CACHEMOD_INSTR_OFFSETS,
        EIATTR_ATOM_SYS_INSTR_OFFSETS,
        EIATTR_COOP_GROUP_INSTR_OFFSETS,
        EIATTR_ATOMF16_EMUL_INSTR_OFFSETS,
        EIATTR_INT_WARP_WIDE_INSTR_OFFSETS,
        EIATTR_INDIRECT_BRANCH_TARGETS,
        EIATTR_MBARRIER_INSTR_OFFSETS,
        EIATTR_COROUTINE_RESUME_ID_OFFSETS,
        EIATTR_INSTR_REG_MAP,
        EIATTR_SYSCALL_OFFSETS,
        EIATTR_SW_WAR_MEMBAR_SYS_INSTR_OFFSETS,
        EIATTR_ANNOTATIONS,
        EIATTR_STACK_CANARY_TRAP_OFFSETS,
        EIATTR_LOCAL_CTA_ASYNC_STORE_OFFSETS,
    };

    for (size_t i = 0; i < sizeof attributes; i++)
        if (attributes[i] == attribute)
            return true;
    return false;
}

/* Records about SASS alone stand behind all others, as they came. */
static bool
is_of_sass_alone(uint8_t attribute)
{
    return attribute == EIATTR_CBANK_PARAM_SIZE || attribute == EIATTR_PARAM_CBANK ||
           attribute == EIATTR_SW_WAR;
}

/* The records of one attribute, the last first: this is the order in which they are written. */
struct stacked {
    struct bytes record;
    uint32_t below;
};

struct maker {
    struct bytes sass;           /* the function's records as they came */
    struct stacked *stacks;      /* those that name places; [0] is unused */
    uint32_t top[UINT8_MAX + 1]; /* per attribute */
    uint8_t *next;
};

static uint8_t *
put(struct maker *maker, struct bytes record)
{
    uint8_t *at = memcpy(maker->next, record.at, record.size);
    maker->next += record.size;
    return at;
}

static void
stack_places(struct maker *maker, struct arena *arena)
{
    struct info_record record;
    uint32_t count = 0;

    maker->stacks =
        arena_array(arena, maker->sass.size / INFO_HEADER_SIZE + 1, sizeof *maker->stacks);
    for (size_t offset = 0; info_next(maker->sass, &offset, &record);) {
        if (!names_places(record.attribute))
            continue;
        maker->stacks[++count] = (struct stacked){record.whole, maker->top[record.attribute]};
        maker->top[record.attribute] = count;
    }
}

static void
put_sass_alone(struct maker *maker, uint32_t parameters_symbol)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(maker->sass, &offset, &record)) {
        if (!is_of_sass_alone(record.attribute))
            continue;
        uint8_t *copy = put(maker, record.whole);
        if (record.attribute == EIATTR_PARAM_CBANK)
            write_u32(copy + INFO_HEADER_SIZE, parameters_symbol);
    }
}

/* Which banks the slots of textures and surfaces are in. */
static void
put_image_banks(struct maker *maker)
{
    static const uint8_t records[][INFO_HEADER_SIZE] = {
        {EIFMT_BVAL, EIATTR_BINDLESS_TEXTURE_BANK},
        {EIFMT_BVAL, EIATTR_BINDLESS_SURFACE_BANK},
    };

    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        put(maker, (struct bytes){records[i], sizeof records[i]});
}

static uint32_t
parameters_symbol(const struct elfw *elfw, const struct function *function)
{
    const struct section *bank = elfw_section(elfw, function->parameters);
    return bank->is_parameter_bank ? bank->tail_symbol : elfw_remap_symbol(elfw, bank->symbol);
}

void
mercury_make_sass_info(struct elfw *elfw, uint32_t ordinal)
{
    const struct function *function = elfw_function(elfw, ordinal);
    struct section *section = elfw_section(elfw, function->info);
    const struct section *twin = elfw_section(elfw, section->twin);
    struct bytes records = {twin->contents, twin->size};
    size_t room = records.size + function->sass_records.size + 2 * INFO_HEADER_SIZE;
    uint8_t *space = arena_alloc(elfw->arena, room);
    struct maker maker = {.sass = function->sass_records, .next = space};
    struct info_record record;
    size_t offset = 0;

    stack_places(&maker, elfw->arena);
    while (info_next(records, &offset, &record)) {
        uint32_t *top = &maker.top[record.attribute];

        if (record.attribute == EIATTR_MERCURY_FINALIZER_OPTIONS)
            continue;
        if (!names_places(record.attribute)) {
            put(&maker, record.whole);
        } else if (*top) {
            put(&maker, maker.stacks[*top].record);
            *top = maker.stacks[*top].below;
        }
    }
    put_sass_alone(&maker, parameters_symbol(elfw, function));
    if (elfw_owned_section(elfw, ordinal, SHT_CUDA_CONSTANT0))
        put_image_banks(&maker);
    section->contents = space;
    section->size = (uint64_t)(maker.next - space);
}
