/*
 * options.h: the command line, word by word, and what it comes to.
 */
#ifndef CULD_OPTIONS_H
#define CULD_OPTIONS_H

#include "arch/arch.h"
#include "base/array.h"
#include "base/diag.h"

typedef ARRAY(const char *) string_list;

/* Values given on the command line; NULL, false and empty where they were not. A list that was
   given without items has memory. */
struct options {
    const char *arch;
    const char *output;
    const char *machine;
    string_list inputs;
    string_list libraries;
    string_list library_paths;
    const char *cpu_arch;
    const char *register_file;
    const char *time_file;
    const char *gen_host_linker_script;
    const char *host_ccbin;
    bool link_time_opt;
    bool dlto;
    bool emit_ptx;
    const char *nvvm_path;
    const char *ofast_compile;
    const char *max_registers;
    const char *split_compile;
    const char *split_compile_extended;
    const char *device_stack_protector;
    string_list xptxas;
    string_list xnvvm;
    const char *uidx_file;
    const char *cuda_api_version;
    bool debug;
    bool relocatable;
    bool preserve_relocs;
    bool force_rela;
    bool reserve_null_pointer;
    bool allow_undefined_globals;
    bool verbose;
    bool disable_warnings;
    bool warnings_are_errors;
    bool disable_infos;
    bool extra_warnings;
    bool suppress_stack_warning;
    bool suppress_arch_warning;
    bool suppress_debug_info;
    bool report_arch;
    bool dump_callgraph;
    bool dump_callgraph_raw;
    bool use_host_info;
    bool ignore_host_info;
    bool keep_system_libraries;
    string_list kernels_used;
    string_list variables_used;
    string_list options_files;
    const char *identify_as;
    const char *ptxas_path;
    const char *make_toolkit;
    const char *cuda_path;
    const char *dependency_file;
    const char *tool_name;
    const char *verbose_tkinfo;
    const char *disable_smem_reservation;
    const char *syscall_offset; /* no effect */
    bool shared;                /* no effect */
    bool uumn;                  /* no effect seen */
    const char *threads;
    const char *time_trace;
    bool trust_inputs;
    bool stats;
    bool help;
    bool version;
};

struct option_parser {
    struct options *options;
    struct arena *arena;
    struct diag *diag;
    const struct option *waiting; /* for its value */
    const char *waiting_spelling;
    unsigned open_files; /* options files, each named by the one before */
};

/* Takes the next word of the command line. Fatal on what it does not understand. */
void options_add_word(struct option_parser *parser, const char *word);

/* Fatal if an option still waits for its value. */
void options_end(struct option_parser *parser);

/* The options as .note.nv.tkinfo records them; file names only if `with_files`. */
const char *options_record(struct arena *arena, const struct options *options, bool with_files);

/* What is passed on to ptxas where an input is PTX. */
struct compiler_options {
    string_list list;
    const char *refusal; /* why nothing can be compiled, NULL: it can */
};
struct compiler_options options_for_compiler(struct arena *arena, const struct options *options);

const char *options_help(struct arena *arena, const char *program);

#endif
