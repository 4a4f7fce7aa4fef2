/*
 * process.h: running another program and reading what it prints. No shell is involved.
 */
#ifndef CULD_BASE_PROCESS_H
#define CULD_BASE_PROCESS_H

#include "base/file.h"

/*
 * Runs the program arguments[0], found along PATH, with the arguments up to NULL and without input.
 * What it prints is in `output` (for file_release), with what it says on standard error or without.
 * False if it could not be run or did not end with status 0; then there is no output.
 */
bool process_output(const char *const *arguments, bool with_errors, struct input_file *output);

#endif
