#include "mercury/constant_roles.h"

#include "base/bytes.h"

enum {
    PARAMETER = 0x40, /* the first of nvlink's table */
    LAST_OF_USERS = 0x49,
    LAST_ROLE = 0xab,
    PARAMETERS_AT = 0x380,
};

/* Each was set in a record and linked, for sm_100 and sm_120; with what is not in it nvlink reads past the ends of its
   table. ANYWHERE: slots of textures, behind the parameters. */
enum { NO_BANK = 0xff, ANYWHERE = 0xffff, SLOT_UNIT = 16 };
static const struct role {
    uint8_t bank;
    uint16_t begin;
} roles[] = {
    {0, PARAMETERS_AT}, {2, 0},        {3, 0}, {NO_BANK, 0}, {NO_BANK, 0}, {5, 0}, {6, 0}, {4, 0},
    {0, 0x170},         {0, ANYWHERE},
};

static unsigned
bank_of(const uint8_t *text)
{
    enum { BANK_AT = 6, SHIFT = 6, BANKS = 32 };

    return (unsigned)read_u16(text + BANK_AT) >> SHIFT & (BANKS - 1);
}

/* Above those of the instruction there is one more bit, for sizes that do not exist. */
static bool
has_size(const uint8_t *record)
{
    enum { SIZE_AT = 6, NO_SIZE = 0x80 };

    return !(record[SIZE_AT] & NO_SIZE);
}

/* Roles behind those of users are single words that the system keeps before the parameters. */
bool
constant_role_fits(const uint8_t *record, const uint8_t *text, uint32_t begin)
{
    unsigned role = read_u16(record + CONSTANT_ROLE_AT), bank = bank_of(text);

    if (role < PARAMETER || role > LAST_ROLE || !has_size(record))
        return false;
    if (role > LAST_OF_USERS)
        return bank == 0 && begin < PARAMETERS_AT;
    const struct role *one = &roles[role - PARAMETER];
    if (one->begin == ANYWHERE)
        return bank == one->bank && begin >= PARAMETERS_AT && begin % SLOT_UNIT == 0;
    return bank == one->bank && begin == one->begin;
}
