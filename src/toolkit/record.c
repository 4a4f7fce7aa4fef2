#include "toolkit/record.h"

#include "base/file.h"
#include "toolkit/paths.h"

#include <string.h>

static const char heading[] = "A CUDA toolkit that links with culd, made by culd --make-toolkit.\n";

/* The rest of the line that begins with `key`; NULL if there is none. */
static const char *
value_of(struct arena *arena, const char *text, const char *key)
{
    const char *line = strstr(text, arena_format(arena, "\n%s ", key));

    if (!line)
        return NULL;
    line += strlen(key) + 2;
    return arena_text(arena, line, strcspn(line, "\n"));
}

bool
record_read(struct arena *arena, const char *folder, struct toolkit_record *out)
{
    struct input_file file;

    if (!file_read(path_join(arena, folder, RECORD_NAME), &file))
        return false;
    const char *text = arena_text(arena, (const char *)file.bytes.at, file.bytes.size);
    file_release(&file);
    if (strncmp(text, heading, strlen(heading)) != 0)
        return false;
    out->root = value_of(arena, text, "cuda");
    out->bin = value_of(arena, text, "programs");
    out->culd = value_of(arena, text, "nvlink");
    return out->root && out->bin && out->culd;
}

bool
record_write(struct arena *arena, const char *folder, const struct toolkit_record *record)
{
    const char *text = arena_format(arena, "%s\ncuda %s\nprograms %s\nnvlink %s\n", heading,
                                    record->root, record->bin, record->culd);

    return file_write(path_join(arena, folder, RECORD_NAME),
                      (struct bytes){(const uint8_t *)text, strlen(text)});
}
