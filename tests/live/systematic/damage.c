#include "damage.h"

#include "cubin/cubin.h"

#include <stdlib.h>
#include <string.h>

uint64_t
random_number(struct source *source)
{
    source->state ^= source->state << 13;
    source->state ^= source->state >> 7;
    source->state ^= source->state << 17;
    return source->state;
}

static size_t
below(struct source *source, size_t limit)
{
    return (size_t)(random_number(source) % limit);
}

/* ---- where ---- */

static bool
is_device_code(const struct victim *victim, Elf64_Ehdr *header)
{
    if (victim->size < sizeof *header || memcmp(victim->bytes, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(header, victim->bytes, sizeof *header);
    return header->e_machine == EM_CUDA && header->e_shoff <= victim->size &&
           header->e_shnum <= (victim->size - header->e_shoff) / sizeof(Elf64_Shdr);
}

bool
mark_code(struct victim *victim)
{
    Elf64_Ehdr header;

    victim->is_code = calloc(victim->size, 1);
    if (!victim->is_code)
        return false;
    if (!is_device_code(victim, &header))
        return true;
    for (unsigned i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, victim->bytes + header.e_shoff + i * sizeof section, sizeof section);
        bool is_code = section.sh_type == SHT_CUDA_CAPSULE ||
                       (section.sh_type == SHT_PROGBITS && section.sh_flags & SHF_EXECINSTR);
        if (is_code && section.sh_offset <= victim->size &&
            section.sh_size <= victim->size - section.sh_offset)
            memset(victim->is_code + section.sh_offset, 1, section.sh_size);
    }
    return true;
}

static size_t
random_place(struct source *source, const struct victim *victim, unsigned code_rarity)
{
    size_t at = below(source, victim->size);

    for (unsigned tries = 0; victim->is_code[at] && tries < code_rarity; tries++)
        at = below(source, victim->size);
    return at;
}

/* ---- what ---- */

static void
flip_bit(struct source *source, const struct victim *victim, uint8_t *into, struct damage *damage)
{
    (void)victim;
    into[damage->at] ^= (uint8_t)(1u << below(source, 8));
}

static void
replace_byte(struct source *source, const struct victim *victim, uint8_t *into,
             struct damage *damage)
{
    static const uint8_t values[] = {0, 255, 1, 2, 4, 128};
    size_t way = below(source, sizeof values + 2);
    uint8_t old = victim->bytes[damage->at];

    into[damage->at] = way < sizeof values ? values[way]
                       : way & 1           ? (uint8_t)(old + 1)
                                           : (uint8_t)(old - 1);
}

static uint32_t
word_at(const struct victim *victim, size_t at)
{
    uint32_t word = 0;

    memcpy(&word, victim->bytes + at, at + sizeof word <= victim->size ? sizeof word : 0);
    return word;
}

static uint32_t
other_word(struct source *source, const struct victim *victim, uint32_t old)
{
    const uint32_t values[] = {0,       UINT32_MAX, 0x80000000, 0x7fffffff,
                               old + 1, old - 1,    old + 16,   old * 2};
    size_t count = sizeof values / sizeof *values, way = below(source, count + 1);

    return way < count ? values[way] : word_at(victim, below(source, victim->size) & ~(size_t)3);
}

static void
replace_word(struct source *source, const struct victim *victim, uint8_t *into,
             struct damage *damage)
{
    damage->at &= ~(size_t)3;
    uint32_t word = other_word(source, victim, word_at(victim, damage->at));
    if (damage->at + sizeof word <= victim->size)
        memcpy(into + damage->at, &word, sizeof word);
}

static void
copy_block(struct source *source, const struct victim *victim, uint8_t *into, struct damage *damage)
{
    size_t from = below(source, victim->size) & ~(size_t)7, size = (size_t)8 << below(source, 3);

    damage->at &= ~(size_t)7;
    if (damage->at + size <= victim->size && from + size <= victim->size)
        memcpy(into + damage->at, victim->bytes + from, size);
}

static void
cut(struct source *source, const struct victim *victim, uint8_t *into, struct damage *damage)
{
    (void)source, (void)victim, (void)into;
    damage->size = damage->at;
}

typedef void change(struct source *, const struct victim *, uint8_t *, struct damage *);

static const struct {
    const char *kind;
    change *change;
    unsigned share;
} changes[] = {
    {"bit", flip_bit, 24},    {"byte", replace_byte, 8}, {"word", replace_word, 12},
    {"block", copy_block, 3}, {"cut", cut, 1},
};

bool
make_damage(struct source *source, const struct victim *victim, unsigned code_rarity, uint8_t *into,
            struct damage *damage)
{
    enum { SHARES = 48 };
    size_t share = below(source, SHARES), kind = 0;

    while (share >= changes[kind].share)
        share -= changes[kind++].share;
    memcpy(into, victim->bytes, victim->size);
    *damage = (struct damage){.kind = changes[kind].kind,
                              .at = random_place(source, victim, code_rarity),
                              .size = victim->size};
    changes[kind].change(source, victim, into, damage);
    return damage->size != victim->size || memcmp(into, victim->bytes, victim->size) != 0;
}
