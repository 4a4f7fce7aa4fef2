#include "mercury/leaf_kernels.h"
#include "mercury/mercury.h"
#include "mercury/split.h"

/* Constants may stay although their definition lost, or was replaced: see merge/weak.c. */
static bool
is_of_loser(const struct elfw *elfw, const struct piece *piece)
{
    const struct object *object = elfw->objects.at[piece->object];
    const Elf64_Shdr *section = &object->elf.sections[piece->input];

    if (piece->is_loser || section->sh_type != SHT_CUDA_CONSTANT2)
        return piece->is_loser;
    uint32_t winner = owner_of_constants(elfw, object, piece->input);
    return winner && elfw_function(elfw, winner)->object != piece->object;
}

/* The bytes that stand for those of a piece in the SASS view. */
static struct bytes
sass_bytes(struct elfw *elfw, const struct piece *piece)
{
    struct bytes own = {piece->bytes, piece->size};

    if (!piece->object)
        return own;
    const struct elf_view *elf = &elfw->objects.at[piece->object]->elf;
    if (!elf->twins[piece->input])
        return own;
    if (is_of_loser(elfw, piece))
        return losing_jump_table(elfw, piece);
    return elf_contents(elf, elf->twins[piece->input]);
}

/* Data has its places already, the same in both views; the rest is laid out anew. */
static void
take_sass_pieces(struct elfw *elfw, uint32_t index)
{
    uint32_t next = elfw_section(elfw, index)->first_piece;
    bool is_data = elfw_section(elfw, index)->flags & SHF_ALLOC &&
                   !(elfw_section(elfw, index)->flags & SHF_EXECINSTR);
    uint64_t size = elfw_section(elfw, index)->size;

    elfw_clear_section(elfw, index);
    for (; next; next = elfw->pieces.at[next].next) {
        struct piece piece = elfw->pieces.at[next];
        struct bytes bytes = sass_bytes(elfw, &piece);
        const struct object *object = elfw->objects.at[piece.object];

        if (is_data)
            elfw_section(elfw, index)->size = piece.base;
        if (is_data && bytes.size > piece.size)
            bytes.size = piece.size;
        uint64_t base = elfw_append(elfw, index, bytes, bytes.size, is_data ? 1 : piece.align);
        uint32_t input = piece.object ? object->elf.twins[piece.input] : 0;
        if (input)
            object->bases[input] = base;
        if (bytes.size && piece.object)
            elfw_mark_piece(elfw, index, object, input);
    }
    if (is_data)
        elfw_section(elfw, index)->size = size;
}

/* Whatever the input says. */
enum { TEXT_ALIGNMENT = 128 };

static void
take_sass_text(struct elfw *elfw, uint32_t index)
{
    take_sass_pieces(elfw, index);
    if (elfw_section(elfw, index)->first_piece) /* else the section is empty */
        elfw_section(elfw, index)->align = TEXT_ALIGNMENT;
}

void
take_sass_contents(struct elfw *elfw, uint32_t index)
{
    const struct section *section = elfw_section(elfw, index);

    if (section->flags & SHF_EXECINSTR)
        take_sass_text(elfw, index);
    else if (section->type == SHT_CUDA_CONSTANT0)
        take_parameters(elfw, index);
    else
        take_sass_pieces(elfw, index);
}
