#include "finalize/finalize.h"
#include "finalize/record_writer.h"

/* The frame of each text, by its section. */
struct text_frame {
    bool is_known;
    uint32_t size;
};

struct info_program {
    const struct call_graph *graph;
    const struct reach_summary *summary;
    const struct text_frame *frames; /* of SASS, if they are others than mercury says */
};

static const struct symbol_record *
symbol_of_record(const struct elfw *elfw, const struct object *object,
                 const struct info_record *record)
{
    return elfw_get_symbol(elfw, object->symbols[read_u32(record->payload.at)]);
}

static bool
says_frame(const struct info_record *record)
{
    return record->attribute == EIATTR_FRAME_SIZE && record->payload.size >= 2 * sizeof(uint32_t);
}

/*
 * In whole programs functions lie inside kernels. SASS has one frame for all that are in a text: that of
 * the function whose record is the last in the output, the first in the input.
 */
static struct text_frame *
find_text_frames(struct elfw *elfw)
{
    struct text_frame *frames = NULL;

    for (uint32_t i = 1; i < elfw->objects.count; i++) {
        const struct object *object = elfw->objects.at[i];
        struct info_record record;
        size_t offset = 0;

        if (!object_may_have_inner(object))
            continue;
        if (!frames)
            frames = arena_array(elfw->arena, elfw->sections.count, sizeof *frames);
        while (info_next(object->info, &offset, &record)) {
            if (!says_frame(&record))
                continue;
            uint32_t text = elfw_symbol_section(elfw, symbol_of_record(elfw, object, &record));
            uint32_t size = read_u32(record.payload.at + sizeof(uint32_t));
            if (!frames[text].is_known)
                frames[text] = (struct text_frame){true, size};
        }
    }
    return frames;
}

/* Kernels have the registers of all that they call, unless some code asks for its own. */
static void
correct_registers(const struct info_program *program, uint32_t kernel, uint8_t *value)
{
    const struct reached *reached = reached_by(program->summary, program->graph, kernel);

    if (!sets_registers(program->summary, reached))
        write_u32(value, reached->registers);
}

/* What a record says besides the symbol, where the link knows better. */
static void
correct_record(struct elfw *elfw, const struct info_program *program, const struct object *object,
               const struct info_record *record, uint8_t *value)
{
    if (record->attribute != EIATTR_REGCOUNT && !says_frame(record))
        return; /* others need not begin with a symbol */
    const struct symbol_record *symbol = symbol_of_record(elfw, object, record);
    uint32_t function = symbol_function(symbol);

    if (record->attribute == EIATTR_REGCOUNT && function && !elfw_flag(elfw, MERGE_RELOCATABLE) &&
        elfw_function_is_entry(elfw, function))
        correct_registers(program, function, value);
    if (says_frame(record) && program->frames && object_may_have_inner(object))
        write_u32(value, program->frames[elfw_symbol_section(elfw, symbol)].size);
}

static void
carry_global_records(struct record_writer *writer, const struct info_program *program,
                     const struct object *object)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(object->info, &offset, &record)) {
        uint8_t *copy = carry_record(writer, object, &record);

        if (copy && record.payload.size >= 2 * sizeof(uint32_t))
            correct_record(writer->elfw, program, object, &record,
                           copy + INFO_HEADER_SIZE + sizeof(uint32_t));
    }
}

static void
append_stack(struct record_writer *writer, const struct call_graph *graph,
             const struct reach_summary *summary, uint32_t kernel)
{
    const struct function *function = elfw_function(writer->elfw, kernel);
    uint8_t *payload = append_record(writer, EIFMT_SVAL, EIATTR_MIN_STACK_SIZE, 8);

    write_u32(payload, elfw_remap_symbol(writer->elfw, function->symbol));
    write_u32(payload + 4, kernel_stack(graph, summary, kernel));
}

/* One record per kernel, in the order of the symbol table: functions were counted as their symbols were
   made, those of the positive array come first. */
static void
append_stacks(struct record_writer *writer, const struct call_graph *graph,
              const struct reach_summary *summary)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t k = 0; k < graph->kernel_count; k++)
            if ((elfw_function(writer->elfw, graph->kernels[k])->symbol < 0) == pass)
                append_stack(writer, graph, summary, graph->kernels[k]);
}

/* A kernel without a count of its own gets one as soon as something it calls has one. */
static void
append_registers(struct record_writer *writer, const struct call_graph *graph,
                 const struct reach_summary *summary)
{
    struct elfw *elfw = writer->elfw;

    for (uint32_t k = 0; k < graph->kernel_count; k++) {
        const struct function *kernel = elfw_function(elfw, graph->kernels[k]);
        uint32_t registers = reached_by(summary, graph, graph->kernels[k])->registers;

        if (kernel->registers || !registers)
            continue;
        uint8_t *payload = append_record(writer, EIFMT_SVAL, EIATTR_REGCOUNT, 8);
        write_u32(payload, elfw_remap_symbol(elfw, kernel->symbol));
        write_u32(payload + 4, registers);
    }
}

static void
write_global_info(struct elfw *elfw, const struct info_program *program,
                  struct record_writer *writer)
{
    const struct call_graph *graph = program->graph;
    size_t size = 0;

    for (uint32_t i = 1; i < elfw->objects.count; i++)
        size += elfw->objects.at[i]->info.size;
    open_writer(writer, elfw, elfw->arena, size, (size_t)graph->kernel_count * 24);
    for (uint32_t i = 1; i < elfw->objects.count; i++)
        carry_global_records(writer, program, elfw->objects.at[i]);
    if (!elfw_flag(elfw, MERGE_RELOCATABLE)) {
        append_stacks(writer, graph, program->summary);
        append_registers(writer, graph, program->summary);
    }
}

void
make_global_info(struct elfw *elfw, const struct call_graph *graph,
                 const struct reach_summary *summary)
{
    struct info_program program = {.graph = graph, .summary = summary};
    uint32_t twin = elfw_section(elfw, elfw->nvinfo)->twin;
    struct record_writer writer;

    write_global_info(elfw, &program, &writer);
    if (twin) {
        close_writer(&writer, twin);
        program.frames = find_text_frames(elfw);
    }
    if (program.frames)
        write_global_info(elfw, &program, &writer);
    close_writer(&writer, elfw->nvinfo); /* mostly the same records */
}
