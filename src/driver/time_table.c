#include "driver/time_table.h"

#include "base/file.h"

static const char heading[] = "source file name , phase name , phase input files , "
                              "phase output file , arch , tool, metric , unit\n";

static bool
goes_to_standard_output(const culd_link *link)
{
    return !strcmp(link->options.time_file, "-");
}

/* The table as it is so far is what will be written, whatever happens to the link. */
static void
publish(culd_link *link)
{
    if (goes_to_standard_output(link)) {
        link->text = link->time_table.at;
        return;
    }
    struct culd_file *file = &link->files.at[link->time_table_file];
    file->bytes = link->time_table.at;
    file->size = link->time_table.size;
}

/* A file that exists, even an empty one, gets no heading. */
void
time_table_begin(culd_link *link)
{
    const char *path = link->options.time_file;

    if (!path)
        return;
    link->time_table = (struct text){.arena = &link->arena};
    bool is_new = goes_to_standard_output(link);
    if (!is_new) {
        if (!file_is_writable(path))
            diag_fatal(&link->diag, "Cannot open file '%s'", path);
        is_new = !file_exists(path);
        link->time_table_file = link->files.count;
        link_add_file(link, path, (struct bytes){0});
        link->files.at[link->time_table_file].is_appended = true;
    }
    text_add(&link->time_table, "%s", is_new ? heading : "");
    publish(link);
}

void
time_table_add(culd_link *link, const char *source, const char *compiler, const char *input,
               const char *result, double milliseconds)
{
    if (!link->time_table.arena)
        return;
    text_add(&link->time_table, "%s , %s , %s , %s , %s , nvlink , %.4f , ms\n", source, compiler,
             input, result, link->arch.name, milliseconds);
    publish(link);
}
