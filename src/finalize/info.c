#include "finalize/finalize.h"
#include "finalize/record_writer.h"

static void
carry_global_records(struct record_writer *writer, const struct object *object,
                     const struct call_graph *graph, const struct reach_summary *summary)
{
    struct elfw *elfw = writer->elfw;
    struct info_record record;
    size_t offset = 0;

    while (info_next(object->info, &offset, &record)) {
        uint8_t *copy = carry_record(writer, object, &record);

        if (!copy || record.attribute != EIATTR_REGCOUNT ||
            record.payload.size < 2 * sizeof(uint32_t) || elfw_flag(elfw, MERGE_RELOCATABLE))
            continue;
        int32_t symbol = object->symbols[read_u32(record.payload.at)];
        uint32_t function = symbol_function(elfw_get_symbol(elfw, symbol));
        if (function && elfw_function_is_entry(elfw, function))
            write_u32(copy + INFO_HEADER_SIZE + sizeof(uint32_t),
                      reached_by(summary, graph, function)->registers);
    }
}

/* One record per kernel, in the order of the symbol table. */
static void
append_stacks(struct record_writer *writer, const struct call_graph *graph,
              const struct reach_summary *summary)
{
    struct elfw *elfw = writer->elfw;

    for (int pass = 0; pass < 2; pass++) {
        const struct symbol_record *records = pass ? elfw->neg_symbols.at : elfw->pos_symbols.at;
        uint32_t count = pass ? elfw->neg_symbols.count : elfw->pos_symbols.count;

        for (uint32_t i = 1; i < count; i++) {
            uint32_t function = symbol_function(&records[i]);

            if (!function || elfw_function(elfw, function)->is_dead ||
                !elfw_function_is_entry(elfw, function))
                continue;
            uint8_t *payload = append_record(writer, EIFMT_SVAL, EIATTR_MIN_STACK_SIZE, 8);
            write_u32(payload, elfw_remap_symbol(elfw, records[i].sym_index));
            write_u32(payload + 4, kernel_stack(graph, summary, function));
        }
    }
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

void
make_global_info(struct elfw *elfw, const struct call_graph *graph,
                 const struct reach_summary *summary)
{
    struct record_writer writer;
    size_t size = 0;

    for (uint32_t i = 1; i < elfw->objects.count; i++)
        size += elfw->objects.at[i]->info.size;
    open_writer(&writer, elfw, elfw->arena, size, (size_t)graph->kernel_count * 24);
    for (uint32_t i = 1; i < elfw->objects.count; i++)
        carry_global_records(&writer, elfw->objects.at[i], graph, summary);
    if (!elfw_flag(elfw, MERGE_RELOCATABLE)) {
        append_stacks(&writer, graph, summary);
        append_registers(&writer, graph, summary);
    }
    close_writer(&writer, elfw->nvinfo);
    uint32_t twin = elfw_section(elfw, elfw->nvinfo)->twin;
    if (twin) /* the same records, once more */
        close_writer(&writer, twin);
}
