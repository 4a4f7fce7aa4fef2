/*
 * demangle.c: from a symbol's name to its text: what may stand around a
 * mangled name, the memory for reading it, and the nodes' construction.
 */
#include "demangle_internal.h"

#include <stdlib.h>

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

struct dm_node *
dm_node_new(struct dm_reader *r, enum dm_kind kind)
{
    if (r->nnodes == r->max_nodes)
        return NULL;
    struct dm_node *n = &r->nodes[r->nnodes++];
    *n = (struct dm_node){.kind = (uint8_t)kind};
    return n;
}

struct dm_node *
dm_text(struct dm_reader *r, const char *text, size_t length)
{
    struct dm_node *n = dm_node_new(r, DM_TEXT);

    if (n != NULL) {
        n->text = text;
        n->length = (uint32_t)length;
    }
    return n;
}

struct dm_node *
dm_string(struct dm_reader *r, const char *text)
{
    return dm_text(r, text, strlen(text));
}

struct dm_node *
dm_number(struct dm_reader *r, uint64_t number)
{
    struct dm_node *n = dm_node_new(r, DM_NUMBER);

    if (n != NULL)
        n->number = number;
    return n;
}

/* A node whose left side has to be there; so errors pass through. */
struct dm_node *
dm_pair(struct dm_reader *r, enum dm_kind kind, struct dm_node *left, struct dm_node *right)
{
    struct dm_node *n = left == NULL ? NULL : dm_node_new(r, kind);

    if (n != NULL) {
        n->left = left;
        n->right = right;
    }
    return n;
}

struct dm_node *
dm_wrap(struct dm_reader *r, const char *head, struct dm_node *child, const char *tail)
{
    struct dm_node *n = dm_pair(r, DM_SEQUENCE, child, NULL);

    if (n != NULL) {
        n->head = head;
        n->tail = tail;
    }
    return n;
}

struct dm_node *
dm_infix(struct dm_reader *r, struct dm_node *left, const char *middle, struct dm_node *right,
         const char *tail)
{
    struct dm_node *n = NULL;

    if (right != NULL)
        n = dm_pair(r, DM_SEQUENCE, left, right);
    if (n != NULL) {
        n->text = middle;
        n->length = (uint32_t)strlen(middle);
        n->tail = tail;
    }
    return n;
}

bool
dm_add_candidate(struct dm_reader *r, struct dm_node *node, bool whole_type)
{
    if (node == NULL || r->ncandidates == r->max_candidates)
        return false;
    r->candidates[r->ncandidates++] = (struct dm_candidate){node, whole_type};
    return true;
}

/* Every function that can call itself enters, and leaves with depth--. */
bool
dm_enter(struct dm_reader *r)
{
    if (r->depth == DM_MAX_DEPTH)
        return false;
    r->depth++;
    return true;
}

bool
dm_skip(struct dm_reader *r, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    return true;
}

/* Wraps around silently, as it does in nvlink. */
bool
dm_read_decimal(struct dm_reader *r, uint64_t *value)
{
    if (!is_digit(*r->at))
        return false;
    for (*value = 0; is_digit(*r->at); r->at++)
        *value = *value * 10 + (uint64_t)(*r->at - '0');
    return true;
}

/* `_` is 1, `0_` is 2, `1_` is 3, ... */
bool
dm_read_ordinal(struct dm_reader *r, uint64_t *value)
{
    if (dm_read_decimal(r, value))
        *value += 2;
    else
        *value = 1;
    return dm_skip(r, "_");
}

struct dm_node *
dm_read_list(struct dm_reader *r, char stop, struct dm_node *(*read)(struct dm_reader *))
{
    struct dm_node *list = dm_node_new(r, DM_LIST);

    if (list == NULL)
        return NULL;
    list->text = ", ";
    list->length = 2;
    for (struct dm_node **tail = &list->left; *r->at != stop;) {
        struct dm_node *item = read(r);
        if (item == NULL)
            return NULL;
        *tail = item;
        tail = &item->next;
    }
    r->at++;
    return list;
}

/*
 * A static function of a file compiled as whole program has the name
 * __nv_static_<n>_<n characters>_<mangled name>.
 */
static const char *
skip_static_prefix(const char *name)
{
    static const char prefix[] = "__nv_static_";
    struct dm_reader r = {.at = name};
    uint64_t n;

    if (!dm_skip(&r, prefix) || !dm_read_decimal(&r, &n) || !dm_skip(&r, "_"))
        return name;
    if (n >= strlen(r.at) || r.at[n] != '_')
        return name;
    return r.at + n + 1;
}

/* One node per character and a few more are enough for any valid name. */
static bool
reader_open(struct dm_reader *r, const char *text, struct demangle_buffer *b)
{
    size_t length = strlen(text);

    if (length > DEMANGLE_MAX_INPUT)
        return false;
    r->at = text;
    r->max_nodes = 3 * length + 64;
    r->max_candidates = length + 1;

    size_t nodes_size = r->max_nodes * sizeof *r->nodes;
    size_t need = nodes_size + r->max_candidates * sizeof *r->candidates;
    if (need > b->scratch_size) {
        void *memory = realloc(b->scratch, need);
        if (memory == NULL)
            return false;
        b->scratch = memory;
        b->scratch_size = need;
    }
    r->nodes = b->scratch;
    r->candidates = (void *)((char *)b->scratch + nodes_size);
    return true;
}

bool
demangle(const char *name, struct demangle_buffer *buffer)
{
    struct dm_reader r = {0};
    const char *text = skip_static_prefix(name);

    /* `$` is how ptxas starts the name of a local copy. */
    text += *text == '$';
    if (strncmp(text, "_Z", 2) != 0 || !reader_open(&r, text + 2, buffer))
        return false;

    struct dm_node *whole = dm_read_encoding(&r);
    for (unsigned i = 0; i < r.clone_count; i++) /* the closing bracket is in the function */
        whole = dm_wrap(&r, "[clone ", whole, NULL);
    if (whole == NULL || *r.at != '\0')
        return false;
    buffer->length = 0;
    return dm_print(buffer, whole);
}

const char *
demangle_or_same(const char *name, struct demangle_buffer *buffer)
{
    return demangle(name, buffer) ? buffer->text : name;
}

void
demangle_free(struct demangle_buffer *buffer)
{
    free(buffer->text);
    free(buffer->scratch);
    *buffer = (struct demangle_buffer){0};
}
