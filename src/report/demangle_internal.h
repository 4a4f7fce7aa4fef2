/*
 * demangle_internal.h: what the parts of the demangler share.
 *
 * demangle_encoding.c, demangle_name.c, demangle_type.c and demangle_expr.c
 * read the mangled text into a graph of nodes, demangle_print.c writes the
 * graph. It has no cycles, but a node may be reached on several ways (that is
 * what a substitution is), so what is printed can be exponentially longer than
 * what was read: the printer counts its steps.
 */
#ifndef CULD_DEMANGLE_INTERNAL_H
#define CULD_DEMANGLE_INTERNAL_H

#include "base/array.h"
#include "demangle.h"

#include <stdint.h>
#include <string.h>

enum {
    DM_MAX_DEPTH = 1000,    /* nesting, while reading and while printing */
    DM_MAX_STEPS = 4 << 20, /* nodes visited while printing */
};

enum dm_kind {
    DM_TEXT,     /* text */
    DM_NUMBER,   /* number */
    DM_FLOAT,    /* number: the bits of a float */
    DM_DOUBLE,   /* number: the bits of a double */
    DM_SEQUENCE, /* head left text right tail */
    DM_LIST,     /* left and its next ones, text between them */

    /* Names */
    DM_INTERNAL,     /* namespace of a file: no text, no `::` */
    DM_ABBREVIATION, /* std::string and so on: text; left = last part */
    DM_NESTED,       /* left::right */
    DM_TEMPLATE,     /* left<right>; right is a list */
    DM_CONSTRUCTOR,  /* name of the class: left */
    DM_DESTRUCTOR,   /* ~left */
    DM_SUBSTITUTE,   /* left, which was read before */
    DM_FUNCTION,     /* extra left(right) quals tail; extra = result,
                                   copy = what follows `[clone ...]`, or NULL */
    DM_ENTITY,       /* the name of the DM_FUNCTION left, and its tail */

    /* Types with a part before and a part after the declared name */
    DM_POINTER,        /* left text; also references and vendor words */
    DM_MEMBER_POINTER, /* to left in class right */
    DM_COMPLEX,        /* of left */
    DM_PACK,           /* left... */
    DM_QUALIFIED,      /* quals left */
    DM_ARRAY,          /* of left; right = bound or NULL */
    DM_FUNCTION_TYPE,  /* left(right) quals; extra = noexcept or NULL */
};

enum {
    DM_CONST = 1,
    DM_VOLATILE = 2,
    DM_RESTRICT = 4,
    DM_LVALUE = 8, /* & after the parameters */
    DM_RVALUE = 16,
};

struct dm_node {
    uint8_t kind;
    uint8_t quals;
    bool tight;      /* no blank after it as a type; see print_first */
    uint32_t length; /* of text */
    uint64_t number;
    const char *text;
    const char *head; /* zero terminated, or NULL, as is tail */
    const char *tail;
    struct dm_node *left;
    struct dm_node *right;
    struct dm_node *extra;
    struct dm_node *copy; /* of DM_FUNCTION: what the name of the copy adds, or NULL */
    struct dm_node *next; /* in the list this node is in */
};

/* What a later S_ refers to. */
struct dm_candidate {
    struct dm_node *node;
    bool whole_type; /* false: a prefix or a template's name */
};

/* The reader. Nodes and candidates are in the caller's scratch memory. */
struct dm_reader {
    const char *at; /* zero terminated */
    struct dm_node *nodes;
    size_t nnodes;
    size_t max_nodes;
    struct dm_candidate *candidates;
    size_t ncandidates;
    size_t max_candidates;
    unsigned depth;
    const char *parameters_end; /* of the last list that had no copy number */
    unsigned clone_count;       /* copies of copies */
    bool in_conversion;         /* T_I..E: the arguments are the operator's */
};

/* What an encoding has to know about the name it has just read. */
struct dm_name_facts {
    uint8_t quals;
    bool has_result;    /* template: the result type is mangled too */
    const char *suffix; /* of a constructor or destructor */
};

/*
 * Every dm_read_* returns NULL when the text is malformed or a limit is
 * reached; the whole name is then given up.
 */
struct dm_node *dm_node_new(struct dm_reader *r, enum dm_kind kind);
struct dm_node *dm_text(struct dm_reader *r, const char *text, size_t length);
struct dm_node *dm_string(struct dm_reader *r, const char *text);
struct dm_node *dm_number(struct dm_reader *r, uint64_t number);
struct dm_node *dm_pair(struct dm_reader *r, enum dm_kind kind, struct dm_node *left,
                        struct dm_node *right);
struct dm_node *dm_wrap(struct dm_reader *r, const char *head, struct dm_node *child,
                        const char *tail);
struct dm_node *dm_infix(struct dm_reader *r, struct dm_node *left, const char *middle,
                         struct dm_node *right, const char *tail);
bool dm_add_candidate(struct dm_reader *r, struct dm_node *node, bool whole_type);
bool dm_enter(struct dm_reader *r);
bool dm_skip(struct dm_reader *r, const char *word);
bool dm_read_decimal(struct dm_reader *r, uint64_t *value);
bool dm_read_ordinal(struct dm_reader *r, uint64_t *value);

/* A list of whatever `read` reads, up to `stop`, which is taken too. */
struct dm_node *dm_read_list(struct dm_reader *r, char stop,
                             struct dm_node *(*read)(struct dm_reader *));

struct dm_node *dm_read_encoding(struct dm_reader *r);
struct dm_node *dm_read_name(struct dm_reader *r, struct dm_name_facts *facts);
struct dm_node *dm_read_source_name(struct dm_reader *r);
struct dm_node *dm_read_operator_name(struct dm_reader *r);
struct dm_node *dm_read_template_arg(struct dm_reader *r);
struct dm_node *dm_read_template_args(struct dm_reader *r);
struct dm_node *dm_read_template_param(struct dm_reader *r);
struct dm_node *dm_read_substitution(struct dm_reader *r);
uint8_t dm_read_quals(struct dm_reader *r);

struct dm_node *dm_read_type(struct dm_reader *r);
/* Parameters up to the end of the text, `E`, or `$`; none of them taken. */
struct dm_node *dm_read_parameters(struct dm_reader *r);

struct dm_node *dm_read_expression(struct dm_reader *r);
struct dm_node *dm_read_literal(struct dm_reader *r);

/* How an operator is used in an expression. */
enum dm_operator_use {
    DM_NAME_ONLY,
    DM_UNARY,
    DM_BINARY,
    DM_STEP,
    DM_TERNARY,
};
struct dm_operator {
    char code[3];
    uint8_t use;
    const char *text;
};
/* The operator at r->at, which is not taken; NULL if there is none. */
const struct dm_operator *dm_peek_operator(const struct dm_reader *r);

/* Appends to buffer->text; false when a limit is reached. */
bool dm_print(struct demangle_buffer *buffer, const struct dm_node *node);

#endif
