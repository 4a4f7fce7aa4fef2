#include "input/inputs.h"

#include "cubin/elf_view.h"
#include "cubin/notes.h"

#include <string.h>

enum {
    SMALLEST_FILE = 56,
    OLD_ABI_VERSION = 7, /* of the header layout before CUDA 13 */
    OLD_64BIT_FLAG = 0x400,
    CUINFO_INDEX_UNKNOWN = 255,
    OLDEST_TOOLKIT = 120,
    ET_EXTENSIBLE = 0xff00, /* an extensible whole program */
};

/* What a file's extension says about its contents. */
enum file_kind { KIND_CUBIN, KIND_OBJECT, KIND_PTX, KIND_FATBIN, KIND_NVVM, KIND_BC, KIND_OTHER };

static enum file_kind
kind_of(const char *path)
{
    static const struct {
        const char *extension;
        enum file_kind kind;
    } kinds[] = {
        {".cubin", KIND_CUBIN}, {".o", KIND_OBJECT},  {".ptx", KIND_PTX}, {".fatbin", KIND_FATBIN},
        {".ltoir", KIND_NVVM},  {".nvvm", KIND_NVVM}, {".bc", KIND_BC},
    };
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');

    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(dot, kinds[i].extension))
            return kinds[i].kind;
    return KIND_OTHER;
}

static bool
is_elf(struct bytes file)
{
    return file.size >= SELFMAG && !memcmp(file.at, ELFMAG, SELFMAG);
}

struct checker {
    struct arena *arena;
    struct diag *diag;
    const struct arch *arch;
    const char *name;
    Elf64_Ehdr header;
    struct bytes file;
    struct elf_view frame; /* its sections */
};

static bool
read_cuinfo(const struct checker *checker, uint32_t index, struct cuinfo *out)
{
    return index < checker->frame.section_count &&
           checker->frame.sections[index].sh_type == SHT_NOTE &&
           cuinfo_read(elf_contents(&checker->frame, index), out);
}

/* The note is found through its number in e_flags, which may say to look for it. */
static bool
find_cuinfo(const struct checker *checker, struct cuinfo *out)
{
    uint32_t index = checker->header.e_flags >> 24;

    if (index != CUINFO_INDEX_UNKNOWN)
        return index != 0 && read_cuinfo(checker, index, out);
    for (index = 1; index < checker->frame.section_count; index++)
        if (read_cuinfo(checker, index, out))
            return true;
    return false;
}

static void
check_abi(const struct checker *checker)
{
    const unsigned char *ident = checker->header.e_ident;
    bool is_current = ident[EI_OSABI] == CUBIN_OSABI;
    int expected = is_current ? CUBIN_ABI_VERSION : OLD_ABI_VERSION;

    if (!is_current && !(checker->header.e_flags & OLD_64BIT_FLAG))
        diag_warning(checker->diag, "expected 64bit object '%s' to have EF_CUDA_64BIT_ADDRESS set",
                     checker->name);
    if (ident[EI_ABIVERSION] != expected || !is_current)
        diag_fatal(checker->diag, "Input file '%s' abi does not match", checker->name);
}

static void
check_arch(const struct checker *checker)
{
    unsigned sm = flags_sm(checker->header.e_flags);

    if (!arch_accepts(checker->arch, sm, false))
        diag_fatal(checker->diag, "Input file '%s' arch does not match target '%s'", checker->name,
                   checker->arch->name);
}

static void
check_toolkit(const struct checker *checker)
{
    struct cuinfo cuinfo = {0};
    bool found = find_cuinfo(checker, &cuinfo);

    if (cuinfo.toolkit > TOOLKIT_VERSION)
        diag_fatal(checker->diag, "Input file '%s' newer than toolkit (%u vs %u)", checker->name,
                   cuinfo.toolkit, TOOLKIT_VERSION);
    if (checker->arch->has_compat && (!found || cuinfo.toolkit < OLDEST_TOOLKIT))
        diag_fatal(checker->diag, "Input file '%s' must be recompiled with toolkit >= Cuda 12.0",
                   checker->name);
    if (checker->header.e_flags & CUBIN_FLAG_MERCURY)
        diag_fatal(checker->diag, "Internal error");
}

/* False if the image is ignored: an executable is no input of a link. */
static bool
check_cubin(struct checker *checker, enum file_kind kind)
{
    if (!is_elf(checker->file))
        diag_fatal(checker->diag, "cubin not an elf?");
    if (checker->file.size < sizeof checker->header)
        diag_damaged(checker->diag, checker->name, "the ELF header", 0, "truncated at %zu bytes",
                     checker->file.size);
    memcpy(&checker->header, checker->file.at, sizeof checker->header);
    if (checker->header.e_machine != CUBIN_MACHINE)
        diag_fatal(checker->diag, "cubin not a device elf?");
    if (checker->header.e_ident[EI_CLASS] != ELFCLASS64 ||
        checker->header.e_ident[EI_DATA] != ELFDATA2LSB)
        diag_damaged(checker->diag, checker->name, "the ELF header", EI_CLASS,
                     "not a 64-bit little-endian file");
    if (checker->header.e_type == ET_EXEC ||
        (kind == KIND_OBJECT && checker->header.e_type != ET_REL))
        return false;
    if (checker->header.e_type == ET_EXTENSIBLE)
        diag_fatal(checker->diag, "Input file '%s' was compiled with -ewp, which is not supported",
                   checker->name);
    elf_open_frame(&checker->frame, checker->name, checker->file, checker->arena);
    check_abi(checker);
    check_arch(checker);
    check_toolkit(checker);
    return true;
}

static bool
is_ignored(const struct checker *checker, enum file_kind kind)
{
    bool is_device = is_elf(checker->file) && checker->file.size >= sizeof(Elf64_Ehdr) &&
                     read_u16(checker->file.at + offsetof(Elf64_Ehdr, e_machine)) == CUBIN_MACHINE;

    switch (kind) {
    case KIND_CUBIN:
        return false;
    case KIND_OBJECT:
        return !is_device;
    case KIND_PTX:
        return is_device && !checker->arch->has_compat;
    case KIND_FATBIN:
        if (checker->file.size < 4 || read_u32(checker->file.at) != 0xBA55ED50)
            diag_fatal(checker->diag, "fatbin wrong format?");
        diag_fatal(checker->diag, "Input file '%s': fatbins are not supported yet", checker->name);
    case KIND_NVVM:
        diag_fatal(checker->diag, "should only see nvvm files when -lto");
    case KIND_BC:
        diag_fatal(checker->diag, "should never see bc files");
    case KIND_OTHER:
        return true;
    }
    return true;
}

void
inputs_add_file(struct inputs *inputs, struct arena *arena, const struct arch *arch,
                const char *path)
{
    enum file_kind kind = kind_of(path);
    struct input input = {.name = path};

    if (!file_read(path, &input.file) ||
        (input.file.bytes.size > 0 && input.file.bytes.size < SMALLEST_FILE)) {
        file_release(&input.file);
        diag_fatal(arena->diag, "Could not open input file '%s'", path);
    }
    /* Owned by the list from here on, also when a check below unwinds. */
    array_push(&inputs->list, arena, input);
    struct checker checker = {
        .arena = arena, .diag = arena->diag, .arch = arch, .name = path, .file = input.file.bytes};
    if (checker.file.size == 0 || is_ignored(&checker, kind))
        return;
    if (kind == KIND_PTX && !is_elf(checker.file))
        diag_fatal(arena->diag, "Input file '%s': PTX is not supported yet", path);
    if (check_cubin(&checker, kind))
        inputs->list.at[inputs->list.count - 1].image = input.file.bytes;
}

void
inputs_add_image(struct inputs *inputs, struct arena *arena, const struct arch *arch,
                 const char *name, struct bytes image)
{
    struct checker checker = {
        .arena = arena, .diag = arena->diag, .arch = arch, .name = name, .file = image};

    if (check_cubin(&checker, KIND_CUBIN))
        array_push(&inputs->list, arena, ((struct input){.name = name, .image = image}));
}

void
inputs_release(struct inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->list.count; i++)
        file_release(&inputs->list.at[i].file);
}
