#include "merge/ahead.h"

#include "base/diag.h"
#include "base/parallel.h"

struct opener {
    struct arena kept, scratch;
};

struct opened_place {
    struct object *object;
    struct notes_room room;
};

void
openers_init(struct openers *openers, bool is_mercury, unsigned workers, struct arena *arena)
{
    openers->is_mercury = is_mercury;
    openers->place_count = MOST_PLACES;
    openers->places = arena_array(arena, openers->place_count, sizeof *openers->places);
    openers->list = arena_array(arena, workers, sizeof *openers->list);
    openers->count = workers; /* from here on there is something to be released */
    for (unsigned i = 0; i < workers; i++) {
        arena_init(&openers->list[i].kept, NULL);
        arena_init_scratch(&openers->list[i].scratch, &openers->list[i].kept);
    }
}

void
openers_release(struct openers *openers)
{
    for (unsigned i = 0; i < openers->count; i++)
        arena_free_all(&openers->list[i].kept);
    openers->count = 0;
}

static struct opened_place *
place_of_index(const struct openers *openers, uint32_t index)
{
    return &openers->places[index % openers->place_count];
}

/* A worker can neither speak nor end the link: what is damaged just does not become an object. */
void
open_ahead(struct openers *openers, uint32_t index, unsigned worker, const char *name,
           struct bytes image)
{
    struct opener *opener = &openers->list[worker];
    struct opened_place *place = place_of_index(openers, index);
    struct opening opening = {openers->is_mercury, &opener->kept, &opener->scratch, &place->room};
    struct arena_mark before = arena_mark(&opener->scratch);
    struct diag silent = diag_silent();

    opener->kept.diag = opener->scratch.diag = &silent;
    if (!setjmp(silent.unwind))
        place->object = open_object(name, image, &opening);
    arena_release(&opener->scratch, before);
}

struct object *
take_opened(struct openers *openers, uint32_t index)
{
    struct opened_place *place = place_of_index(openers, index);
    struct object *object = place->object;

    place->object = NULL;
    return object;
}
