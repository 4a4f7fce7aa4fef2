#include "mercury/instruction_tables.h"

/* Every key has a slot for itself: a compiler that warns of overridden initializers says if not. */
enum { ROW_SLOTS = 256, SPECIAL_SLOTS = 256 };
#define ROW_SLOT(key) ((key)*916159u >> 20 & (ROW_SLOTS - 1))
#define SPECIAL_SLOT(key) ((key)*1020529u >> 20 & (SPECIAL_SLOTS - 1))

/* ---- records ---- */

/* clang-format off */
static const struct forms forms_012900 = {
    {0xffffff0600000000u, 0x3fc03fc03fffffu, 0, 0}, {0xffffff0000000000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x4000000000000u, 0x1f801u, 0, 0}, {0, 0x78e3cffu}},
}, {0}, {0}};
static const struct forms forms_012908 = {
    {0xffffff0600000000u, 0xf03fc03fc03fffffu, 0, 0}, {0xffffffc000000000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x4000000000000u, 0x1f801u, 0, 0}, {0, 0xf8e3cffu}},
}, {0}, {0}};
static const struct forms forms_012b00 = {
    {0xffffff0600000000u, 0x3fc03fffffffffu, 0, 0}, {0xffffff00ff000000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x4000000000000u, 0x1f8010000u, 0, 0}, {0xff000000u, 0x78e33ffu}},
}, {0}, {0}};
static const struct forms forms_01475a = {
    {0xffffff0600000000u, 0xf000fffff0ffffffu, 0, 0}, {0xfc0003ffffff0000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x4000000000000u, 0x100000000u, 0, 0}, {0, 0x10000u}},
}, {0}, {0}};
static const struct forms forms_015800 = {
    {0xffffff0600000000u, 0xffffc03ffe01ffffu, 0, 0}, {0xffffff0000ff0000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x1000000000000u, 0x10000u, 0, 0}, {0, 0}},
}, {0}, {0}};
static const struct forms forms_015802 = {
    {0xffffff0600000000u, 0xfffffe01003fffffu, 0, 0}, {0xffffffff00000000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0, 0x10000u, 0, 0}, {0, 0x100000u}},
}, {0}, {0}};
static const struct forms forms_020c1e = {
    {0xffffff0600000000u, 0xffffc03fc03fffffu, 0xffffffffffffffffu, 0x3fffffffffffu}, {0x3fff00000000u, 0x1ffffffffffu}, 7, (const struct form[]){
    {{0x8000000000000u, 0x13000200030000u, 0, 0}, {0, 0}},
    {{0x208000000000000u, 0x13000200030000u, 0, 0}, {0, 0x100u}},
    {{0x28000000000000u, 0x13000200030000u, 0, 0}, {0, 0x4000u}},
    {{0x48000000000000u, 0x13000200030000u, 0, 0}, {0, 0x8000u}},
    {{0x8000000000000u, 0x13000200030000u, 0, 0x48000000000u}, {0x48000000000u, 0}},
    {{0x408000000000000u, 0x13000200030000u, 0, 0}, {0, 0x200u}},
    {{0x608000000000000u, 0x13000200030000u, 0, 0}, {0, 0x300u}},
}, {0}, {0}};
static const struct forms forms_020c52 = {
    {0xffffff0600000000u, 0xc03fffffc03fffffu, 0xffffffffffffffffu, 0}, {0, 0x1ffffffffffu}, 2, (const struct form[]){
    {{0xa000000000000u, 0x2f80100030000u, 0xb00u, 0}, {0, 0x78e0200u}},
    {{0x2a000000000000u, 0x2f80100030000u, 0xb00u, 0}, {0, 0x78e0300u}},
}, {0}, {0}};
static const struct forms forms_020d1a = {
    {0xffffff0600000000u, 0xffffc03fc03fffffu, 0xffffffffff003dffu, 0xffffffffu}, {0, 0x1ffffffff00u}, 4, (const struct form[]){
    {{0x8000000000000u, 0x13000200030000u, 0, 0}, {0, 0}},
    {{0x808000000000000u, 0x13000200030000u, 0, 0}, {0, 0x800u}},
    {{0x208000000000000u, 0x13000200030000u, 0, 0}, {0, 0x100u}},
    {{0x1208000000000000u, 0x13000200030000u, 0, 0}, {0, 0x500u}},
}, {0}, {0}};
static const struct forms forms_020d1c = {
    {0xffffff0600000000u, 0xc03fc03fc03fffffu, 0xffffffffffffffffu, 0xffffffffu}, {0, 0x1ffffffff00u}, 10, (const struct form[]){
    {{0x208000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0x100u}},
    {{0x8000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0}},
    {{0x808000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0x800u}},
    {{0x1808000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0xc00u}},
    {{0xa08000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0x900u}},
    {{0x1208000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0x500u}},
    {{0x608000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0x300u}},
    {{0xc08000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0xa00u}},
    {{0x408000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0x200u}},
    {{0x1008000000000000u, 0x2000200030000u, 0x1300u, 0}, {0, 0x400u}},
}, {0}, {0}};
static const struct forms forms_020f12 = {
    {0xffffff0600000000u, 0xffff003dc03fffffu, 0xffffffffffffffffu, 0xffffffffu}, {0, 0x1ffffffffffu}, 4, (const struct form[]){
    {{0x8000000000000u, 0x13000000030000u, 0, 0}, {0, 0}},
    {{0x28000000000000u, 0x13000000030000u, 0, 0}, {0, 0x4000u}},
    {{0x48000000000000u, 0x13000000030000u, 0, 0}, {0, 0x8000u}},
    {{0x408000000000000u, 0x13000000030000u, 0, 0}, {0, 0x200u}},
}, {0}, {0}};
static const struct forms forms_022208 = {
    {0xff8fff0600000000u, 0xfffffffff039ffffu, 0xffffffffffffffffu, 0xffff0000ffffffffu}, {0xffe0001fffc00000u, 0x1fffffff1ffu}, 2, (const struct form[]){
    {{0x2000200000000u, 0x2004000010000u, 0, 0}, {0xff000000u, 0x8000000u}},
    {{0x2000200000000u, 0x2004200010000u, 0, 0}, {0xc00000ff000000u, 0x8000000u}},
}, {0}, {0}};
static const struct forms forms_02220c = {
    {0xff8fff0600000000u, 0xc03fffffc03dffffu, 0xffffffffffffffffu, 0xffffffffu}, {0xffc0003f00000000u, 0x1fffffff1ffu}, 3, (const struct form[]){
    {{0x2000000000000u, 0x4000010000u, 0xa00u, 0}, {0, 0}},
    {{0x2000000000000u, 0x4200010000u, 0xa00u, 0}, {0xc0000000000000u, 0}},
    {{0x2000000000000u, 0x4100010000u, 0xa00u, 0}, {0x80000000000000u, 0}},
}, {0}, {0}};
static const struct forms forms_02220e = {
    {0xff8fff0600000000u, 0xffffffffc03dffffu, 0xffffffffffffffffu, 0xffff0000ffffffffu}, {0xffc0003fff000000u, 0x1fffffff1ffu}, 2, (const struct form[]){
    {{0x2000000000000u, 0x2004000010000u, 0, 0}, {0xff000000u, 0}},
    {{0x2000000000000u, 0x2004200010000u, 0, 0}, {0xc00000ff000000u, 0}},
}, {0}, {0}};
static const struct forms forms_022228 = {
    {0xff8fff0600000000u, 0xffffc03fc039ffffu, 0xffffffffffffffffu, 0xffffffffu}, {0xff00000000u, 0x1fffffff1ffu}, 2, (const struct form[]){
    {{0x101000000000000u, 0xa000000010000u, 0, 0}, {0, 0x100000u}},
    {{0x301000000000000u, 0xa000000010000u, 0, 0}, {0, 0x300000u}},
}, {0}, {0}};
static const struct forms forms_022232 = {
    {0xfff8ff0600000000u, 0xc07fc039ffffffffu, 0xfffffff07fffffffu, 0xffffffffu}, {0xc101000000u, 0x1fffffff1ffu}, 6, (const struct form[]){
    {{0x1010000000000000u, 0x2000100000001u, 0xf8000002000a00u, 0}, {0, 0xc115100u}},
    {{0x810000000000000u, 0x2000100000000u, 0xf8000002000a00u, 0}, {0, 0xc101100u}},
    {{0x1010000000000000u, 0x2000100000001u, 0xf8001002000a00u, 0}, {0x4000000000u, 0xc115100u}},
    {{0x5010000000000000u, 0x2000100000000u, 0xf8000002000a00u, 0}, {0, 0xc10b100u}},
    {{0xd010000000000000u, 0x2000100000000u, 0xf8000002000a00u, 0}, {0, 0xc10f100u}},
    {{0x810000000000000u, 0x2000100000000u, 0xf8001002000a00u, 0}, {0x4000000000u, 0xc101100u}},
}, {0}, {0}};
static const struct forms forms_022904 = {
    {0xffffff0600000000u, 0xc03fc03fffffffffu, 0xffffffffffffffffu, 0xffffffffu}, {0, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x4000000000000u, 0x1f8010000u, 0x200u, 0}, {0, 0x78e3cffu}},
}, {0}, {0}};
static const struct forms forms_02380e = {
    {0x7f8fff0600000000u, 0xffffc07ffffffff7u, 0xffffff0039f07fffu, 0xffffffffu}, {0x1ff0000u, 0x1fffffff1c1u}, 5, (const struct form[]){
    {{0x1100000000000000u, 0xa000200000000u, 0x200u, 0}, {0, 0xc101100u}},
    {{0x2100000000000000u, 0xa000200000002u, 0x200u, 0}, {0, 0xc115100u}},
    {{0x1000000000000000u, 0xa000200000000u, 0x200u, 0}, {0, 0xc001100u}},
    {{0x1100000000000000u, 0xa000200000000u, 0x100200u, 0}, {0, 0xc101140u}},
    {{0x2100000000000000u, 0xa000200000001u, 0x200u, 0}, {0, 0xc10f100u}},
}, {0}, {0}};
static const struct forms forms_023820 = {
    {0xff8fff0600000000u, 0x39ffffc03fffffu, 0xffffffffffffffffu, 0xffffffffu}, {0xff0000u, 0x1fffffff1ffu}, 1, (const struct form[]){
    {{0x101000000000000u, 0xa00000000u, 0, 0}, {0, 0x100000u}},
}, {0}, {0}};
static const struct forms forms_02382a = {
    {0xfff8ff0600000000u, 0xffffc07ffffffff7u, 0xffffff0039f07fffu, 0xffffffffu}, {0x1ff0000u, 0x1fffffff1c1u}, 6, (const struct form[]){
    {{0x110000000000000u, 0xa000200000000u, 0x200u, 0}, {0, 0xc101100u}},
    {{0x2210000000000000u, 0xa000200000000u, 0x200u, 0}, {0, 0xc115100u}},
    {{0x1a10000000000000u, 0xa000200000000u, 0x200u, 0}, {0, 0xc10f100u}},
    {{0x110000000000000u, 0xa000200000000u, 0x100200u, 0}, {0, 0xc101140u}},
    {{0x2210000000000000u, 0xa000200000000u, 0x100200u, 0}, {0, 0xc115140u}},
    {{0xa10000000000000u, 0xa000200000000u, 0x200u, 0}, {0, 0xc10b100u}},
}, {0}, {0}};
static const struct forms forms_025a00 = {
    {0xffffff0600000000u, 0xc03fc03fffffffffu, 0xffffff0039c03fffu, 0xffffffffffffffffu}, {0xffffff0000000000u, 0x1ffffffff00u}, 8, (const struct form[]){
    {{0xa482000000000000u, 0x2000700000002u, 0xf8000000000000u, 0}, {0, 0x85000u}},
    {{0x8081000000000000u, 0x6000700000002u, 0xf8000000000200u, 0}, {0, 0x1800u}},
    {{0x9281000000000000u, 0x6000700000002u, 0xf8000000000200u, 0}, {0, 0x41800u}},
    {{0, 0x2000300000002u, 0xf8000000000000u, 0}, {0, 0}},
    {{0x1000000000000u, 0x6000300000002u, 0xf8000000000200u, 0}, {0, 0x800u}},
    {{0xa480000000000000u, 0x6000700000002u, 0xf8000000000200u, 0}, {0, 0x81000u}},
    {{0x8080000000000000u, 0x2000700000002u, 0xf8000000000000u, 0}, {0, 0x1000u}},
    {{0x9280000000000000u, 0x2000700000002u, 0xf8000000000000u, 0}, {0, 0x41000u}},
}, {0}, {0}};
static const struct forms forms_025a04 = {
    {0xffffff0600000000u, 0xc03fc03fffffffffu, 0xffffffc03fc03fffu, 0xffffffffffffffffu}, {0xffffff0000000000u, 0x1ffffffff00u}, 1, (const struct form[]){
    {{0, 0x2000700000008u, 0xf8000006000200u, 0}, {0, 0}},
}, {0}, {0}};
static const struct forms forms_011006 = {
    {0xffffff0600000000u, 0x7ff07ffc7ffffffu, 0, 0}, {0xffffffffffff0000u, 0x1fffc711fffu}, 8, (const struct form[]){
    {{0, 0x10000u, 0, 0}, {0x80000u, 0x701070u}},
    {{0x100000000000000u, 0x10000u, 0, 0}, {0x800000u, 0x700170u}},
    {{0x20000000000000u, 0x10000u, 0, 0}, {0x8f0000u, 0x701f70u}},
    {{0x220000000000000u, 0x10000u, 0, 0}, {0x2f0000u, 0x701e72u}},
    {{0x320000000000000u, 0x10000u, 0, 0}, {0xf20000u, 0x700577u}},
    {{0x120000000000000u, 0x10000u, 0, 0}, {0xf80000u, 0x701177u}},
    {{0x40000000000000u, 0x10000u, 0, 0}, {0x820000u, 0x700570u}},
    {{0x200000000000000u, 0x10000u, 0, 0}, {0x20000u, 0x700470u}},
}, {0xfc1fff0600000000u, 0x7ff07ffc7ffffffu, 0, 0}, {0}};
static const struct forms forms_01161e = {
    {0xffffff0600000000u, 0xc03f003fc03fffffu, 0, 0}, {0xffffff0000000000u, 0x1ffffffffffu}, 2, (const struct form[]){
    {{0x1000000000000u, 0x10000u, 0, 0}, {0, 0x7ffe200u}},
    {{0, 0x10000u, 0, 0}, {0, 0x7ffe000u}},
}, {0xfff0ff0600000000u, 0xc0210021c021ffffu, 0, 0}, {0}};
static const struct forms forms_01171e = {
    {0xffffff0600000000u, 0xc03f003fc03fffffu, 0, 0}, {0xffffff0000000000u, 0x1ffffffffffu}, 2, (const struct form[]){
    {{0, 0x10000u, 0, 0}, {0, 0x3ffe000u}},
    {{0x1000000000000u, 0x10000u, 0, 0}, {0, 0x3ffe200u}},
}, {0xfff0ff0600000000u, 0xc0210021c021ffffu, 0, 0}, {0}};
static const struct forms forms_011622 = {
    {0xffffff0600000000u, 0xc03fc03fc03fffffu, 0, 0}, {0xffffff0000000000u, 0x1ffffffffffu}, 2, (const struct form[]){
    {{0x1000000000000u, 0x10000u, 0, 0}, {0, 0xfffe200u}},
    {{0, 0x10000u, 0, 0}, {0, 0xfffe000u}},
}, {0xfff0ff0600000000u, 0xc021c021c021ffffu, 0, 0}, {0}};
static const struct forms forms_011722 = {
    {0xffffff0600000000u, 0xc03fc03fc03fffffu, 0, 0}, {0xffffff0000000000u, 0x1ffffffffffu}, 2, (const struct form[]){
    {{0x1000000000000u, 0x10000u, 0, 0}, {0, 0xbffe200u}},
    {{0, 0x10000u, 0, 0}, {0, 0xbffe000u}},
}, {0xfff0ff0600000000u, 0xc021c0210021ffffu, 0, 0}, {0}};
static const struct forms forms_012b04 = {
    {0xffffff0600000000u, 0xc03fc03fffffffffu, 0, 0}, {0xffffff00ff000000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x4000000000000u, 0x1f8010000u, 0, 0}, {0xff000000u, 0xf8e33ffu}},
}, {0xffdfff0600000000u, 0xc03f0026c7ffffffu, 0, 0}, {0}};
static const struct forms forms_020c0a = {
    {0xffffff0600000000u, 0xc03fffffc03fffffu, 0xffffffffffffffffu, 0}, {0, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0xa000200000000u, 0x2f80100030000u, 0xb00u, 0}, {0, 0xfffe0ffu}},
}, {0xffdfff0600000000u, 0x3fc7ff0027ffffu, 0xffffffffffffffffu, 0}, {0}};
static const struct forms forms_021016 = {
    {0xfe1fff0600000000u, 0xffffc03fc7ffffffu, 0xffffffffffffffffu, 0xffffffffu}, {0xff0000u, 0x1fffff10fffu}, 2, (const struct form[]){
    {{0x8000000000000u, 0x13000200010000u, 0, 0}, {0, 0x3f00000u}},
    {{0x808000000000000u, 0x13000200010000u, 0, 0}, {0, 0x3f00200u}},
}, {0xf01fff0600000000u, 0xffff003e07feffffu, 0xffffffffffffffffu, 0xffffffffu}, {0}};
static const struct forms forms_021074 = {
    {0xffc7ff0600000000u, 0xfff7c03fc7ffffffu, 0xffffffffffffffffu, 0}, {0xff0000u, 0x1fffff18fffu}, 2, (const struct form[]){
    {{0x2000000000000u, 0x3000200010000u, 0, 0}, {0, 0x3f10070u}},
    {{0x3000000000000u, 0x3000200010000u, 0, 0}, {0, 0x3f10270u}},
}, {0xff84ff0600000000u, 0xfff70020c7ffffffu, 0xffffffffffffffffu, 0}, {0}};
static const struct forms forms_021620 = {
    {0xffffff0600000000u, 0xfff7c03fc03fffffu, 0xffffffffffffffffu, 0xffffffffu}, {0, 0x1ffffffffffu}, 2, (const struct form[]){
    {{0x1000000000000u, 0x2000000010000u, 0, 0}, {0, 0x7ffe200u}},
    {{0, 0x2000000010000u, 0, 0}, {0, 0x7ffe000u}},
}, {0xfff8ff0600000000u, 0xfff7c021c021ffffu, 0xffffffffffffffffu, 0xffffffffu}, {0}};
static const struct forms forms_021720 = {
    {0xffffff0600000000u, 0xfff7c03fc03fffffu, 0xffffffffffffffffu, 0xffffffffu}, {0, 0x1ffffffffffu}, 2, (const struct form[]){
    {{0, 0x2000000010000u, 0, 0}, {0, 0x3ffe000u}},
    {{0x1000000000000u, 0x2000000010000u, 0, 0}, {0, 0x3ffe200u}},
}, {0xfff8ff0600000000u, 0xfff700210021ffffu, 0xffffffffffffffffu, 0xffffffffu}, {0}};
static const struct forms forms_021912 = {
    {0xffffff0600000000u, 0xffff003dc03fffffu, 0xffffffffffffffffu, 0}, {0, 0x1fffffffffeu}, 6, (const struct form[]){
    {{0x25000000000000u, 0xb000000030000u, 0, 0}, {0, 0x4000000u}},
    {{0x5000000000000u, 0xb000000030000u, 0, 0}, {0, 0}},
    {{0x25000000000000u, 0xb000000030000u, 0x80000u, 0}, {0, 0x4800000u}},
    {{0x5000000000000u, 0xb000000030000u, 0x80000u, 0}, {0, 0x800000u}},
    {{0x25000000000000u, 0xb000000030000u, 0x100000u, 0}, {0, 0x5000000u}},
    {{0x5000000000000u, 0xb000000030000u, 0x100000u, 0}, {0, 0x1000000u}},
}, {0xffdfff0600000000u, 0xffff003cc02effffu, 0xffffffffffc7feffu, 0}, {0}};
static const struct forms forms_024f0c = {
    {0xffffff0600000000u, 0xffffffffc03fffffu, 0xffffffffffffffffu, 0xffffffffu}, {0xff000000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x8000000000000u, 0x1300010000u, 0, 0}, {0, 0x1800u}},
}, {0xffffff0600000000u, 0xffffffff0026ffffu, 0xffffffffffffffffu, 0xffffffffu}, {0}};
static const struct forms forms_012b08 = {
    {0xffffff0600000000u, 0xc03fc03fffffffffu, 0, 0}, {0xffffff00ff000000u, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x4000200000000u, 0x1f8010000u, 0, 0}, {0xff000000u, 0xf8e33ffu}},
}, {0xffdfff0600000000u, 0xc023c027c7ffffffu, 0, 0}, {0}};
static const struct forms forms_021078 = {
    {0xffffff0600000000u, 0xfff7c03fc7ffffffu, 0xffffffffffffffffu, 0xffffffff00000000u}, {0xff0000u, 0x1fffff1ffffu}, 6, (const struct form[]){
    {{0x32000200000000u, 0x3000200010000u, 0, 0}, {0, 0xbf16070u}},
    {{0x2b000200000000u, 0x3000200010000u, 0, 0}, {0, 0xbf15270u}},
    {{0x23000200000000u, 0x3000200010000u, 0, 0}, {0, 0xbf14270u}},
    {{0x33000200000000u, 0x3000200010000u, 0, 0}, {0, 0xbf16270u}},
    {{0x2a000200000000u, 0x3000200010000u, 0, 0}, {0, 0xbf15070u}},
    {{0x22000200000000u, 0x3000200010000u, 0, 0}, {0, 0xbf14070u}},
}, {0xff84ff0600000000u, 0xfff7003f07feffffu, 0xffffffffffffffffu, 0xffffffff00000000u}, {0}};
static const struct forms forms_02290c = {
    {0xffffff0600000000u, 0xc03fc03fffffffffu, 0xffffffffffffffffu, 0xffffffffu}, {0, 0x1ffffffffffu}, 1, (const struct form[]){
    {{0x4000200000000u, 0x1f8010000u, 0x200u, 0}, {0, 0xf8e3cffu}},
}, {0xffdfff0600000000u, 0x3ec023c7ffffffu, 0xffffffffffffffffu, 0xffffffffu}, {0}};
static const struct forms forms_024e7e = {
    {0xffffff0600000000u, 0xffffc03fc7ffffffu, 0xffffffc03dc03dffu, 0xffffffffu}, {0xff0000u, 0x1fffff1ff00u}, 2, (const struct form[]){
    {{0x54000000000000u, 0xa000000010000u, 0, 0}, {0, 0x1800000u}},
    {{0x454000000000000u, 0xa000000010000u, 0, 0}, {0, 0x1800400u}},
}, {0xf0bfff0600000000u, 0xffffc03f07feffffu, 0xffffff003dc03dffu, 0xffffffffu}, {0}};
static const struct forms forms_024e8a = {
    {0xffffff0600000000u, 0x3fffffffffffffu, 0xffffffffff003fffu, 0xffffffffu}, {0xff00ff0000u, 0x1ffffffff00u}, 1, (const struct form[]){
    {{0x62b4000000000000u, 0xffc100000003u, 0xa000000u, 0}, {0xff0000u, 0xd800000u}},
}, {0xff0600000000u, 0x20c03cffffff8fu, 0xffffffffff003effu, 0xffffffffu}, {0}};
/* Short records have no forms of their own: what all instructions have of which they are. */
#define FIXED(name, low_mask, high_mask, low, high) \
    static const struct forms name = {{0}, {low_mask, high_mask}, 1, (const struct form[]){{{0}, {low, high}}}, {0}, {0}}
FIXED(forms_410000, 0xffffff0000000000u, 0x1ffffffffffu, 0, 0x78ec0ffu);
FIXED(forms_410b20, 0xffffff00ff000000u, 0x1ffffffffffu, 0, 0x10f00u);
FIXED(forms_410b24, 0xffffff00ff000000u, 0x1ffffffffffu, 0, 0x8010f00u);
FIXED(forms_410c50, 0x7fffff0000000000u, 0x1fffff1feffu, 0, 0x7800200u);
FIXED(forms_410c54, 0x7fffff0000000000u, 0x1fffff1feffu, 0, 0xf800200u);
FIXED(forms_411072, 0xffffff0000ff0000u, 0x1fffff08dffu, 0, 0x3f00070u);
FIXED(forms_411076, 0xffffff0000ff0000u, 0x1fffff08dffu, 0, 0xbf00070u);
FIXED(forms_41120e, 0x3fffff00ff000000u, 0x1fffffe3fffu, 0, 0x202000u);
FIXED(forms_411910, 0xffffff0000000000u, 0x1fff87fffffu, 0, 0);
FIXED(forms_414600, 0xffffff00ff000000u, 0x1ffffffffffu, 0, 0x9000f00u);
FIXED(forms_41476e, 0xffffffffffff0000u, 0x1ffffffffffu, 0, 0x3800000u);
FIXED(forms_416600, 0xffffffff00000000u, 0x1ffffffffffu, 0, 0x4e0000u);
FIXED(forms_420a02, 0xffffffffffff0000u, 0x1ffffffffffu, 0, 0x3c00000u);
FIXED(forms_420b22, 0, 0x1ffff000000u, 0, 0);
FIXED(forms_420b26, 0, 0x1ffff000000u, 0, 0x8000000u);
FIXED(forms_420d42, 0, 0x1ffffc04000u, 0, 0);
FIXED(forms_42102e, 0xffffff0000ff0000u, 0x1fff80181ffu, 0, 0x70u);
FIXED(forms_421030, 0xff0000u, 0x1fff80181ffu, 0, 0x70u);
FIXED(forms_421032, 0xffffff0000ff0000u, 0x1fff80181ffu, 0, 0x8000070u);
FIXED(forms_421d08, 0x7fffff0000000000u, 0x1fff8001600u, 0, 0x400u);
FIXED(forms_422030, 0xffffff0000000000u, 0x1fff871f500u, 0, 0x400u);
FIXED(forms_422542, 0x7fffff0000000000u, 0x1fffff106ffu, 0, 0xf8000ffu);
FIXED(forms_422a02, 0, 0x1fffff10000u, 0, 0x7800000u);
FIXED(forms_423300, 0xffffffff00ff0000u, 0x1ffffffffffu, 0, 0x3e00000u);

/* The bit of the instruction, that of the record, how many. */
#define BITS(width) (uint32_t)(((uint64_t)1 << (width)) - 1)
#define FIELD(sass, record, width) \
    {{(sass) / 8, (sass) % 8}, {(record) / 8, (record) % 8}, false, BITS(width)}
#define OFFSET(sass, record, width) \
    {{(sass) / 8, (sass) % 8}, {(record) / 8, (record) % 8}, true, BITS(width)}
/* The last 24 bits of the lower half of the instruction, with a sign that the record repeats. */
#define SIGNED(sass, record) {{4, (sass) - 32}, {(record) / 8, 0}, false, UINT32_MAX}
/* In the last bytes of a record of 16. */
#define LATE(sass, record, width) \
    {{(sass) / 8, (sass) % 8}, {12, (record) - 96}, false, BITS(width)}
#define ROW(number, last, name, rest, ...) \
    [ROW_SLOT(number)] = {number, last, name, rest, {__VA_ARGS__}},
#define SHORT(number, last, name, rest) \
    [ROW_SLOT(number)] = {.key = number, .last_byte = last, .opcode = name, .forms = rest},
#define OPCODE(number, last, name) SHORT(number, last, name, NULL)

static const struct record_row rows[ROW_SLOTS] = {
#include "mercury/record_rows.inc"
};

#undef ROW
#undef SHORT
#define ROW(number, last, name, ...) [ROW_SLOT(number)] = (name),
#define SHORT(number, last, name, rest) [ROW_SLOT(number)] = (name),

/* The same slots, opcodes alone. */
static const uint16_t row_opcodes[ROW_SLOTS] = {
#include "mercury/record_rows.inc"
};

#define SPECIAL(number, ...) [SPECIAL_SLOT(number)] = {number, __VA_ARGS__}

static const struct special_read specials[SPECIAL_SLOTS] = {
    SPECIAL(0x040200, 0x919u, 0),
    SPECIAL(0x040201, 0x919u, 0x2100u),
    SPECIAL(0x040202, 0x919u, 0x2200u),
    SPECIAL(0x040203, 0x919u, 0x2300u),
    SPECIAL(0x040204, 0x919u, 0x2500u),
    SPECIAL(0x040205, 0x919u, 0x2600u),
    SPECIAL(0x040206, 0x919u, 0x2700u),
    SPECIAL(0x040207, 0x919u, 0x3800u),
    SPECIAL(0x040208, 0x919u, 0x3900u),
    SPECIAL(0x040209, 0x919u, 0x3a00u),
    SPECIAL(0x04020a, 0x919u, 0x3b00u),
    SPECIAL(0x04020b, 0x919u, 0x3c00u),
    SPECIAL(0x04020c, 0x805u, 0x5000u),
    SPECIAL(0x04020d, 0x805u, 0x5100u),
    SPECIAL(0x04020e, 0x805u, 0x5200u),
    SPECIAL(0x04020f, 0x805u, 0x5300u),
    SPECIAL(0x040210, 0x805u, 0x6400u),
    SPECIAL(0x04022a, 0x919u, 0x3200u),
    SPECIAL(0x04022b, 0x919u, 0x4300u),
    SPECIAL(0x04022c, 0x919u, 0x8800u),
    SPECIAL(0x04022d, 0x919u, 0x2f00u),
    SPECIAL(0x040231, 0x919u, 0x3700u),
    SPECIAL(0x040400, 0xdf00ff000b82u, 0x800u),
    SPECIAL(0x040401, 0xd800ff000b82u, 0x800u),
    SPECIAL(0x040402, 0xd900ff000b82u, 0x800u),
    SPECIAL(0x040403, 0xda00ff000b82u, 0x800u),
    SPECIAL(0x040404, 0xdc00ff000b82u, 0x800u),
    SPECIAL(0x040405, 0xdd00ff000b82u, 0x800u),
    SPECIAL(0x040406, 0xde00ff000b82u, 0x800u),
    SPECIAL(0x040407, 0xdb00ff000b82u, 0x800u),
    SPECIAL(0x040432, 0xb400ff000b82u, 0x800u),
    SPECIAL(0x040433, 0x5b00ff000b82u, 0x800u),
    SPECIAL(0x040444, 0xbe00ff000b82u, 0x800u),
    SPECIAL(0x040445, 0xbf00ff000b82u, 0x800u),
    SPECIAL(0x060204, 0x9c3u, 0x2500u),
    SPECIAL(0x060205, 0x9c3u, 0x2600u),
    SPECIAL(0x060206, 0x9c3u, 0x2700u),
    SPECIAL(0x060210, 0x9c3u, 0x6400u),
    SPECIAL(0x06022a, 0x9c3u, 0x3200u),
    SPECIAL(0x06022b, 0x9c3u, 0x4300u),
    SPECIAL(0x06022c, 0x9c3u, 0x8800u),
    SPECIAL(0x06022d, 0x9c3u, 0x2f00u),
    SPECIAL(0x060231, 0x9c3u, 0x3700u),
    SPECIAL(0x060401, 0x6c00ff0007acu, 0x8000800u),
    SPECIAL(0x060402, 0x6c80ff0007acu, 0x8000800u),
    SPECIAL(0x060403, 0x6d00ff0007acu, 0x8000800u),
    SPECIAL(0x060404, 0x6e00ff0007acu, 0x8000800u),
    SPECIAL(0x060405, 0x6e80ff0007acu, 0x8000800u),
    SPECIAL(0x060406, 0x6f00ff0007acu, 0x8000800u),
    SPECIAL(0x060407, 0x6d80ff0007acu, 0x8000800u),
    SPECIAL(0x060432, 0x5a00ff0007acu, 0x8000800u),
    SPECIAL(0x060433, 0x2d80ff0007acu, 0x8000800u),
    SPECIAL(0x060444, 0x5f00ff0007acu, 0x8000800u),
    SPECIAL(0x060445, 0x5f80ff0007acu, 0x8000800u),
    SPECIAL(0x0c0220, 0x805u, 0x15000u),
    SPECIAL(0x0c0221, 0x805u, 0x15200u),
    SPECIAL(0x0c040f, 0x5000ff000b82u, 0xa00u),
    SPECIAL(0x0c0439, 0xd600ff000b82u, 0xa00u),
    SPECIAL(0x0c043a, 0xd200ff000b82u, 0xa00u),
    SPECIAL(0x0c043b, 0xd400ff000b82u, 0xa00u),
    SPECIAL(0x0c043d, 0x4800ff000b82u, 0xa00u),
    SPECIAL(0x0c0446, 0xba00ff000b82u, 0xa00u),
    SPECIAL(0x0c0fff, 0x805u, 0x1ff00u),
    SPECIAL(0x0e0220, 0x8cbu, 0x15000u),
    SPECIAL(0x0e0221, 0x8cbu, 0x15200u),
    SPECIAL(0x0e040f, 0x2800ff0007acu, 0x8000a00u),
    SPECIAL(0x0e0439, 0x6b00ff0007acu, 0x8000a00u),
    SPECIAL(0x0e043a, 0x6900ff0007acu, 0x8000a00u),
    SPECIAL(0x0e043b, 0x6a00ff0007acu, 0x8000a00u),
    SPECIAL(0x0e043d, 0x2400ff0007acu, 0x8000a00u),
    SPECIAL(0x0e0446, 0x5d00ff0007acu, 0x8000a00u),
};
/* clang-format on */

const struct record_row *
find_record_row(uint32_t key)
{
    const struct record_row *row = &rows[ROW_SLOT(key)];
    return row->key == key ? row : NULL;
}

/* Of most opcodes there is none: all slots are looked through at once. */
bool
has_rows(unsigned opcode)
{
    const uint16_t wanted = (uint16_t)opcode;
    uint16_t found = 0;

    for (size_t i = 0; i < ROW_SLOTS; i++)
        found |= (uint16_t)(row_opcodes[i] == wanted);
    return found;
}

/* Records that are not known are rare: there is no list of each opcode's. */
const struct record_row *
next_row_of(unsigned opcode, const struct record_row *row)
{
    for (row = row ? row + 1 : rows; row < rows + ROW_SLOTS; row++)
        if (row->key && row->opcode == opcode)
            return row;
    return NULL;
}

/* Not those of arithmetic, nor of memory: options of compilers bring out ever new ones. */
bool
has_known_records(unsigned opcode)
{
    static const bool known[4096] = {
        [0x355] = true, [0x356] = true, [0x387] = true, [0x7ac] = true,
        [0x805] = true, [0x919] = true, [0x943] = true, [0x950] = true,
        [0x983] = true, [0x9c3] = true, [0xb82] = true,
    };

    return known[opcode];
}

const struct special_read *
find_special_read(uint32_t key)
{
    const struct special_read *special = &specials[SPECIAL_SLOT(key)];
    return special->key == key ? special : NULL;
}

bool
is_special_read(uint64_t low, uint64_t high)
{
    for (size_t i = 0; i < SPECIAL_SLOTS; i++)
        if (specials[i].key && specials[i].low == low && specials[i].high == high)
            return true;
    return false;
}
