#include "input/cubin_check.h"

#include "base/diag.h"
#include "cubin/compat.h"
#include "cubin/elf_view.h"
#include "cubin/notes.h"
#include "input/old_format.h"
#include "input/old_mercury.h"

enum {
    CUINFO_INDEX_UNKNOWN = 255,
    OLDEST_TOOLKIT = 120,
};

bool
is_elf(struct bytes file)
{
    return file.size >= SELFMAG && !memcmp(file.at, ELFMAG, SELFMAG);
}

struct checker {
    struct arena *arena;
    struct diag *diag;
    const struct arch *arch;
    const char *name;
    bool is_packed;      /* comes from a fatbin, which says that it is for a GPU */
    struct bytes compat; /* what that says of .nv.compat */
    Elf64_Ehdr header;
    struct bytes file;
    struct elf_view frame; /* its sections */
    struct image_kinds *kinds;
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
    if (is_old_header(&checker->header) && !old_header_has_64_bits(&checker->header))
        diag_warning(checker->diag, "expected 64bit object '%s' to have EF_CUDA_64BIT_ADDRESS set",
                     checker->name);
    if (!has_abi_version(&checker->header))
        diag_fatal(checker->diag, "Input file '%s' abi does not match", checker->name);
}

/* .nv.compat; no bytes: there is none. */
static struct bytes
compat_of(const struct checker *checker)
{
    for (uint32_t i = 1; i < checker->frame.section_count; i++)
        if (checker->frame.sections[i].sh_type == SHT_CUDA_COMPAT)
            return elf_contents(&checker->frame, i);
    return (struct bytes){0};
}

/* Was it made for a target with the suffix 'a'? */
static bool
is_specific(const struct checker *checker)
{
    struct compat_values values = {0};

    compat_merge(&values, compat_of(checker));
    return compat_is_specific(&values);
}

/* Mercury of another member of the family must say that it suits all of them, unless the target runs
   its SASS. */
static bool
suits_target(const struct checker *checker, unsigned sm)
{
    return sm == checker->arch->sm || !checker->arch->generation->has_mercury ||
           (checker->arch->suffix != 'f' && arch_accepts_as_it_is(checker->arch, sm)) ||
           compat_suits_family(compat_of(checker));
}

/* By these records nvlink takes the entry of a fatbin for another target of the family, or does not. */
static void
check_compat(const struct checker *checker)
{
    struct bytes own = compat_of(checker);
    if (checker->compat.size == 0 || own.size == 0 ||
        flags_sm(checker->header.e_flags) == checker->arch->sm)
        return;
    const uint8_t *said = checker->compat.at; /* a zero byte goes before them */
    size_t size = own.size < checker->compat.size - 1 ? own.size : checker->compat.size - 1;
    if (said[0] || memcmp(own.at, said + 1, size) != 0)
        diag_damaged(checker->diag, checker->name, "the fatbin", 0,
                     "an entry says otherwise of its code than that itself");
}

static _Noreturn void
refuse_arch(const struct checker *checker)
{
    diag_fatal(checker->diag, "Input file '%s' arch does not match target '%s'", checker->name,
               checker->arch->name);
}

static void
check_arch(const struct checker *checker)
{
    unsigned sm = flags_sm(checker->header.e_flags);
    bool has_mercury = checker->header.e_flags & (CUBIN_FLAG_MERCURY | CUBIN_FLAG_PURE_MERCURY);
    bool lacks_mercury = checker->arch->generation->has_mercury && !has_mercury;

    if (lacks_mercury && !checker->kinds->lacks_mercury)
        diag_warning(checker->diag,
                     "Output is limited to run on SM Arch '%u' only due to limitations in input "
                     "file %s",
                     checker->arch->sm, checker->name);
    /* Of files of the target itself nobody asks. */
    bool may_matter = sm != checker->arch->sm || checker->arch->suffix == 'f';
    bool specific = may_matter && is_specific(checker);
    /* SASS alone must suit the target, unless mercury came before it. */
    bool accepts = lacks_mercury && !checker->kinds->has_mercury
                       ? arch_accepts_sass(checker->arch, sm, specific)
                       : arch_accepts(checker->arch, sm, specific);
    checker->kinds->lacks_mercury |= lacks_mercury;
    checker->kinds->has_mercury |= has_mercury;
    if (!accepts || !suits_target(checker, sm))
        refuse_arch(checker);
}

static void
check_toolkit(const struct checker *checker)
{
    struct cuinfo cuinfo = {0};
    bool found = find_cuinfo(checker, &cuinfo);

    if (cuinfo.toolkit > TOOLKIT_VERSION)
        diag_fatal(checker->diag, "Input file '%s' newer than toolkit (%u vs %u)", checker->name,
                   cuinfo.toolkit, TOOLKIT_VERSION);
    if (checker->arch->generation->has_compat && !checker->arch->generation->has_mercury &&
        (!found || cuinfo.toolkit < OLDEST_TOOLKIT))
        diag_fatal(checker->diag, "Input file '%s' must be recompiled with toolkit >= Cuda 12.0",
                   checker->name);
    checker->kinds->has_whole_program |= checker->header.e_type == ET_CUDA_WHOLE_PROGRAM;
    if (checker->kinds->has_whole_program && cuinfo.toolkit != TOOLKIT_VERSION)
        diag_fatal(checker->diag, "linking with -ewp objects requires using current toolkit");
    if (checker->header.e_flags & CUBIN_FLAG_MERCURY && !checker->arch->generation->has_mercury)
        diag_fatal(checker->diag, "Internal error");
    if (checker->header.e_flags & CUBIN_FLAG_PURE_MERCURY && checker->arch->generation->has_mercury)
        diag_fatal(checker->diag, "Internal error: unexpected reloc");
}

static void
check_header(struct checker *checker)
{
    if (!is_elf(checker->file))
        diag_fatal(checker->diag, "cubin not an elf?");
    if (checker->file.size < sizeof checker->header)
        diag_damaged(checker->diag, checker->name, "the ELF header", 0, "truncated at %zu bytes",
                     checker->file.size);
    memcpy(&checker->header, checker->file.at, sizeof checker->header);
    if (!checker->is_packed && checker->header.e_machine != CUBIN_MACHINE)
        diag_fatal(checker->diag, "cubin not a device elf?");
    if (checker->header.e_ident[EI_CLASS] != ELFCLASS64 ||
        checker->header.e_ident[EI_DATA] != ELFDATA2LSB)
        diag_damaged(checker->diag, checker->name, "the ELF header", EI_CLASS,
                     "not a 64-bit little-endian file");
}

/* nvlink walks through them, whatever their size is said to be. */
static void
check_segments(const struct elf_view *view, struct arena *arena)
{
    const Elf64_Ehdr *header = &view->header;
    uint64_t size = (uint64_t)header->e_phnum * sizeof(Elf64_Phdr);

    if (header->e_phnum && (header->e_phentsize != sizeof(Elf64_Phdr) ||
                            !bytes_hold(view->file, header->e_phoff, size)))
        diag_damaged(arena->diag, view->file_name, "the ELF header",
                     offsetof(Elf64_Ehdr, e_phentsize), "%u segments of %u bytes at 0x%llx",
                     header->e_phnum, header->e_phentsize, (unsigned long long)header->e_phoff);
}

/* One that takes no part in the link must be whole nevertheless. */
static bool
is_executable(struct arena *arena, const char *name, struct bytes file)
{
    struct elf_view view;

    if (file.size < sizeof(Elf64_Ehdr) ||
        read_u16(file.at + offsetof(Elf64_Ehdr, e_type)) != ET_EXEC)
        return false;
    if (elf_is_device(file)) {
        elf_open(&view, name, file, arena);
        check_segments(&view, arena);
    }
    return true;
}

static void
take_updated(struct checker *checker, struct bytes file)
{
    checker->file = file;
    memcpy(&checker->header, file.at, sizeof checker->header);
}

static bool
check(struct checker *checker)
{
    check_header(checker);
    if (is_executable(checker->arena, checker->name, checker->file))
        return false;
    check_abi(checker);
    if (is_old_header(&checker->header))
        take_updated(checker, update_image(checker->arena, checker->name, checker->file));
    elf_open_frame(&checker->frame, checker->name, checker->file, checker->arena);
    check_compat(checker);
    if (is_old_mercury(&checker->frame)) {
        take_updated(checker, update_mercury(checker->arena, checker->name, checker->file));
        elf_open_frame(&checker->frame, checker->name, checker->file, checker->arena);
    }
    check_arch(checker);
    check_toolkit(checker);
    return true;
}

bool
check_cubin(struct arena *arena, const struct arch *arch, const char *name, struct bytes *file,
            struct image_kinds *kinds)
{
    struct checker checker = {.arena = arena,
                              .diag = arena->diag,
                              .arch = arch,
                              .name = name,
                              .file = *file,
                              .kinds = kinds};

    bool takes_part = check(&checker);
    *file = checker.file;
    return takes_part;
}

bool
check_cubin_of_virtual(struct arena *arena, const struct arch *arch, const char *name,
                       struct bytes file)
{
    struct checker checker = {
        .arena = arena, .diag = arena->diag, .arch = arch, .name = name, .file = file};

    check_header(&checker);
    if (is_executable(arena, name, file))
        return false;
    update_header(&checker.header);
    if (flags_sm(checker.header.e_flags) > arch->sm)
        refuse_arch(&checker);
    return true;
}

bool
check_packed_cubin(struct arena *arena, const struct arch *arch, const char *name,
                   struct bytes compat, struct bytes *file, struct image_kinds *kinds)
{
    if (is_executable(arena, name, *file))
        return false;
    if (file->size < sizeof(Elf64_Ehdr) || file->at[EI_CLASS] != ELFCLASS64)
        diag_fatal(arena->diag, "Input file '%s' size does not match target '-m64'", name);
    struct checker checker = {.arena = arena,
                              .diag = arena->diag,
                              .arch = arch,
                              .name = name,
                              .is_packed = true,
                              .compat = compat,
                              .file = *file,
                              .kinds = kinds};
    bool takes_part = check(&checker);
    *file = checker.file;
    return takes_part;
}
