#include "merge/opened.h"

#include "base/diag.h"
#include "base/parallel.h"
#include "mercury/view.h"

struct opener_memory {
    struct arena kept, scratch;
};

void
open_view(struct elf_view *view, const char *name, struct bytes image, bool is_mercury,
          struct arena *arena, struct arena *scratch)
{
    if (is_mercury)
        mercury_view_open(view, name, image, arena, scratch);
    else
        sass_view_open(view, name, image, arena, scratch);
}

/* A worker can neither speak nor end the link: what is damaged just does not become sound. */
static void
open_one(void *user, uint32_t index, unsigned worker)
{
    struct opened_images *images = user;
    struct opened_image *one = &images->list[index];
    struct opener_memory *memory = &images->memories[worker];
    struct arena_mark before = arena_mark(&memory->scratch);
    struct diag silent = diag_silent();

    if (!one->image.size)
        return;
    memory->kept.diag = memory->scratch.diag = &silent;
    if (!setjmp(silent.unwind)) {
        open_view(&one->view, one->name, one->image, images->is_mercury, &memory->kept,
                  &memory->scratch);
        one->is_sound = true;
    }
    arena_release(&memory->scratch, before);
}

void
open_images(struct opened_images *images, unsigned threads, struct arena *arena,
            struct trace *trace)
{
    unsigned workers = threads < images->count ? threads : images->count;
    struct parallel_loop loop = {
        .name = "open images", .count = images->count, .make = open_one, .user = images};

    images->memories = arena_array(arena, workers, sizeof *images->memories);
    images->workers = workers; /* from here on there is something to be released */
    for (unsigned i = 0; i < workers; i++) {
        arena_init(&images->memories[i].kept, NULL);
        arena_init_scratch(&images->memories[i].scratch, &images->memories[i].kept);
    }
    parallel_run(&loop, workers, trace);
}

void
opened_images_release(struct opened_images *images)
{
    for (unsigned i = 0; i < images->workers; i++)
        arena_free_all(&images->memories[i].kept);
    images->workers = 0;
}
