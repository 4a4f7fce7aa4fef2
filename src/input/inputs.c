#include "input/inputs.h"

#include "cubin/cubin.h"
#include "input/archive.h"
#include "input/cubin_check.h"
#include "input/fatbin.h"
#include "input/reader.h"

enum { SMALLEST_FILE = 56 };

/* What a file's extension says about its contents. */
enum file_kind {
    KIND_CUBIN,
    KIND_OBJECT,
    KIND_SHARED_OBJECT,
    KIND_PTX,
    KIND_FATBIN,
    KIND_NVVM,
    KIND_BC,
    KIND_OTHER,
    KIND_NONE, /* no extension */
};

static enum file_kind
kind_of(const char *path)
{
    static const struct {
        const char *extension;
        enum file_kind kind;
    } kinds[] = {
        {".cubin", KIND_CUBIN}, {".o", KIND_OBJECT},      {".so", KIND_SHARED_OBJECT},
        {".ptx", KIND_PTX},     {".fatbin", KIND_FATBIN}, {".ltoir", KIND_NVVM},
        {".nvvm", KIND_NVVM},   {".bc", KIND_BC},
    };
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');

    for (size_t i = 0; dot && i < COUNT_OF(kinds); i++)
        if (!strcmp(dot, kinds[i].extension))
            return kinds[i].kind;
    return dot ? KIND_OTHER : KIND_NONE;
}

static bool
is_device_elf(struct bytes file)
{
    return is_elf(file) && file.size >= sizeof(Elf64_Ehdr) &&
           read_u16(file.at + offsetof(Elf64_Ehdr, e_machine)) == CUBIN_MACHINE;
}

/* By its layout: a wrong class alone makes no other file of it. */
static bool
is_32bit_elf(struct bytes file)
{
    return is_elf(file) && file.at[EI_CLASS] == ELFCLASS32 && file.size >= sizeof(Elf32_Ehdr) &&
           read_u16(file.at + offsetof(Elf32_Ehdr, e_shentsize)) == sizeof(Elf32_Shdr);
}

/* An error that was a warning does not stop the reading, until something is to be linked. */
static void
refuse_after_errors(struct inputs *inputs, const char *message)
{
    if (inputs->settings.arena->diag->errors)
        diag_fatal(inputs->settings.arena->diag, "%s", message);
}

/* Objects and files with extensions of no meaning: archives and relocatable ELF files count. */
static void
read_object(struct inputs *inputs, const char *path, struct bytes file, enum file_kind kind)
{
    bool is_relocatable =
        file.size >= SMALLEST_FILE && read_u16(file.at + offsetof(Elf64_Ehdr, e_type)) == ET_REL;

    if (is_archive(file)) {
        refuse_after_errors(inputs, "elfLink internal error");
        read_archive(inputs, path, file);
    } else if (is_device_elf(file)) {
        if (kind == KIND_OBJECT && is_relocatable)
            read_cubin(inputs, path, file);
        else if (is_relocatable && !is_32bit_elf(file))
            require_whole(inputs, path, file);
    } else if (is_relocatable && kind != KIND_SHARED_OBJECT && !is_32bit_elf(file)) {
        refuse_after_errors(inputs, "elfLink internal error");
        read_host_object(inputs, path, file);
    }
}

/* A .ptx file may hold what a fatbin's entry may. */
static void
read_ptx_file(struct inputs *inputs, const char *path, struct bytes file)
{
    struct diag *diag = inputs->settings.arena->diag;

    refuse_after_errors(inputs, "elfLink fatbinary error");
    if (is_device_elf(file)) {
        if (inputs->settings.arch->generation->has_compat)
            read_cubin(inputs, path, file);
    } else if (fatbin_has_magic(file)) {
        read_fatbin(inputs, path, file);
    } else if (is_ptx(file)) {
        read_ptx(inputs, path, file);
    } else {
        diag_error(diag, "Binary format for key='0', ident='' is not recognized");
        diag_fatal(diag, "elfLink fatbinary error");
    }
}

static void
read_by_kind(struct inputs *inputs, const char *path, struct bytes file)
{
    struct diag *diag = inputs->settings.arena->diag;
    enum file_kind kind = kind_of(path);

    switch (kind) {
    case KIND_CUBIN:
        read_cubin(inputs, path, file);
        return;
    case KIND_FATBIN:
        if (!fatbin_has_magic(file))
            diag_fatal(diag, "fatbin wrong format?");
        refuse_after_errors(inputs, "elfLink fatbinary error");
        read_fatbin(inputs, path, file);
        return;
    case KIND_PTX:
        read_ptx_file(inputs, path, file);
        return;
    case KIND_NVVM:
        if (inputs->settings.prefer_lto)
            refuse_lto(inputs, path);
        diag_fatal(diag, "should only see nvvm files when -lto");
    case KIND_BC:
        diag_fatal(diag, "should never see bc files");
    case KIND_OBJECT:
    case KIND_SHARED_OBJECT:
    case KIND_OTHER:
        read_object(inputs, path, file, kind);
        return;
    case KIND_NONE:
        return;
    }
}

bool
is_device_runtime(const char *name)
{
    return strstr(name, "cudadevrt");
}

/* Where nothing comes before it nothing needs it; a later mention counts. */
static bool
is_premature_runtime(const struct inputs *inputs, const char *path)
{
    return is_device_runtime(path) && inputs->list.count == 0;
}

/* Was an archive of this identity among the first `count` files? The first place counts. */
static bool
is_known_archive(const struct inputs *inputs, uint32_t count, const struct input_file *file)
{
    for (uint32_t i = 0; i < count; i++)
        if (inputs->files.at[i].device == file->device && inputs->files.at[i].inode == file->inode)
            return true;
    return false;
}

void
inputs_add_library(struct inputs *inputs, struct library *library)
{
    if (is_known_archive(inputs, inputs->files.count, &library->file) ||
        is_premature_runtime(inputs, library->path)) {
        file_release(&library->file);
        return;
    }
    array_push(&inputs->files, inputs->settings.arena, library->file);
    array_push(&inputs->paths, inputs->settings.arena, library->path);
    library->file = (struct input_file){0};
    refuse_after_errors(inputs, "elfLink internal error");
    read_archive(inputs, library->path, inputs->files.at[inputs->files.count - 1].bytes);
}

static void
forget_last_file(struct inputs *inputs)
{
    file_release(&inputs->files.at[--inputs->files.count]);
    inputs->paths.count--;
}

void
inputs_add_file(struct inputs *inputs, const char *path, uint32_t number)
{
    struct arena *arena = inputs->settings.arena;
    struct input_file file;

    if (!preload_take(&inputs->preload, number, &file) && !file_read_into(arena, path, &file))
        diag_fatal(arena->diag, "Could not open input file '%s'", path);
    /* Owned by the list from here on, also when a check below unwinds; and known to it before a byte
       is looked at (inputs_path_of). */
    uint32_t before = inputs->files.count;
    array_push(&inputs->files, arena, file);
    array_push(&inputs->paths, arena, path);
    if (file.bytes.size == 0)
        return;
    if (is_archive(file.bytes) &&
        (is_known_archive(inputs, before, &file) || is_premature_runtime(inputs, path))) {
        forget_last_file(inputs);
        return;
    }
    if (file.bytes.size < SMALLEST_FILE && !is_archive(file.bytes))
        diag_fatal(arena->diag, "Could not open input file '%s'", path);
    read_by_kind(inputs, path, file.bytes);
}

/* Will read_object take it for one? */
static bool
is_host_object(const char *path, struct bytes file)
{
    enum file_kind kind = kind_of(path);

    return (kind == KIND_OBJECT || kind == KIND_OTHER) && file.size >= sizeof(Elf64_Ehdr) &&
           is_elf(file) && file.at[EI_CLASS] == ELFCLASS64 && !is_device_elf(file) &&
           read_u16(file.at + offsetof(Elf64_Ehdr, e_type)) == ET_REL;
}

void
inputs_unpack_ahead(struct inputs *inputs)
{
    const struct preload *preload = &inputs->preload;

    for (uint32_t i = 0; preload->files && i < preload->count; i++)
        if (is_host_object(preload->paths[i], preload->files[i].bytes))
            find_code(inputs, &inputs->codes, preload->files[i].bytes, false);
    unpack_queue(inputs, &inputs->codes);
}

void
inputs_add_image(struct inputs *inputs, const char *name, struct bytes image)
{
    if (is_archive(image))
        read_archive(inputs, name, image);
    else if (fatbin_has_magic(image))
        read_fatbin(inputs, name, image);
    else if (is_elf(image) && image.size >= sizeof(Elf64_Ehdr) && !is_device_elf(image))
        read_host_object(inputs, name, image);
    else if (is_ptx(image))
        read_ptx(inputs, name, image);
    else
        read_cubin(inputs, name, image);
}

void
inputs_finish(struct inputs *inputs)
{
    ptx_settle(&inputs->ptx);
}

const struct link_view *
inputs_view(const struct inputs *inputs)
{
    if (!inputs->settings.arch->generation->has_mercury)
        return &sass_link;
    for (uint32_t i = 0; i < inputs->list.count; i++) {
        struct bytes image = inputs->list.at[i]->image;

        if (image.size >= sizeof(Elf64_Ehdr) &&
            !(read_u32(image.at + offsetof(Elf64_Ehdr, e_flags)) & CUBIN_FLAG_MERCURY))
            return &sass_link;
    }
    return &mercury_link;
}

const char *
inputs_path_of(const struct inputs *inputs, const void *address)
{
    for (uint32_t i = 0; i < inputs->files.count && i < inputs->paths.count; i++) {
        struct bytes bytes = inputs->files.at[i].bytes;
        if ((uintptr_t)address - (uintptr_t)bytes.at < bytes.size)
            return inputs->paths.at[i];
    }
    return preload_path_of(&inputs->preload, address);
}

const char *
inputs_changed(const struct inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->files.count && i < inputs->paths.count; i++)
        if (file_has_changed(inputs->paths.at[i], &inputs->files.at[i]))
            return inputs->paths.at[i];
    return NULL;
}

void
inputs_release(struct inputs *inputs)
{
    ptx_release(&inputs->ptx);
    unpacker_release(&inputs->unpacker);
    for (uint32_t i = 0; i < inputs->files.count; i++)
        file_release(&inputs->files.at[i]);
    preload_release(&inputs->preload);
}
