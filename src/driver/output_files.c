#include "base/file.h"
#include "driver/measurements.h"
#include "finalize/output.h"
#include "link.h"

void
link_add_file(culd_link *link, const char *path, struct bytes bytes)
{
    array_push(&link->files, &link->arena,
               ((struct culd_file){.path = path, .bytes = bytes.at, .size = bytes.size}));
}

size_t
culd_files(const culd_link *link, const struct culd_file **files)
{
    *files = link->files.at;
    return link->files.count;
}

void
link_write_parts(culd_link *link)
{
    link->writes_parts = true;
}

static bool
write_parts(void *user, int descriptor)
{
    culd_link *link = user;
    return output_write_parts(link->parts, descriptor, link_threads(link, link->parts->size),
                              &link->trace);
}

static bool
write_file(culd_link *link, uint32_t number)
{
    const struct culd_file *file = &link->files.at[number];
    struct bytes bytes = {file->bytes, file->size};

    if (link->parts && number == link->parts_file)
        return file_make(file->path, file->size, write_parts, link);
    return file->is_appended ? file_append(file->path, bytes) : file_write(file->path, bytes);
}

enum culd_status
culd_write_files(culd_link *link)
{
    if (setjmp(link->diag.unwind))
        return CULD_FATAL;
    trace_phase(&link->trace, "write files");
    measurements_update(link); /* a link that failed has said nothing yet */
    for (uint32_t i = 0; i < link->files.count; i++) {
        if (i + 1 == link->trace_file) {
            trace_phase(&link->trace, NULL);
            measurements_update(link);
        }
        if (!write_file(link, i))
            diag_fatal(&link->diag, "Could not open output file '%s'", link->files.at[i].path);
    }
    trace_phase(&link->trace, NULL);
    measurements_update(link);
    return CULD_OK;
}
