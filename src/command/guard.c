#include "command/guard.h"

#include "link.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void
guard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)!open("/dev/null", O_RDWR);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* For the handler, which is given nothing but an address. */
static const culd_link *guarded;
static const char *guarded_program;

static void
say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

/* A page of a mapped file may be gone; or its bytes are not those that were checked. */
static void
end_on_changed_input(int signal_number, siginfo_t *info, void *context)
{
    const char *path = inputs_path_of(&guarded->inputs, info->si_addr);
    const char *problem = "' was cut short while it was being read\n";

    (void)context;
    if (signal_number != SIGBUS || !path) {
        path = inputs_changed(&guarded->inputs);
        problem = "' was changed while it was being read\n";
    }
    if (!path) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    say(guarded_program);
    say(" fatal   : Input file '");
    say(path);
    say(problem);
    _exit(CULD_FATAL);
}

void
guard_inputs(const culd_link *link, const char *program)
{
    struct sigaction action = {.sa_sigaction = end_on_changed_input, .sa_flags = SA_SIGINFO};

    guarded = link;
    guarded_program = program;
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
}
