/* An archive: its members, those of a thin one by name. */
#include "fuzz_reader.h"

#include "input/archive.h"

#include <string.h>

void
read_bytes(struct arena *arena, struct bytes bytes)
{
    struct archive archive;
    struct archive_member member;

    if (!is_archive(bytes))
        return;
    archive_open(&archive, bytes);
    enum archive_step step = archive_next(&archive, &member);
    for (; step == ARCHIVE_MEMBER; step = archive_next(&archive, &member)) {
        const char *path = archive_member_path(arena, "folder/lib.a", &member);

        use_bytes((struct bytes){(const uint8_t *)path, strlen(path)});
        use_bytes(member.name);
        use_bytes(member.contents);
    }
    if (step != ARCHIVE_END)
        use_bytes((struct bytes){(const uint8_t *)archive_complaint(step), 1});
}
