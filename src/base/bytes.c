#include "base/bytes.h"

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
