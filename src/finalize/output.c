#include "finalize/output.h"

#include "base/file.h"
#include "base/pages.h"
#include "base/parallel.h"
#include "finalize/image.h"
#include "finalize/late_tables.h"
#include "finalize/parts.h"
#include "mercury/capsule.h"
#include "mercury/mercury.h"
#include "relocate/relocate.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

/* From this size on bytes of the inputs go into the file without a stop in memory. */
enum { DIRECT_SIZE = 64 * 1024 };
_Static_assert((int)MOST_OPEN_FRAMES < (int)DIRECT_SIZE, "frames are filled in on the way");

struct output *
output_prepare(struct elfw *elfw)
{
    struct output *output = arena_zero(elfw->arena, sizeof *output);
    uint32_t count = elfw->sections.count;

    *output = (struct output){
        .elfw = elfw,
        .size = image_size(elfw),
        .first_table = arena_array(elfw->arena, count, sizeof(uint32_t)),
        .next_table = arena_array(elfw->arena, count, sizeof(uint32_t)),
    };
    for (uint32_t i = elfw->tables.count; i-- > 0;) {
        uint32_t table = elfw->tables.at[i], target = elfw_section(elfw, table)->target;
        if (!relocate_has_patches(elfw, table))
            continue;
        output->next_table[table] = output->first_table[target];
        output->first_table[target] = table;
    }
    if (elfw->view->is_mercury)
        mercury_finish_code(elfw);
    return output;
}

/* All bytes of a section. */
static void
make_section(const struct output *output, uint32_t index, uint8_t *at)
{
    struct elfw *elfw = output->elfw;
    const struct section *section = elfw_section(elfw, index);

    if (section->contents)
        memcpy(at, section->contents, section->size);
    else if (late_cuts(elfw, index))
        write_late_part(elfw, index, 0, at); /* small: else it has parts of its own */
    else if (!holds_entries(section->type))
        copy_pieces(elfw, section->first_piece, 0, 0, section->size, at);
    else
        relocate_write_table(elfw, index, at);
    for (uint32_t table = output->first_table[index]; table; table = output->next_table[table])
        relocate_patch(elfw, table,
                       (struct patched_range){
                           .to = section->size,
                           .first_piece = relocate_first_piece(elfw, table),
                       },
                       at);
    if (section->type == SHT_CUDA_CAPSULE)
        capsule_set_text(at, elfw->section_virtual[section->twin]);
}

/* ---- As a whole ---- */

struct image_job {
    const struct output *output;
    const part_list *parts;
    uint8_t *image;
};

static void
make_image_part(void *user, uint32_t index, unsigned worker)
{
    const struct image_job *job = user;
    const struct output *output = job->output;
    const struct part *part = &job->parts->at[index];

    (void)worker;
    if (is_of_section(part)) {
        make_part_of_section(output, part, job->image + part_offset(output, part));
        return;
    }
    if (part->kind == PART_HEADERS) {
        uint64_t place = output->elfw->header.e_shoff + part->first * (uint64_t)sizeof(Elf64_Shdr);
        write_section_headers(output->elfw, part->first, part->end, job->image + place);
        return;
    }
    for (uint32_t n = part->first; n < part->end; n++) {
        const struct section *section = section_of_file(output, n);
        if (section_has_bytes(section))
            make_section(output, output->elfw->section_order[n],
                         job->image + section->output_offset);
    }
}

void
output_write_image(const struct output *output, uint8_t *image, unsigned threads,
                   struct trace *trace)
{
    struct elfw *elfw = output->elfw;
    Elf64_Ehdr header = make_header(elfw);
    part_list parts = list_parts(output);
    struct image_job job = {output, &parts, image};
    struct parallel_loop loop = {
        .name = "parts of the output", .count = parts.count, .make = make_image_part, .user = &job};

    parallel_run(&loop, threads, trace);
    memcpy(image, &header, sizeof header);
    if (elfw->segments.count)
        memcpy(image + header.e_phoff, elfw->segments.at,
               elfw->segments.count * sizeof *elfw->segments.at);
}

/* ---- Part by part ---- */

/* What a worker has made and not yet written. */
struct buffer {
    uint8_t *at;
    size_t room;
    uint64_t from; /* its place in the file */
    size_t size;
};

struct job {
    const struct output *output;
    const part_list *parts;
    int descriptor;
    struct buffer *buffers; /* one for each worker */
    _Atomic int failure;
};

/* ---- A part is made ---- */

/* The first part fills it, or all that is written does. */
static bool
make_room(const struct output *output, struct buffer *buffer, size_t size)
{
    if (size <= buffer->room)
        return true;
    free(buffer->at);
    *buffer = (struct buffer){.at = malloc(size)};
    buffer->room = buffer->at ? size : 0;
    if (buffer->at)
        pages_fill(buffer->at, size < output->size ? size : output->size);
    return buffer->at;
}

/* Sections as a whole, with what lies between them. */
static void
make_sections(const struct output *output, const struct part *part, struct buffer *buffer)
{
    uint64_t end = 0;

    for (uint32_t n = part->first; n < part->end; n++) {
        const struct section *section = section_of_file(output, n);
        if (!section_has_bytes(section))
            continue;
        if (!end)
            buffer->from = end = section->output_offset;
        uint8_t *at = buffer->at + (section->output_offset - buffer->from);
        memset(buffer->at + (end - buffer->from), 0, section->output_offset - end);
        make_section(output, output->elfw->section_order[n], at);
        end = section->output_offset + section->size;
    }
    buffer->size = end ? (size_t)(end - buffer->from) : 0;
}

/* A section that is larger than a part should be is the only one of its part that has bytes. Its
   number if nothing patches it, so that its pieces go into the file as they are; else 0. */
static uint32_t
plain_section(const struct output *output, const struct part *part)
{
    uint32_t index = output->elfw->section_order[part->first];
    const struct section *section = elfw_section(output->elfw, index);
    bool is_made = output->first_table[index] || late_cuts(output->elfw, index) ||
                   section->type == SHT_CUDA_CAPSULE || /* names its text */
                   (!section->contents && holds_entries(section->type));

    return part->kind != PART_SECTIONS || section->size <= PART_SIZE ||
                   !section_has_bytes(section) || is_made
               ? 0
               : index;
}

/* Bytes of memory in which it is made. */
static size_t
room_for(const struct output *output, const struct part *part)
{
    const struct section *first = section_of_file(output, part->first);
    bool is_large = part->kind == PART_SECTIONS && section_has_bytes(first) &&
                    first->size > PART_SIZE && !plain_section(output, part);

    if (is_of_section(part))
        return max_u64(PART_SIZE, part_size(output, part));
    return is_large ? first->size : PART_SIZE;
}

static void
make_headers(const struct output *output, const struct part *part, struct buffer *buffer)
{
    buffer->from = output->elfw->header.e_shoff + part->first * (uint64_t)sizeof(Elf64_Shdr);
    buffer->size = (part->end - part->first) * sizeof(Elf64_Shdr);
    write_section_headers(output->elfw, part->first, part->end, buffer->at);
}

static void
fill_part_of_section(const struct output *output, const struct part *part, struct buffer *buffer)
{
    buffer->from = part_offset(output, part);
    buffer->size = part_size(output, part);
    make_part_of_section(output, part, buffer->at);
}

static void
make_part(void *user, uint32_t index, unsigned worker)
{
    struct job *job = user;
    const struct part *part = &job->parts->at[index];
    struct buffer *buffer = &job->buffers[worker];

    buffer->size = 0;
    if (!make_room(job->output, buffer, room_for(job->output, part)))
        atomic_store(&job->failure, ENOMEM);
    else if (part->kind == PART_HEADERS)
        make_headers(job->output, part, buffer);
    else if (is_of_section(part))
        fill_part_of_section(job->output, part, buffer);
    else if (!plain_section(job->output, part))
        make_sections(job->output, part, buffer);
}

/* ---- A part is written ---- */

static bool
flush(const struct job *job, struct buffer *buffer)
{
    bool done = file_put(job->descriptor, buffer->from, (struct bytes){buffer->at, buffer->size});

    buffer->size = 0;
    return done;
}

/* Gaps stay zero. */
static bool
put_piece(const struct job *job, struct buffer *buffer, uint64_t offset, const struct piece *piece)
{
    if (piece->size >= DIRECT_SIZE) {
        pages_expect(piece->bytes, piece->size); /* else each page of a mapped file interrupts */
        return flush(job, buffer) &&
               file_put(job->descriptor, offset, (struct bytes){piece->bytes, piece->size});
    }
    if (buffer->size && offset + piece->size - buffer->from > PART_SIZE && !flush(job, buffer))
        return false;
    if (!buffer->size)
        buffer->from = offset;
    size_t place = (size_t)(offset - buffer->from);
    memset(buffer->at + buffer->size, 0, place - buffer->size);
    copy_piece(piece, buffer->at + place);
    buffer->size = place + piece->size;
    return true;
}

static bool
put_plain_section(const struct job *job, uint32_t index, struct buffer *buffer)
{
    const struct elfw *elfw = job->output->elfw;
    const struct section *section = elfw_section(elfw, index);

    if (section->contents)
        return file_put(job->descriptor, section->output_offset,
                        (struct bytes){section->contents, section->size});
    for (uint32_t p = section->first_piece; p; p = elfw->pieces.at[p].next) {
        const struct piece *piece = &elfw->pieces.at[p];
        if (!put_piece(job, buffer, section->output_offset + piece->base, piece))
            return false;
    }
    return flush(job, buffer);
}

static void
put_part(void *user, uint32_t index, unsigned worker)
{
    struct job *job = user;
    uint32_t plain = plain_section(job->output, &job->parts->at[index]);
    struct buffer *buffer = &job->buffers[worker];

    if (atomic_load(&job->failure))
        return;
    if (!(plain ? put_plain_section(job, plain, buffer) : flush(job, buffer)))
        atomic_store(&job->failure, errno ? errno : EIO);
}

static bool
put_frame(const struct output *output, int descriptor)
{
    const struct elfw *elfw = output->elfw;
    Elf64_Ehdr header = make_header(elfw);
    struct bytes segments = {(const uint8_t *)elfw->segments.at,
                             elfw->segments.count * sizeof *elfw->segments.at};

    return file_put(descriptor, 0, (struct bytes){(const uint8_t *)&header, sizeof header}) &&
           file_put(descriptor, header.e_phoff, segments);
}

/* Writers of one file would only wait for each other: one at a time writes, the others make. */
bool
output_write_parts(const struct output *output, int descriptor, unsigned threads,
                   struct trace *trace)
{
    part_list parts = list_parts(output);
    unsigned workers = threads < parts.count ? threads : parts.count;
    struct job job = {
        .output = output,
        .parts = &parts,
        .descriptor = descriptor,
        .buffers = arena_array(output->elfw->arena, workers, sizeof *job.buffers),
    };
    struct parallel_loop loop = {"parts of the output", parts.count, make_part, put_part, &job};

    parallel_run(&loop, workers, trace);
    for (unsigned i = 0; i < workers; i++)
        free(job.buffers[i].at);
    errno = job.failure;
    return !job.failure && put_frame(output, descriptor);
}
