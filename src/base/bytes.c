#include "base/bytes.h"

uint64_t
long_string_end(struct bytes bytes, uint64_t at)
{
    const uint8_t *end = at < bytes.size ? memchr(bytes.at + at, 0, bytes.size - at) : NULL;
    return end ? (uint64_t)(end - bytes.at) + 1 : 0;
}

bool
next_string(struct bytes *list, struct bytes *out)
{
    while (list->size > 0) {
        const uint8_t *end = memchr(list->at, '\0', list->size);
        size_t length = end ? (size_t)(end - list->at) : list->size;

        *out = (struct bytes){list->at, length};
        length += end ? 1 : 0;
        list->at += length;
        list->size -= length;
        if (out->size > 0)
            return true;
    }
    return false;
}
