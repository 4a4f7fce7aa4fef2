#include "base/file.h"
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

enum culd_status
culd_write_files(culd_link *link)
{
    if (setjmp(link->diag.unwind))
        return CULD_FATAL;
    for (uint32_t i = 0; i < link->files.count; i++) {
        const struct culd_file *file = &link->files.at[i];
        struct bytes bytes = {file->bytes, file->size};

        if (!(file->is_appended ? file_append : file_write)(file->path, bytes))
            diag_fatal(&link->diag, "Could not open output file '%s'", file->path);
    }
    return CULD_OK;
}
