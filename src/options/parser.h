/*
 * parser.h: what the reader of options files shares with the parser.
 */
#ifndef CULD_OPTIONS_PARSER_H
#define CULD_OPTIONS_PARSER_H

#include "options/options.h"

/* Takes the words of the file as if they stood on the command line. Fatal if it cannot be read. */
void options_read_file(struct option_parser *parser, const char *path);

#endif
