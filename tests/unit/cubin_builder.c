#include "cubin_builder.h"

#include "cubin/nvinfo.h"

enum {
    SECTION_SHSTRTAB = 1,
    SECTION_STRTAB,
    SECTION_SYMTAB,
    SECTION_CUINFO,
    DEFAULT_CODE_SIZE = 128,
    NOTE_SIZE = 32,
};

struct cubin *
cubin_new(struct arena *arena, uint32_t sm)
{
    struct cubin *cubin = arena_zero(arena, sizeof *cubin);

    *cubin = (struct cubin){
        .arena = arena, .sm = sm, .virtual_arch = (uint16_t)sm, .toolkit = TOOLKIT_VERSION};
    cubin_add_section(cubin, &(struct cubin_section){.name = ""});
    cubin_add_section(cubin, &(struct cubin_section){".shstrtab", SHT_STRTAB, .align = 1});
    cubin_add_section(cubin, &(struct cubin_section){".strtab", SHT_STRTAB, .align = 1});
    cubin_add_section(cubin, &(struct cubin_section){".symtab", SHT_SYMTAB, .align = 8,
                                                     .entsize = sizeof(Elf64_Sym),
                                                     .link = SECTION_STRTAB});
    cubin_add_section(cubin,
                      &(struct cubin_section){".note.nv.cuinfo", SHT_NOTE, 0x1000000, .align = 4});
    cubin_add_symbol(cubin, "", &(Elf64_Sym){0});
    return cubin;
}

uint32_t
cubin_add_section(struct cubin *cubin, const struct cubin_section *section)
{
    array_push(&cubin->sections, cubin->arena, *section);
    return cubin->sections.count - 1;
}

uint32_t
cubin_add_symbol(struct cubin *cubin, const char *name, const Elf64_Sym *symbol)
{
    array_push(&cubin->symbols, cubin->arena, *symbol);
    array_push(&cubin->symbol_names, cubin->arena, name);
    return cubin->symbols.count - 1;
}

static const void *
filled(struct arena *arena, uint8_t fill, uint64_t size)
{
    return memset(arena_alloc(arena, size), fill, size);
}

/* Every kernel of the compiler has one. */
static void
add_kernel_info(struct cubin *cubin, const char *name, uint32_t text)
{
    static const uint8_t no_limit[] = {EIFMT_HVAL, EIATTR_MAXREG_COUNT, 0xff, 0};

    cubin_add_section(cubin, &(struct cubin_section){
                                 .name = arena_format(cubin->arena, ".nv.info.%s", name),
                                 .type = SHT_CUDA_INFO,
                                 .flags = SHF_INFO_LINK,
                                 .align = 4,
                                 .link = SECTION_SYMTAB,
                                 .info = text,
                                 .bytes = no_limit,
                                 .size = sizeof no_limit,
                             });
}

uint32_t
cubin_function(struct cubin *cubin, const struct cubin_function *function)
{
    uint64_t size = function->size ? function->size : DEFAULT_CODE_SIZE;
    uint32_t symbol = cubin->symbols.count;
    uint32_t text =
        cubin_add_section(cubin, &(struct cubin_section){
                                     .name = arena_format(cubin->arena, ".text.%s", function->name),
                                     .type = SHT_PROGBITS,
                                     .flags = SHF_ALLOC | SHF_EXECINSTR,
                                     .align = 128,
                                     .link = SECTION_SYMTAB,
                                     .info = symbol | (uint32_t)function->header_registers << 24,
                                     .bytes = filled(cubin->arena, function->fill, size),
                                     .size = size,
                                 });

    cubin_add_symbol(cubin, function->name,
                     &(Elf64_Sym){
                         .st_info = ELF64_ST_INFO(function->binding, STT_FUNC),
                         .st_other = function->is_entry ? STO_CUDA_ENTRY : 0,
                         .st_shndx = (uint16_t)text,
                         .st_size = size,
                     });
    if (function->is_entry)
        add_kernel_info(cubin, function->name, text);
    if (function->registers)
        cubin_record(cubin, EIATTR_REGCOUNT, symbol, function->registers);
    if (function->frame_size)
        cubin_record(cubin, EIATTR_FRAME_SIZE, symbol, function->frame_size);
    return symbol;
}

uint32_t
cubin_alias(struct cubin *cubin, const char *name, uint8_t binding, uint32_t of)
{
    return cubin_add_symbol(cubin, name,
                            &(Elf64_Sym){.st_info = ELF64_ST_INFO(binding, STT_FUNC),
                                         .st_shndx = cubin->symbols.at[of].st_shndx});
}

uint32_t
cubin_variable(struct cubin *cubin, const char *name, uint8_t binding, enum cubin_space space,
               uint8_t fill, uint64_t size)
{
    static const struct {
        const char *section;
        uint32_t type;
        uint64_t flags;
        uint8_t other;
    } kinds[] = {
        {".nv.global.init", SHT_CUDA_GLOBAL_INIT, SHF_ALLOC | SHF_WRITE, STO_CUDA_GLOBAL},
        {".nv.global", SHT_CUDA_GLOBAL, SHF_ALLOC | SHF_WRITE, STO_CUDA_GLOBAL},
        {".nv.constant3", SHT_CUDA_CONSTANT0 + 3, SHF_ALLOC, STO_CUDA_CONSTANT},
    };
    uint32_t section = cubin_add_section(
        cubin, &(struct cubin_section){
                   .name = kinds[space].section,
                   .type = kinds[space].type,
                   .flags = kinds[space].flags,
                   .align = 4,
                   .bytes = space == SPACE_ZERO ? NULL : filled(cubin->arena, fill, size),
                   .size = size,
               });

    return cubin_add_symbol(cubin, name,
                            &(Elf64_Sym){
                                .st_info = ELF64_ST_INFO(binding, STT_CUDA_OBJECT),
                                .st_other = kinds[space].other,
                                .st_shndx = (uint16_t)section,
                                .st_size = size,
                            });
}

uint32_t
cubin_reference(struct cubin *cubin, const char *name, uint8_t type, uint8_t binding, uint8_t other,
                uint64_t size)
{
    return cubin_add_symbol(
        cubin, name,
        &(Elf64_Sym){.st_info = ELF64_ST_INFO(binding, type), .st_other = other, .st_size = size});
}

static void
push_record_word(struct cubin *cubin, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        array_push(&cubin->records, cubin->arena, (uint8_t)(word >> 8 * i));
}

void
cubin_record(struct cubin *cubin, uint8_t attribute, uint32_t symbol, uint32_t value)
{
    push_record_word(cubin, EIFMT_SVAL | (uint32_t)attribute << 8 | 8u << 16);
    push_record_word(cubin, symbol);
    push_record_word(cubin, value);
}

/* Where the string will stand in .strtab: "\0", the strings, the names of the symbols. */
static uint32_t
string_offset(struct cubin *cubin, const char *text)
{
    uint32_t offset = 1;

    for (uint32_t i = 0; i < cubin->strings.count; i++) {
        if (!strcmp(cubin->strings.at[i], text))
            return offset;
        offset += (uint32_t)strlen(cubin->strings.at[i]) + 1;
    }
    array_push(&cubin->strings, cubin->arena, text);
    return offset;
}

void
cubin_call(struct cubin *cubin, uint32_t caller, uint32_t callee)
{
    array_push(&cubin->calls, cubin->arena, ((struct cubin_row){caller, callee}));
}

void
cubin_take_address(struct cubin *cubin, uint32_t function, const char *prototype)
{
    array_push(&cubin->taken, cubin->arena,
               ((struct cubin_row){function, string_offset(cubin, prototype)}));
}

void
cubin_call_indirectly(struct cubin *cubin, uint32_t caller, const char *prototype)
{
    array_push(&cubin->indirect, cubin->arena,
               ((struct cubin_row){caller, string_offset(cubin, prototype)}));
}

void
cubin_prototype(struct cubin *cubin, uint32_t function, const char *prototype)
{
    array_push(&cubin->prototypes, cubin->arena,
               ((struct cubin_row){function, string_offset(cubin, prototype)}));
}

void
cubin_relocation(struct cubin *cubin, uint32_t section, uint64_t offset, uint32_t type,
                 uint32_t symbol, int64_t addend)
{
    Elf64_Rela *entry = arena_zero(cubin->arena, sizeof *entry);

    entry->r_offset = offset;
    entry->r_info = ELF64_R_INFO((uint64_t)symbol, type);
    entry->r_addend = addend;
    cubin_add_section(
        cubin, &(struct cubin_section){
                   .name = arena_format(cubin->arena, ".rela%s", cubin->sections.at[section].name),
                   .type = SHT_RELA,
                   .flags = SHF_INFO_LINK,
                   .align = 8,
                   .entsize = sizeof *entry,
                   .link = SECTION_SYMTAB,
                   .info = section,
                   .bytes = entry,
                   .size = sizeof *entry,
               });
}

/* ---- The image ---- */

struct text {
    char *at;
    uint64_t size;
};

static uint32_t
append_string(struct cubin *cubin, struct text *table, const char *string)
{
    size_t length = strlen(string) + 1;
    char *grown = arena_alloc(cubin->arena, table->size + length);
    uint32_t offset = (uint32_t)table->size;

    if (table->size)
        memcpy(grown, table->at, table->size);
    memcpy(grown + offset, string, length);
    *table = (struct text){grown, offset + length};
    return offset;
}

static void
make_symbol_tables(struct cubin *cubin)
{
    struct text strings = {0};

    append_string(cubin, &strings, "");
    for (uint32_t i = 0; i < cubin->strings.count; i++)
        append_string(cubin, &strings, cubin->strings.at[i]);
    for (uint32_t i = 1; i < cubin->symbols.count; i++)
        cubin->symbols.at[i].st_name = append_string(cubin, &strings, cubin->symbol_names.at[i]);
    cubin->sections.at[SECTION_STRTAB].bytes = strings.at;
    cubin->sections.at[SECTION_STRTAB].size = strings.size;
    cubin->sections.at[SECTION_SYMTAB].bytes = cubin->symbols.at;
    cubin->sections.at[SECTION_SYMTAB].size = cubin->symbols.count * sizeof(Elf64_Sym);
    cubin->sections.at[SECTION_SYMTAB].info = cubin->symbols.count; /* any of them may be local */
}

static void
make_note(struct cubin *cubin)
{
    uint8_t *note = arena_zero(cubin->arena, NOTE_SIZE);

    write_u32(note, 12);
    write_u32(note + 4, 8);
    write_u32(note + 8, 1000);
    memcpy(note + 12, "NVIDIA Corp", 12);
    write_u16(note + 24, 2);
    write_u16(note + 26, cubin->virtual_arch);
    write_u16(note + 28, cubin->toolkit);
    cubin->sections.at[SECTION_CUINFO].bytes = note;
    cubin->sections.at[SECTION_CUINFO].size = cubin->has_no_note ? 0 : NOTE_SIZE;
}

static void
make_call_rows(struct cubin *cubin)
{
    const struct cubin_row *parts[] = {cubin->calls.at, cubin->taken.at, cubin->indirect.at,
                                       cubin->takes_address.at};
    uint32_t counts[] = {cubin->calls.count, cubin->taken.count, cubin->indirect.count,
                         cubin->takes_address.count};
    uint32_t total = 4 + counts[0] + counts[1] + counts[2] + counts[3], row = 0;
    struct cubin_row *rows = arena_array(cubin->arena, total, sizeof *rows);

    for (uint32_t part = 0; part < 4; part++) {
        rows[row++] = (struct cubin_row){0, CALLGRAPH_CALLS - part};
        for (uint32_t i = 0; i < counts[part]; i++)
            rows[row++] = parts[part][i];
    }
    cubin_add_section(cubin, &(struct cubin_section){".nv.callgraph", SHT_CUDA_CALLGRAPH, 0, 4, 8,
                                                     SECTION_SYMTAB, 0, rows, total * 8});
    if (cubin->prototypes.count)
        cubin_add_section(cubin, &(struct cubin_section){".nv.prototype", SHT_CUDA_PROTOTYPE, 0, 4,
                                                         8, SECTION_SYMTAB, 0, cubin->prototypes.at,
                                                         cubin->prototypes.count * 8});
}

static void
make_section_names(struct cubin *cubin, Elf64_Shdr *headers)
{
    struct text names = {0};

    for (uint32_t i = 0; i < cubin->sections.count; i++)
        headers[i].sh_name = append_string(cubin, &names, cubin->sections.at[i].name);
    cubin->sections.at[SECTION_SHSTRTAB].bytes = names.at;
    cubin->sections.at[SECTION_SHSTRTAB].size = names.size;
}

static uint64_t
place_contents(struct cubin *cubin, Elf64_Shdr *headers)
{
    uint64_t offset = sizeof(Elf64_Ehdr);

    for (uint32_t i = 1; i < cubin->sections.count; i++) {
        const struct cubin_section *section = &cubin->sections.at[i];
        Elf64_Shdr *header = &headers[i];

        offset = align_up(offset, section->align);
        header->sh_type = section->type;
        header->sh_flags = section->flags;
        header->sh_offset = offset;
        header->sh_size = section->size;
        header->sh_link = section->link;
        header->sh_info = section->info;
        header->sh_addralign = section->align;
        header->sh_entsize = section->entsize;
        if (!has_no_contents(section->type))
            offset += section->size;
    }
    return align_up(offset, 8);
}

static void
write_header(const struct cubin *cubin, uint8_t *image, uint64_t section_headers)
{
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT,
                    CUBIN_OSABI, CUBIN_ABI_VERSION},
        .e_type = ET_REL,
        .e_machine = CUBIN_MACHINE,
        .e_version = EV_CURRENT,
        .e_shoff = section_headers,
        .e_flags = CUBIN_FLAG_SASS | cubin->sm << 8 | (uint32_t)SECTION_CUINFO << 24,
        .e_ehsize = sizeof header,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = (uint16_t)cubin->sections.count,
        .e_shstrndx = SECTION_SHSTRTAB,
    };

    memcpy(image, &header, sizeof header);
}

struct bytes
cubin_image(struct cubin *cubin)
{
    make_symbol_tables(cubin);
    make_note(cubin);
    if (cubin->records.count)
        cubin_add_section(cubin, &(struct cubin_section){".nv.info", SHT_CUDA_INFO, 0, 4, 0,
                                                         SECTION_SYMTAB, 0, cubin->records.at,
                                                         cubin->records.count});
    make_call_rows(cubin);

    size_t headers_size = cubin->sections.count * sizeof(Elf64_Shdr);
    Elf64_Shdr *headers = arena_zero(cubin->arena, headers_size);
    make_section_names(cubin, headers);
    uint64_t end = place_contents(cubin, headers);
    uint8_t *image = arena_zero(cubin->arena, end + headers_size);

    write_header(cubin, image, end);
    memcpy(image + end, headers, headers_size);
    for (uint32_t i = 1; i < cubin->sections.count; i++)
        if (cubin->sections.at[i].bytes)
            memcpy(image + headers[i].sh_offset, cubin->sections.at[i].bytes, headers[i].sh_size);
    return (struct bytes){image, end + headers_size};
}
