#include "leaf_program.h"

/* --- bytes -------------------------------------------------------------------------------------- */

/* The registers' places, and bits that are always set. 0xff at `place_*`: the step has none there. */
static const struct encoding {
    uint16_t opcode;
    uint8_t place_a, place_b, place_c;
    uint64_t high;
} encodings[] = {
    [LOAD_STACK_POINTER] = {0xb82, 16, 0xff, 0xff, 0x4 << 9},
    [LOAD_CONSTANT] = {0xb82, 16, 24, 0xff, 0x4 << 9},
    [LOAD] = {0x981, 16, 24, 0xff, 0x4 << 9 | 1 << 8},
    [STORE] = {0x986, 32, 24, 0xff, 0x4 << 9 | 1 << 8},
    [FUNCTION] = {0x308, 16, 32, 0xff, 0},
    [ADD] = {0x221, 16, 24, 32, 0},
    [COMPARE] = {0x20c, 0xff, 24, 32, 7 << 20 | 7 << 23 | 7 << 4},
    [BRANCH] = {0x947, 0xff, 0xff, 0xff, 7 << 23},
    [JUMP] = {0x947, 0xff, 0xff, 0xff, 7 << 23},
    [INDIRECT_JUMP] = {0x949, 0xff, 24, 0xff, 7 << 23},
    [END] = {0x94d, 0xff, 0xff, 0xff, 7 << 23},
    [BARRIER] = {0xb1d, 0xff, 0xff, 0xff, 7 << 23},
    [FENCE] = {0x992, 0xff, 0xff, 0xff, 0x2 << 12},
    [COUNT_DOWN] = {0x91a, 38, 44, 0xff, 0},
    [START_GROUP] = {0x9af, 0xff, 0xff, 0xff, 0},
    [CALL] = {0x944, 0xff, 0xff, 0xff, 0},
};

static uint64_t
placed(uint8_t place, uint8_t value)
{
    return place == 0xff ? 0 : (uint64_t)value << place;
}

static struct instruction
encode(const struct step *step, uint32_t at)
{
    const struct encoding *encoding = &encodings[step->kind];
    uint64_t guard = step->kind == BRANCH ? 0 : 7;
    uint64_t words = (uint64_t)((int64_t)step->target - at - 1) * 4;
    struct instruction instruction = {encoding->opcode | guard << 12, encoding->high};

    instruction.low |= placed(encoding->place_a, step->a) | placed(encoding->place_b, step->b) |
                       placed(encoding->place_c, step->c);
    if (step->kind == COUNT_DOWN)
        instruction.low |= (uint64_t)1 << 47;
    if (step->kind == BRANCH || step->kind == JUMP) {
        instruction.low |= (words & 0xff) << 16 | (words >> 8 & 0x3fffffff) << 34;
        instruction.high |= words >> 38 & 0x3ffff;
    }
    instruction.high = with_stall(instruction.high, 2);
    instruction.high = with_scoreboards(instruction.high, step->write, step->read, step->wait);
    return instruction;
}

void
assemble(const struct program *program, struct assembled *assembled)
{
    uint32_t jumps = 0;

    for (uint32_t i = 0; i < program->jump_target_count; i++)
        assembled->targets[i] = program->jump_targets[i] * INSTRUCTION_SIZE;
    for (uint32_t i = 0; i < program->count; i++) {
        struct instruction instruction = encode(&program->steps[i], i);
        write_instruction(assembled->bytes + i * INSTRUCTION_SIZE, &instruction);
        if (program->steps[i].kind == INDIRECT_JUMP)
            assembled->jumps[jumps++] = (struct leaf_jump){i * INSTRUCTION_SIZE, assembled->targets,
                                                           program->jump_target_count};
    }
    assembled->kernel =
        (struct leaf_kernel){.text = {assembled->bytes, program->count * (size_t)INSTRUCTION_SIZE},
                             .sm = 100,
                             .jumps = assembled->jumps,
                             .jump_count = jumps};
}

struct step_scoreboards
scoreboards_at(struct bytes text, uint32_t step)
{
    struct instruction instruction = read_instruction(text.at + step * INSTRUCTION_SIZE);

    return (struct step_scoreboards){write_scoreboard(&instruction), read_scoreboard(&instruction),
                                     wait_mask(&instruction)};
}

void
set_scoreboards(uint8_t *text, uint32_t step, struct step_scoreboards scoreboards)
{
    struct instruction instruction = read_instruction(text + step * INSTRUCTION_SIZE);

    instruction.high =
        with_scoreboards(instruction.high, scoreboards.write, scoreboards.read, scoreboards.wait);
    write_instruction(text + step * INSTRUCTION_SIZE, &instruction);
}

/* --- registers ---------------------------------------------------------------------------------- */

enum { PREDICATE = 254, MOST_TOUCHED = 4 };

struct touched {
    unsigned count;
    uint8_t registers[MOST_TOUCHED];
};

static void
touch(struct touched *touched, uint8_t number)
{
    if (number != RZ)
        touched->registers[touched->count++] = number;
}

static struct touched
written_by(const struct step *step)
{
    struct touched touched = {0};

    if (step->kind == LOAD || step->kind == LOAD_CONSTANT || step->kind == FUNCTION ||
        step->kind == ADD)
        touch(&touched, step->a);
    if (step->kind == COMPARE)
        touch(&touched, PREDICATE);
    return touched;
}

static struct touched
read_by(const struct step *step)
{
    struct touched touched = {0};

    if (step->kind == STORE)
        touch(&touched, step->a);
    if (step->kind == LOAD || step->kind == STORE || step->kind == INDIRECT_JUMP) {
        touch(&touched, step->b);
        touch(&touched, step->b == RZ ? RZ : step->b + 1);
    }
    if (step->kind == LOAD_CONSTANT || step->kind == FUNCTION || step->kind == ADD ||
        step->kind == COMPARE)
        touch(&touched, step->b);
    if (step->kind == ADD || step->kind == COMPARE)
        touch(&touched, step->c);
    if (step->kind == BRANCH)
        touch(&touched, PREDICATE);
    return touched;
}

static bool
have_common(struct touched a, struct touched b)
{
    for (unsigned i = 0; i < a.count; i++)
        for (unsigned k = 0; k < b.count; k++)
            if (a.registers[i] == b.registers[k])
                return true;
    return false;
}

/* Must the operation be done before the step? */
static bool
depends(const struct step *step, const struct step *operation, bool operation_reads)
{
    if (step->kind == FENCE)
        return operation->kind != LOAD_CONSTANT;
    if (operation_reads)
        return have_common(written_by(step), read_by(operation));
    return have_common(read_by(step), written_by(operation)) ||
           have_common(written_by(step), written_by(operation));
}

/* --- paths -------------------------------------------------------------------------------------- */

enum { LONGEST_PATH = 32, MOST_PATHS = 1000 };

/* One operation under way. */
struct operation {
    uint8_t step;
    bool reads;
    bool is_pending_in_old, is_pending_in_new;
};

struct walker {
    const struct program *program;
    struct bytes text;
    uint32_t paths;
    bool has_dropped;
};

struct walk {
    uint32_t at, length;
    uint32_t operation_count;
    struct operation operations[2 * LONGEST_PATH];
};

static void
issue(const struct walker *walker, struct walk *walk)
{
    const struct step *step = &walker->program->steps[walk->at];

    if (step->kind == LOAD_STACK_POINTER)
        return;
    if (step->read != NONE)
        walk->operations[walk->operation_count++] =
            (struct operation){(uint8_t)walk->at, true, true, true};
    if (step->write != NONE)
        walk->operations[walk->operation_count++] =
            (struct operation){(uint8_t)walk->at, false, true, true};
}

/* What a step waits for is done. Operands have been read, too, once the result is there: it stands behind
   them. */
static void
wait_for(const struct walker *walker, struct walk *walk)
{
    const struct step *step = &walker->program->steps[walk->at];
    unsigned new_wait = scoreboards_at(walker->text, walk->at).wait;

    for (uint32_t i = walk->operation_count; i-- > 0;) {
        struct operation *operation = &walk->operations[i];
        const struct step *issuer = &walker->program->steps[operation->step];
        struct step_scoreboards now = scoreboards_at(walker->text, operation->step);
        bool has_result = operation->reads && issuer->write != NONE;
        if (step->wait >> (operation->reads ? issuer->read : issuer->write) & 1)
            operation->is_pending_in_old = false;
        if (new_wait >> (operation->reads ? now.read : now.write) & 1 ||
            (has_result && !operation[1].is_pending_in_new))
            operation->is_pending_in_new = false;
    }
}

static void
execute(struct walker *walker, struct walk *walk)
{
    const struct step *step = &walker->program->steps[walk->at];

    wait_for(walker, walk);
    for (uint32_t i = 0; i < walk->operation_count; i++) {
        const struct operation *operation = &walk->operations[i];
        const struct step *issuer = &walker->program->steps[operation->step];
        if (operation->is_pending_in_new && !operation->is_pending_in_old &&
            depends(step, issuer, operation->reads))
            walker->has_dropped = true;
    }
    issue(walker, walk);
}

static void follow(struct walker *walker, struct walk walk);

static void
follow_to(struct walker *walker, const struct walk *walk, uint32_t at)
{
    struct walk next = *walk;

    next.at = at;
    next.length++;
    follow(walker, next);
}

/* By value: each way on has a walk of its own. */
static void
follow(struct walker *walker, struct walk walk)
{
    const struct program *program = walker->program;

    if (walker->has_dropped || walk.at >= program->count || walk.length == LONGEST_PATH ||
        walker->paths == MOST_PATHS) {
        walker->paths += walker->paths < MOST_PATHS;
        return;
    }
    const struct step *step = &program->steps[walk.at];
    execute(walker, &walk);
    if (step->kind == BRANCH || step->kind == JUMP)
        follow_to(walker, &walk, step->target);
    for (uint32_t i = 0; step->kind == INDIRECT_JUMP && i < program->jump_target_count; i++)
        follow_to(walker, &walk, program->jump_targets[i]);
    if (step->kind != JUMP && step->kind != INDIRECT_JUMP && step->kind != END)
        follow_to(walker, &walk, walk.at + 1);
}

bool
drops_dependency(const struct program *program, struct bytes text)
{
    struct walker walker = {program, text, 0, false};

    follow(&walker, (struct walk){0});
    return walker.has_dropped;
}
