#include "merge/ahead.h"

struct one_image {
    const char *name;
    struct bytes image;
    bool is_mercury, is_trusted;
    struct opened_place *place;
    struct known_code *known;
};

static void
open_one(void *user, struct worker_memory *memory)
{
    const struct one_image *one = user;
    struct opening opening = {one->is_mercury,  one->is_trusted,   memory->kept,
                              &memory->scratch, &one->place->room, one->known};

    one->known->arena = memory->kept;
    one->place->object = open_object(one->name, one->image, &opening);
}

void
open_ahead(struct opened_images *images, uint32_t index, unsigned worker, const char *name,
           struct bytes image)
{
    struct one_image one = {name,
                            image,
                            images->is_mercury,
                            images->is_trusted,
                            &images->places[index % MOST_PLACES],
                            &images->known[worker]};

    crew_try(images->crew, worker, open_one, &one);
}

struct object *
take_opened(struct opened_images *images, uint32_t index)
{
    struct opened_place *place = &images->places[index % MOST_PLACES];
    struct object *object = place->object;

    place->object = NULL;
    return object;
}
