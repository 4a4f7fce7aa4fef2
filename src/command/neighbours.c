#include "command/neighbours.h"

#include "link.h"

#include <stdio.h>
#include <unistd.h>

void
use_neighbouring_ptxas(culd_link *link, const char *command)
{
    static char path[4096]; /* lives as long as the link */
    const char *slash = strrchr(command, '/');

    if (link->options.ptxas_path || !slash)
        return;
    int length = snprintf(path, sizeof path, "%.*s/ptxas", (int)(slash - command), command);
    if (length > 0 && (size_t)length < sizeof path && access(path, X_OK) == 0)
        link->options.ptxas_path = path;
}
