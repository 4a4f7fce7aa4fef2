/*
 * text.h: text that grows at its end, in an arena.
 */
#ifndef CULD_BASE_TEXT_H
#define CULD_BASE_TEXT_H

#include "base/arena.h"
#include "base/bytes.h"

struct text {
    struct arena *arena;
    char *at;
    size_t size; /* without the NUL that always follows */
    size_t capacity;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline struct bytes
text_bytes(const struct text *text)
{
    return (struct bytes){(const uint8_t *)text->at, text->size};
}

#endif
