/*
 * launch [-m] [-t SECONDS] [-o FILE] COMMAND...: what one run of a command costs.
 *
 * Prints one line: its exit status, microseconds of user, system and wall time, kilobytes of
 * peak memory, all of it and without mapped files, and page faults. A script that starts commands itself would count
 * its own memory, which the new process has until it becomes the command; this program is small.
 *
 * Memory without mapped files is known only by looking (-m), at the cost of a disturbed run.
 * Status 256: ended by a signal; 257: past the time limit.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_SIGNAL = 256, STATUS_LATE = 257, LOOK_MICROSECONDS = 300 };

struct settings {
    bool looks_at_memory;
    double limit; /* 0: none */
    const char *output;
};

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static long long
microseconds(struct timeval time)
{
    return (long long)time.tv_sec * 1000000 + time.tv_usec;
}

static void
become(const struct settings *settings, char **command)
{
    int out = open(settings->output, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (out < 0 || dup2(out, STDOUT_FILENO) < 0)
        _exit(127);
    close(out);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

/* Kilobytes that are no pages of files, at this moment. */
static long
own_memory(int statm)
{
    char text[128];
    long size, resident, shared;
    ssize_t length = pread(statm, text, sizeof text - 1, 0);

    if (length <= 0)
        return 0;
    text[length] = '\0';
    if (sscanf(text, "%ld %ld %ld", &size, &resident, &shared) != 3)
        return 0;
    return (resident - shared) * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The most memory seen until the command ended. */
static long
watch(pid_t process)
{
    char path[64];
    long most = 0;

    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
    int statm = open(path, O_RDONLY);
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT | WNOHANG) < 0 || info.si_pid)
            break;
        long memory = statm < 0 ? 0 : own_memory(statm);
        most = memory > most ? memory : most;
        usleep(LOOK_MICROSECONDS);
    }
    if (statm >= 0)
        close(statm);
    return most;
}

static volatile pid_t running;
static volatile sig_atomic_t is_late;

static void
end_late_command(int signal)
{
    (void)signal;
    is_late = 1;
    kill(running, SIGKILL);
}

static void
set_limit(double seconds)
{
    struct sigaction action = {.sa_handler = end_late_command, .sa_flags = SA_RESTART};
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};

    if (seconds <= 0)
        return;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static int
exit_status(int status)
{
    if (is_late)
        return STATUS_LATE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL;
}

static int
run(const struct settings *settings, char **command)
{
    struct rusage usage;
    int status;
    double start = now();
    pid_t process = vfork();

    if (process < 0)
        return 1;
    if (process == 0)
        become(settings, command);
    running = process;
    set_limit(settings->limit);
    long memory = settings->looks_at_memory ? watch(process) : 0;
    if (wait4(process, &status, 0, &usage) < 0)
        return 1;
    double wall = now() - start;
    printf("%d %lld %lld %lld %ld %ld %ld\n", exit_status(status), microseconds(usage.ru_utime),
           microseconds(usage.ru_stime), (long long)(wall * 1e6), usage.ru_maxrss, memory,
           usage.ru_minflt);
    return 0;
}

int
main(int argc, char **argv)
{
    struct settings settings = {.output = "/dev/null"};
    int option;

    while ((option = getopt(argc, argv, "+mt:o:")) != -1) {
        if (option == 'm')
            settings.looks_at_memory = true;
        else if (option == 't')
            settings.limit = atof(optarg);
        else if (option == 'o')
            settings.output = optarg;
        else
            return 2;
    }
    return optind < argc ? run(&settings, argv + optind) : 2;
}
