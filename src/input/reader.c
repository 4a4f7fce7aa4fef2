#include "input/reader.h"

#include "cubin/cubin.h"
#include "input/archive.h"
#include "input/cubin_check.h"
#include "input/device_code.h"
#include "input/fatbin.h"

#include <inttypes.h>

#define ELFLINK_INTERNAL "elfLink internal error"
#define ELFLINK_FATBINARY "elfLink fatbinary error"

/* A new input at the end of the list. */
static struct input *
add_input(struct inputs *inputs, const char *name)
{
    struct input *input = arena_zero(inputs->settings.arena, sizeof *input);

    input->name = name;
    array_push(&inputs->list, inputs->settings.arena, input);
    return input;
}

/* ---- Cubins and PTX ---- */

/* Told of every input that takes part in a link with --link-time-opt. */
static void
note_partial_optimisation(struct inputs *inputs, const struct input *input)
{
    if (inputs->settings.prefer_lto && !is_device_runtime(input->name))
        diag_statistic(inputs->settings.arena->diag,
                       "requested LTO but '%s' not built for LTO so doing partial LTO",
                       input->name);
}

void
read_cubin(struct inputs *inputs, const char *name, struct bytes file)
{
    const struct input_settings *settings = &inputs->settings;

    if (!(settings->is_virtual_target
              ? check_cubin_of_virtual(settings->arena, settings->arch, name, file)
              : check_cubin(settings->arena, settings->arch, name, &file, &inputs->kinds)))
        return;
    struct input *input = add_input(inputs, name);
    input->image = file;
    input->is_listed = true;
    input->lacks_references = true;
    note_partial_optimisation(inputs, input);
}

static size_t
skip_blanks_and_comments(struct bytes text)
{
    size_t at = 0;

    while (at < text.size) {
        const char *rest = (const char *)text.at + at;
        size_t left = text.size - at;
        bool is_comment = left >= 2 && rest[0] == '/' && (rest[1] == '/' || rest[1] == '*');

        if (*rest && strchr(" \t\r\n\v\f", *rest)) {
            at++;
        } else if (is_comment) {
            bool is_line = rest[1] == '/';
            for (at += 2; at < text.size; at++)
                if (is_line ? text.at[at] == '\n' : !memcmp(text.at + at - 1, "*/", 2))
                    break;
            at += at < text.size;
        } else {
            break;
        }
    }
    return at;
}

bool
is_ptx(struct bytes file)
{
    static const char start[] = ".version";
    size_t at = skip_blanks_and_comments(file);

    return bytes_hold(file, at, sizeof start - 1) && !memcmp(file.at + at, start, sizeof start - 1);
}

static void
compile(struct inputs *inputs, struct input *input, struct bytes text, const char *options,
        bool is_file)
{
    input->is_compiled = true;
    ptx_start(&inputs->ptx, &(struct ptx_source){input->name, is_file, text, options},
              &input->image);
    note_partial_optimisation(inputs, input);
}

void
read_ptx(struct inputs *inputs, const char *name, struct bytes text)
{
    struct input *input = add_input(inputs, name);

    input->is_listed = true;
    input->lacks_references = true;
    compile(inputs, input, text, "", true);
}

void
refuse_lto(struct inputs *inputs, const char *name)
{
    diag_fatal(inputs->settings.arena->diag,
               "Input file '%s' needs link-time optimization, which is not supported yet", name);
}

/* ---- Fatbins ---- */

static struct fatbin_wish
wish_of(const struct inputs *inputs)
{
    const struct input_settings *settings = &inputs->settings;
    return (struct fatbin_wish){settings->arch, settings->is_virtual_target, settings->prefer_lto};
}

static void
unpack_entry(struct inputs *inputs, struct input *input, const struct device_code *code)
{
    struct diag *diag = inputs->settings.arena->diag;
    const struct fatbin_entry *entry = &code->entry;
    struct bytes contents = code->unpacked;

    if (entry->kind == FATBIN_LTO)
        refuse_lto(inputs, input->name);
    enum unpacking unpacking =
        contents.size ? UNPACKED : fatbin_unpack(&inputs->unpacker, entry, &contents);
    if (unpacking != UNPACKED)
        diag_error(diag, "Uncompress failed");
    if (unpacking == UNPACKING_FAILED)
        diag_error(diag, "Uncompress failed");
    if (unpacking != UNPACKED)
        diag_fatal(diag, ELFLINK_FATBINARY);
    if (entry->kind == FATBIN_PTX)
        compile(inputs, input, contents, entry->options, false);
    else if (check_packed_cubin(inputs->settings.arena, inputs->settings.arch, input->name,
                                entry->compat, &contents, &inputs->kinds)) {
        input->image = contents;
        note_partial_optimisation(inputs, input);
    }
}

/* Whether the entry that was chosen takes no part in the link. */
static bool
is_executable(const struct input *input)
{
    return !input->image.size && !input->is_compiled;
}

/* False if no entry fits. */
static bool
take_entry(struct inputs *inputs, struct input *input, const struct device_code *code,
           bool is_member)
{
    const struct input_settings *settings = &inputs->settings;
    struct diag *diag = settings->arena->diag;

    switch (code->choice) {
    case FATBIN_CHOSEN:
        unpack_entry(inputs, input, code);
        return true;
    case FATBIN_NO_MATCH:
        if (!is_member && !settings->suppress_arch_warning && !is_device_runtime(input->name))
            diag_warning(diag, "SM Arch ('%s') not found in '%s'", settings->arch->name,
                         input->name);
        return false;
    case FATBIN_ONLY_LTO:
        diag_fatal(diag, "LTO objects found, use -dlto");
    case FATBIN_UNKNOWN:
        diag_error(diag, "Binary format for key='0', ident='' is not recognized");
        diag_fatal(diag, ELFLINK_FATBINARY);
    case FATBIN_UNKNOWN_TARGET:
        diag_cause(diag, "Unknown arch name ''");
        diag_fatal(diag, ELFLINK_FATBINARY);
    case FATBIN_DAMAGED:
        diag_damaged(diag, input->name, "the fatbin", 0, "an entry lies outside it (truncated?)");
    }
    return false;
}

void
read_fatbin(struct inputs *inputs, const char *name, struct bytes file)
{
    struct input *input = add_input(inputs, name);
    struct fatbin_wish wish = wish_of(inputs);
    struct device_code code = {0};

    code.choice = fatbin_choose(file, &wish, &code.entry);
    bool has_entry = take_entry(inputs, input, &code, false);
    input->is_listed = has_entry && !is_executable(input);
    input->lacks_references = !has_entry || !is_executable(input);
}

/* ---- Host objects ---- */

static _Noreturn void
refuse_host_object(struct inputs *inputs, const char *name, const struct host_object *object)
{
    struct diag *diag = inputs->settings.arena->diag;

    if (object->damage)
        diag_cause(diag, "Could not find fatbin in '%s' (offset 0x%" PRIx64 ": %s)", name,
                   object->damage_at, object->damage);
    else
        diag_cause(diag, "Could not find fatbin in '%s'", name);
    diag_fatal(diag, ELFLINK_INTERNAL);
}

void
require_whole(struct inputs *inputs, const char *name, struct bytes file)
{
    struct host_object object;

    host_object_read(file, false, &object);
    if (object.damage)
        refuse_host_object(inputs, name, &object);
}

static void
add_host_object(struct inputs *inputs, const char *name, const struct device_code *code,
                bool is_member)
{
    const struct host_object *object = &code->object;

    if (object->damage && !is_member) /* nvlink's words, and the place */
        refuse_host_object(inputs, name, object);
    if (object->damage)
        diag_damaged(inputs->settings.arena->diag, name, "the member", object->damage_at, "%s",
                     object->damage);
    if (!code->has_code) {
        inputs->has_plain_file = true;
        return;
    }
    if (!fatbin_has_magic(object->relocatable.contents))
        refuse_host_object(inputs, name, object);
    struct input *input = add_input(inputs, name);
    bool has_entry = take_entry(inputs, input, code, is_member);
    if (has_entry && is_executable(input))
        return;
    input->is_listed = has_entry || object->module_ids.found;
    input->has_module_ids = object->module_ids.found;
    input->module_ids = object->module_ids.contents;
    input->lacks_references = object->external_kernels.contents.size == 0;
    input->external_kernels = object->external_kernels.contents;
    input->internal_kernels = object->internal_kernels.contents;
}

void
find_code(const struct inputs *inputs, struct code_queue *queue, struct bytes file, bool is_member)
{
    struct fatbin_wish wish = wish_of(inputs);
    struct device_code code;

    device_code_find(file, is_member, &wish, &code);
    array_push(&queue->list, inputs->settings.arena, code);
}

/*
 * Where there is enough to do for several threads: two that unpack take up to a third more of CPU time than
 * one, since they fill caches and memory beside each other, so that what they gain must be worth having.
 */
void
unpack_queue(const struct inputs *inputs, const struct code_queue *queue)
{
    enum { BYTES_TO_UNPACK = 16 }; /* count as one */
    const struct input_settings *settings = &inputs->settings;
    uint64_t size = 0;

    for (uint32_t i = 0; i < queue->list.count; i++)
        size += device_code_packed(&queue->list.at[i]);
    unsigned threads = settings->threads_for(settings->user, size / BYTES_TO_UNPACK);
    if (threads > 1 && queue->list.count > 1)
        unpack_ahead(&queue->list, settings->crew, threads);
}

/* The code of the file, be it that it was found before or not. */
static struct device_code
take_code(const struct inputs *inputs, struct code_queue *queue, struct bytes file, bool is_member)
{
    struct fatbin_wish wish = wish_of(inputs);
    struct device_code code;

    if (queue->next < queue->list.count && queue->list.at[queue->next].file == file.at)
        return queue->list.at[queue->next++];
    device_code_find(file, is_member, &wish, &code);
    return code;
}

void
read_host_object(struct inputs *inputs, const char *name, struct bytes file)
{
    struct device_code code = take_code(inputs, &inputs->codes, file, false);
    add_host_object(inputs, name, &code, false);
}

/* ---- Archives ---- */

static bool
is_of_64_bits(struct bytes file)
{
    return file.size >= sizeof(Elf64_Ehdr) && is_elf(file) && file.at[EI_CLASS] == ELFCLASS64;
}

static bool
is_cubin(struct bytes file)
{
    return file.size >= sizeof(Elf64_Ehdr) && is_elf(file) &&
           read_u16(file.at + offsetof(Elf64_Ehdr, e_machine)) == CUBIN_MACHINE;
}

static bool
is_relocatable_cubin(struct bytes file)
{
    return is_cubin(file) && file.at[EI_CLASS] == ELFCLASS64 &&
           read_u16(file.at + offsetof(Elf64_Ehdr, e_type)) == ET_REL;
}

/* nvlink takes whatever is not of 64 bits for an object of 32, looks at its sections, and passes over it. */
static bool
has_sections_of_32_bits(struct bytes file)
{
    Elf32_Ehdr header;

    if (file.size < sizeof header)
        return true;
    memcpy(&header, file.at, sizeof header);
    return header.e_shoff == 0 ||
           (header.e_ehsize == sizeof header && header.e_shentsize == sizeof(Elf32_Shdr) &&
            bytes_hold(file, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf32_Shdr)));
}

static struct bytes
open_thin_member(struct inputs *inputs, const char *name)
{
    struct arena *arena = inputs->settings.arena;
    struct input_file file;

    if (!file_read(name, &file)) {
        diag_cause(arena->diag, "Could not open input file '%s'", name);
        diag_fatal(arena->diag, ELFLINK_INTERNAL);
    }
    array_push(&inputs->files, arena, file);
    array_push(&inputs->paths, arena, name);
    return file.bytes;
}

struct members {
    struct archive archive;
    const char *path;
    const char *name;
    struct bytes contents;
    bool has_other; /* the reading ended at something that is no ELF file */
};

/* False at the end, which for nvlink is also the first member that is no ELF file. */
static bool
next_member(struct inputs *inputs, struct members *members)
{
    struct arena *arena = inputs->settings.arena;
    struct archive_member member;
    enum archive_step step = archive_next(&members->archive, &member);

    if (step == ARCHIVE_END)
        return false;
    if (step == ARCHIVE_CUT)
        diag_damaged(arena->diag, members->path, "the archive", members->archive.file.size, "%s",
                     archive_complaint(step));
    if (step != ARCHIVE_MEMBER) {
        diag_cause(arena->diag, "%s", archive_complaint(step));
        diag_fatal(arena->diag, ELFLINK_INTERNAL);
    }
    if (members->archive.is_thin)
        member.contents = member.rest =
            open_thin_member(inputs, archive_member_path(arena, members->path, &member));
    members->contents = member.contents;
    members->name = arena_format(arena, "%s:%.*s", members->path, (int)member.name.size,
                                 (const char *)member.name.at);
    members->has_other = !is_elf(member.rest);
    return !members->has_other;
}

/* Of all members that will be met, in order, unless they are files of their own. */
static struct code_queue
find_codes(const struct inputs *inputs, struct bytes file)
{
    struct code_queue queue = {0};
    struct archive archive;
    struct archive_member member;

    archive_open(&archive, file);
    while (!archive.is_thin && archive_next(&archive, &member) == ARCHIVE_MEMBER &&
           is_elf(member.rest))
        if (is_of_64_bits(member.contents))
            find_code(inputs, &queue, member.contents, true);
    return queue;
}

static void
read_member(struct inputs *inputs, const struct members *members, struct code_queue *queue)
{
    if (!is_of_64_bits(members->contents)) {
        inputs->has_plain_file = true;
        return;
    }
    struct device_code code = take_code(inputs, queue, members->contents, true);
    add_host_object(inputs, members->name, &code, true);
}

void
read_archive(struct inputs *inputs, const char *path, struct bytes file)
{
    struct members members = {.path = path};
    struct code_queue queue = find_codes(inputs, file);
    bool only_cubins = true;

    unpack_queue(inputs, &queue);
    archive_open(&members.archive, file);
    while (next_member(inputs, &members)) {
        if (!is_of_64_bits(members.contents) && !has_sections_of_32_bits(members.contents))
            diag_damaged(inputs->settings.arena->diag, members.name, "the member",
                         offsetof(Elf32_Ehdr, e_shoff), "its section headers lie outside it");
        if (is_cubin(members.contents) && members.contents.at[EI_CLASS] != ELFCLASS64)
            diag_damaged(inputs->settings.arena->diag, members.name, "the member", EI_CLASS,
                         "not a 64-bit little-endian ELF file");
        only_cubins &= is_relocatable_cubin(members.contents);
        read_member(inputs, &members, &queue);
    }
    if (!only_cubins || members.has_other)
        return;
    /* nvlink passes over cubins in archives. One that holds nothing else was made for us. */
    archive_open(&members.archive, file);
    while (next_member(inputs, &members))
        read_cubin(inputs, members.name, members.contents);
}
