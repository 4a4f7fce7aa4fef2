#include "merge/check.h"
#include "merge/merge.h"

enum { ROW_SIZE = 2 * sizeof(uint32_t) };

struct reader {
    struct elfw *elfw;
    struct object *object;
    uint32_t section;
    uint64_t offset; /* of the row */
};

static uint32_t
row_symbol(const struct reader *reader, uint32_t symbol)
{
    if (symbol == 0 || symbol >= reader->object->elf.symbol_count ||
        ELF64_ST_TYPE(reader->object->elf.symbols[symbol].st_info) != STT_FUNC)
        DAMAGED(reader->elfw, reader->object, reader->section, reader->offset,
                "symbol %u is no function", symbol);
    return symbol;
}

static uint32_t
row_function(const struct reader *reader, uint32_t symbol)
{
    int32_t index = reader->object->symbols[row_symbol(reader, symbol)];
    uint32_t function = symbol_function(elfw_get_symbol(reader->elfw, index));

    /* After an error: the name stands for something else. */
    if (!function)
        diag_fatal(reader->elfw->diag,
                   "Internal error: no callgraph node (in '%s', section '%s', offset 0x%llx: "
                   "function '%s')",
                   reader->object->name, elf_section_name(&reader->object->elf, reader->section),
                   (unsigned long long)reader->offset,
                   elf_symbol_name(&reader->object->elf, symbol));
    return function;
}

static uint32_t
row_prototype(const struct reader *reader, uint32_t offset)
{
    const char *text = elf_string(&reader->object->elf, offset);

    if (!text)
        DAMAGED(reader->elfw, reader->object, reader->section, reader->offset,
                "the prototype at 0x%x is past the string table", offset);
    if ((text[0] && text[0] != '#') || (offset && text[-1]))
        DAMAGED(reader->elfw, reader->object, reader->section, reader->offset,
                "'%s' is no prototype", text);
    return name_map_add(&reader->elfw->prototypes, text);
}

/* Behind a bar stands which registers a call of the driver uses, which each input says for itself. */
static bool
same_prototype(const struct elfw *elfw, const char *function, uint32_t a, uint32_t b)
{
    const char *x = name_at(&elfw->prototypes, a)->text, *y = name_at(&elfw->prototypes, b)->text;
    size_t length = strcspn(x, "|");

    return a == b ||
           (elfw_is_syscall(elfw, function) && length == strcspn(y, "|") && !memcmp(x, y, length));
}

/* A function is declared with one prototype everywhere, whether called or taken by address. */
static void
check_prototype(const struct reader *reader, uint32_t ordinal, uint32_t prototype)
{
    struct elfw *elfw = reader->elfw;
    const struct function *function = elfw_function(elfw, ordinal);
    uint32_t known = function->taken_prototype ? function->taken_prototype : function->prototype;
    const struct symbol_record *symbol = elfw_function_symbol(elfw, ordinal);

    if (known && !same_prototype(elfw, symbol->name_str, known, prototype) &&
        symbol_binding(symbol) != STB_LOCAL)
        diag_error(elfw->diag, "Prototype doesn't match for '%s' in '%s', first defined in '%s'",
                   symbol->name_str, reader->object->name, first_file(elfw, symbol->name_id));
}

static void
read_row(const struct reader *reader, uint32_t part, uint32_t first, uint32_t second)
{
    struct elfw *elfw = reader->elfw;
    uint32_t caller = row_function(reader, first);
    bool is_lost = reader->object->fates[first] == SYMBOL_LOST;

    if (part == CALLGRAPH_CALLS || part == CALLGRAPH_TAKES_ADDRESS) {
        uint32_t callee = row_function(reader, second);
        struct function *function = elfw_function(elfw, caller);
        if (is_lost)
            return;
        elfw_add_edge(elfw,
                      part == CALLGRAPH_CALLS ? &function->callees : &function->taken_addresses,
                      callee);
        /* Counts even where the definition taken by address is one that lost. */
        if (part == CALLGRAPH_TAKES_ADDRESS)
            elfw_function(elfw, callee)->is_address_taken = true;
        return;
    }
    if (is_lost)
        return;
    uint32_t prototype = row_prototype(reader, second);
    if (part == CALLGRAPH_INDIRECT_CALLS) {
        elfw_add_edge(elfw, &elfw_function(elfw, caller)->indirect_calls, prototype);
    } else {
        elfw_function(elfw, caller)->is_address_taken = true;
        elfw_function(elfw, caller)->taken_prototype = prototype;
    }
}

static bool
is_part(uint32_t mark)
{
    return mark >= CALLGRAPH_TAKES_ADDRESS;
}

static void
read_callgraph(struct reader *reader)
{
    struct bytes rows = elf_contents(&reader->object->elf, reader->section);
    uint32_t part = 0;

    for (reader->offset = 0; reader->offset + ROW_SIZE <= rows.size; reader->offset += ROW_SIZE) {
        uint32_t first = read_u32(rows.at + reader->offset);
        uint32_t second = read_u32(rows.at + reader->offset + sizeof first);

        if (first == 0 && is_part(second))
            part = second;
        else if (!part)
            DAMAGED(reader->elfw, reader->object, reader->section, reader->offset,
                    "the row belongs to no part");
        else
            read_row(reader, part, first, second);
    }
}

/* For a compiler only functions of other files have one that says which registers a call uses. */
static bool
is_of_call(const struct reader *reader, uint32_t symbol, uint32_t text)
{
    const struct elf_view *elf = &reader->object->elf;

    return !elf->is_of_linker && elf_symbol_section(elf, symbol) != SHN_UNDEF &&
           strchr(elf_string(elf, text), '|');
}

static void
read_prototypes(struct reader *reader)
{
    struct bytes rows = elf_contents(&reader->object->elf, reader->section);

    for (reader->offset = 0; reader->offset + ROW_SIZE <= rows.size; reader->offset += ROW_SIZE) {
        uint32_t symbol = read_u32(rows.at + reader->offset);
        uint32_t ordinal = row_function(reader, symbol);
        uint32_t text = read_u32(rows.at + reader->offset + sizeof symbol);
        uint32_t prototype = row_prototype(reader, text);

        if (is_of_call(reader, symbol, text))
            DAMAGED(reader->elfw, reader->object, reader->section, reader->offset,
                    "the prototype of '%s' is that of a call",
                    elf_symbol_name(&reader->object->elf, symbol));
        check_prototype(reader, ordinal, prototype);
        elfw_function(reader->elfw, ordinal)->prototype = prototype;
    }
}

void
merge_callgraph(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count; i++) {
        struct reader reader = {.elfw = elfw, .object = object, .section = i};

        if (object->elf.sections[i].sh_type == SHT_CUDA_CALLGRAPH)
            read_callgraph(&reader);
        else if (object->elf.sections[i].sh_type == SHT_CUDA_PROTOTYPE)
            read_prototypes(&reader);
    }
}
