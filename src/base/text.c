#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

enum { FIRST_CAPACITY = 256 };

static void
reserve(struct text *text, size_t more)
{
    size_t capacity = text->capacity ? text->capacity : FIRST_CAPACITY;

    if (text->size + more < text->capacity)
        return;
    while (capacity <= text->size + more)
        capacity *= 2;
    text->at = arena_enlarge(text->arena, text->at, text->capacity, capacity);
    text->capacity = capacity;
}

void
text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;

    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    reserve(text, (size_t)length + 1);
    vsnprintf(text->at + text->size, (size_t)length + 1, format, again);
    va_end(again);
    text->size += (size_t)length;
}
