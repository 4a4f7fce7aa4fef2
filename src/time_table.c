#include "time_table.h"

#include "base/file.h"

static const char heading[] = "source file name , phase name , phase input files , "
                              "phase output file , arch , tool, metric , unit\n";

static bool
goes_to_standard_output(const culd_link *link)
{
    return !strcmp(link->options.time_file, "-");
}

/* The table as it is so far. */
static void
set_table(culd_link *link, const char *text)
{
    link->time_table = text;
    if (goes_to_standard_output(link)) {
        link->text = text;
        return;
    }
    struct culd_file *file = &link->files.at[link->time_table_file];
    file->bytes = text;
    file->size = strlen(text);
}

/* A file that exists, even an empty one, gets no heading. */
void
time_table_begin(culd_link *link)
{
    const char *path = link->options.time_file;

    if (!path)
        return;
    if (goes_to_standard_output(link)) {
        set_table(link, heading);
        return;
    }
    if (!file_is_writable(path))
        diag_fatal(&link->diag, "Cannot open file '%s'", path);
    link->time_table_file = link->files.count;
    link_add_file(link, path, (struct bytes){0});
    link->files.at[link->time_table_file].is_appended = true;
    set_table(link, file_exists(path) ? "" : heading);
}

void
time_table_add(culd_link *link, const char *source, const char *compiler, const char *input,
               const char *result, double milliseconds)
{
    if (!link->time_table)
        return;
    set_table(link, arena_format(&link->arena, "%s%s , %s , %s , %s , %s , nvlink , %.4f , ms\n",
                                 link->time_table, source, compiler, input, result, link->arch.name,
                                 milliseconds));
}
