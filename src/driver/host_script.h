/*
 * host_script.h: --gen-host-linker-script. Host programs with device code want three sections kept
 * apart; the script says so to the host's linker.
 */
#ifndef CULD_DRIVER_HOST_SCRIPT_H
#define CULD_DRIVER_HOST_SCRIPT_H

#include "link.h"

/* The script becomes the output file, or text for standard output where no file is named. */
void make_host_script(culd_link *link);

#endif
