#include "input/device_code.h"

#include "base/parallel.h"

static bool
has_code_to_link(const struct host_object *object)
{
    return object->wrapper.found && (object->relocatable.found || !object->linked.found);
}

void
device_code_find(struct bytes file, bool is_member, const struct fatbin_wish *wish,
                 struct device_code *out)
{
    *out = (struct device_code){.file = file.at, .choice = FATBIN_UNKNOWN};
    host_object_read(file, is_member, &out->object);
    out->has_code = !out->object.damage && has_code_to_link(&out->object);
    if (out->has_code && fatbin_has_magic(out->object.relocatable.contents))
        out->choice = fatbin_choose(out->object.relocatable.contents, wish, &out->entry);
}

uint64_t
device_code_packed(const struct device_code *code)
{
    bool is_packed = code->has_code && code->choice == FATBIN_CHOSEN && code->entry.compression;
    return is_packed ? code->entry.unpacked_size : 0;
}

struct unpacking_job {
    const device_code_list *codes;
    const struct crew *crew;
    struct unpacker unpackers[MOST_THREADS]; /* by worker */
};

struct one_unpacking {
    struct unpacker *unpacker;
    struct device_code *code;
};

static void
unpack_one(void *user, struct worker_memory *memory)
{
    const struct one_unpacking *one = user;
    struct bytes contents;

    one->unpacker->arena = memory->kept;
    if (fatbin_unpack(one->unpacker, &one->code->entry, &contents) == UNPACKED)
        one->code->unpacked = contents;
}

static void
unpack_in_turn(void *user, uint32_t index, unsigned worker)
{
    struct unpacking_job *job = user;
    struct one_unpacking one = {&job->unpackers[worker], &job->codes->at[index]};

    if (device_code_packed(one.code))
        crew_try(job->crew, worker, unpack_one, &one);
}

void
unpack_ahead(const device_code_list *codes, struct crew *crew, unsigned threads)
{
    struct unpacking_job job = {.codes = codes, .crew = crew};
    struct parallel_loop loop = {
        .name = "unpack", .count = codes->count, .make = unpack_in_turn, .user = &job};

    crew_prepare(crew);
    parallel_run(&loop, threads, crew->trace);
    for (unsigned i = 0; i < MOST_THREADS; i++)
        unpacker_release(&job.unpackers[i]);
}
