#include "elfw/elfw.h"

#include "base/crew.h"

#include "elfw/syscalls.h"

#include <stdalign.h>
#include <stddef.h>

enum { NAME_BUCKETS = 512, SYSCALL_BUCKETS = 64, PROTOTYPE_BUCKETS = 16 };

static void
write_header_template(struct elfw *elfw)
{
    Elf64_Ehdr *header = &elfw->header;

    memcpy(header->e_ident, ELFMAG, SELFMAG);
    header->e_ident[EI_CLASS] = ELFCLASS64;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_ident[EI_VERSION] = EV_CURRENT;
    header->e_ident[EI_OSABI] = CUBIN_OSABI;
    header->e_ident[EI_ABIVERSION] = CUBIN_ABI_VERSION;
    header->e_type = elfw_flag(elfw, MERGE_RELOCATABLE) ? ET_REL : ET_EXEC;
    header->e_machine = CUBIN_MACHINE;
    header->e_version = EV_CURRENT;
    header->e_ehsize = sizeof(Elf64_Ehdr);
    header->e_phentsize = sizeof(Elf64_Phdr);
    header->e_shentsize = sizeof(Elf64_Shdr);
}

static void
create_names(struct elfw *elfw)
{
    name_map_init(&elfw->names, elfw->arena, NAME_BUCKETS);
    name_map_init(&elfw->prototypes, elfw->arena, PROTOTYPE_BUCKETS);
    name_map_init(&elfw->syscall_names, elfw->arena, SYSCALL_BUCKETS);
    for (const char *const *name = syscall_names; *name; name++)
        name_map_add(&elfw->syscall_names, *name);
}

/* Slot 0 of every array stands for "none". */
static void
create_sentinels(struct elfw *elfw)
{
    array_push(&elfw->pos_symbols, elfw->arena, ((struct symbol_record){.name_str = ""}));
    array_push(&elfw->neg_symbols, elfw->arena, ((struct symbol_record){.name_str = ""}));
    array_push(&elfw->sections, elfw->arena, ((struct section){0}));
    array_push(&elfw->sass_parts, elfw->arena, ((struct sass_part){0}));
    array_push(&elfw->pieces, elfw->arena, ((struct piece){0}));
    array_push(&elfw->reloc_pieces, elfw->arena, ((struct reloc_piece){0}));
    array_push(&elfw->functions, elfw->arena, ((struct function){0}));
    array_push(&elfw->edges, elfw->arena, ((struct edge){0}));
    array_push(&elfw->placed, elfw->arena, ((struct placed){0}));
    array_push(&elfw->objects, elfw->arena, NULL);
}

static void
create_core_sections(struct elfw *elfw)
{
    const struct {
        uint32_t *section;
        struct new_section as;
    } core[] = {
        {&elfw->shstrtab, {.name = ".shstrtab", .type = SHT_STRTAB, .align = 1}},
        {&elfw->strtab, {.name = ".strtab", .type = SHT_STRTAB, .align = 1}},
        {&elfw->symtab,
         {.name = ".symtab", .type = SHT_SYMTAB, .align = 8, .entsize = sizeof(Elf64_Sym)}},
        {&elfw->symtab_shndx,
         {.name = ".symtab_shndx", .type = SHT_SYMTAB_SHNDX, .align = 4, .entsize = 4}},
        {&elfw->tkinfo,
         {.name = ".note.nv.tkinfo", .type = SHT_NOTE, .flags = SHF_CUDA_TKINFO, .align = 4}},
        {&elfw->cuinfo,
         {.name = ".note.nv.cuinfo", .type = SHT_NOTE, .flags = SHF_CUDA_CUINFO, .align = 4}},
        {&elfw->nvinfo, {.name = ".nv.info", .type = SHT_CUDA_INFO, .align = 4}},
        {&elfw->compat, {.name = ".nv.compat", .type = SHT_CUDA_COMPAT, .align = 4}},
    };
    size_t count = COUNT_OF(core) - (elfw->arch->generation->has_compat ? 0 : 1);

    for (size_t i = 0; i < count; i++)
        *core[i].section = elfw_add_section(elfw, &core[i].as);
}

void
elfw_set_view(struct elfw *elfw, const struct link_view *view)
{
    elfw->view = view;
    elfw->header.e_flags = view->file_kind | elfw->arch->sm << 8;
}

/* A little more than the same share of everything; not more than any program has, for the first
   inputs may be unlike the others. */
static uint32_t
extrapolate(uint32_t count, uint32_t merged, uint32_t all)
{
    enum { MOST = 1 << 22 };
    uint64_t expected = (uint64_t)count * all / merged;

    expected += expected / 32;
    return expected < MOST ? (uint32_t)expected : count;
}

void
elfw_expect_sections(struct elfw *elfw, uint32_t merged, uint32_t all)
{
    uint32_t views = elfw->view->is_mercury ? 2 : 1;
    size_t bytes = 0;

#define EACH(does)                                                                                 \
    does(&elfw->sections, views);                                                                  \
    does(&elfw->names.names, 1);                                                                   \
    does(&elfw->pos_symbols, 1);                                                                   \
    does(&elfw->neg_symbols, 1);                                                                   \
    does(&elfw->functions, 1);                                                                     \
    does(&elfw->pieces, views);                                                                    \
    does(&elfw->reloc_pieces, views);                                                              \
    does(&elfw->edges, 1)
#define COUNT(array, times) extrapolate((array)->count *(times), merged, all)
#define ADD_SIZE(array, times)                                                                     \
    bytes += COUNT(array, times) * sizeof *(array)->at + alignof(max_align_t)
#define EXPECT(array, times) array_expect(array, elfw->arena, COUNT(array, times))
    EACH(ADD_SIZE);
    arena_expect_large(elfw->arena, bytes);
    EACH(EXPECT);
#undef EACH
#undef COUNT
#undef ADD_SIZE
#undef EXPECT
}

struct elfw *
elfw_create(struct arena *arena, struct diag *diag, const struct elfw_settings *settings)
{
    struct elfw *elfw = arena_zero(arena, sizeof *elfw);

    elfw->arena = arena;
    elfw->known_code.arena = arena;
    arena_init_scratch(&elfw->scratch, arena);
    elfw->diag = diag;
    elfw->arch = settings->arch;
    elfw->merge_flags = settings->merge_flags;
    elfw->kernels_used = settings->kernels_used;
    elfw->api_version = settings->api_version;
    if (!elfw->arch)
        diag_fatal(diag, "couldn't initialize arch state");
    write_header_template(elfw);
    elfw_set_view(elfw, &sass_link);
    create_names(elfw);
    create_sentinels(elfw);
    create_core_sections(elfw);
    return elfw;
}

struct elfw
elfw_of_worker(const struct elfw *elfw, const struct worker_memory *memory)
{
    struct elfw copy = *elfw;

    copy.arena = memory->kept;
    copy.scratch = memory->scratch;
    copy.diag = memory->kept->diag;
    return copy;
}
