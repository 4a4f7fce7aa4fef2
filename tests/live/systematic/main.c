/*
 * One worker of systematic.py:
 *
 *     systematic LIST FOLDER NVLINK SECONDS SEED CODE-RARITY
 *
 * LIST has a line for each link: its name and the words of its command line, with a tab between two;
 * words that are inputs begin with '/'. Damages inputs of one link after the other, each time at one
 * place, and links them with culd; what culd links is linked with nvlink, too. Says for each finding:
 *
 *     finding <name> <path> <kind> <place> <verdict> <damaged file below FOLDER>
 *
 * with tabs, and for each link first: link <name> <path>. FOLDER/current holds what is being linked by
 * culd, should it end by a signal.
 */
#include "damage.h"
#include "linkers.h"

#include "base/file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { DAMAGES_OF_A_LINK = 1500, SECONDS_OF_CULD = 10 };

struct campaign {
    const char *nvlink, *folder;
    unsigned code_rarity;
    time_t end;
    struct source source;
    struct link_case *links;
    size_t link_count;
    uint8_t *current; /* maps FOLDER/current */
    int current_file;
    unsigned long tried, accepted, findings;
};

static void
fail(const char *what)
{
    perror(what);
    exit(2);
}

/* ---- the list ---- */

static void
read_link(struct link_case *link, char *line)
{
    char *rest = line;

    link->name = strtok_r(line, "\t", &rest);
    for (char *word; (word = strtok_r(NULL, "\t", &rest)) && link->count < MOST_WORDS;) {
        struct input_file file;
        if (*word == '/' && !file_read(word, &file))
            fail(word);
        if (*word == '/')
            link->files[link->count] = file.bytes;
        link->words[link->count++] = word;
    }
}

static void
read_list(struct campaign *campaign, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    if (!file)
        fail(path);
    while (getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = 0;
        campaign->links =
            realloc(campaign->links, (campaign->link_count + 1) * sizeof *campaign->links);
        if (!campaign->links)
            fail("memory");
        campaign->links[campaign->link_count] = (struct link_case){0};
        read_link(&campaign->links[campaign->link_count++], line);
        line = NULL;
    }
    fclose(file);
}

/* ---- what is being linked ---- */

static void
map_current(struct campaign *campaign)
{
    char path[PATH_MAX];
    size_t largest = 1;

    for (size_t i = 0; i < campaign->link_count; i++)
        for (unsigned word = 0; word < campaign->links[i].count; word++)
            if (campaign->links[i].files[word].size > largest)
                largest = campaign->links[i].files[word].size;
    snprintf(path, sizeof path, "%s/current", campaign->folder);
    campaign->current_file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (campaign->current_file < 0)
        fail(path);
    campaign->current =
        mmap(NULL, largest, PROT_READ | PROT_WRITE, MAP_SHARED, campaign->current_file, 0);
    if (campaign->current == MAP_FAILED)
        fail(path);
}

static void
set_current_size(const struct campaign *campaign, size_t size)
{
    if (ftruncate(campaign->current_file, (off_t)size) != 0)
        fail(campaign->folder);
}

/* ---- one damage ---- */

/* NULL: both agree. */
static const char *
verdict(const struct result *own, const struct result *other)
{
    if (other->status < 0)
        return "nvlink dies";
    if (other->status)
        return "nvlink refuses";
    return bytes_equal(own->output, other->output) ? NULL : "bytes";
}

static void
report(struct campaign *campaign, const struct damaged_link *damaged, const struct damage *damage,
       const char *words)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%lu", campaign->folder, campaign->findings++);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(damaged->file.at, 1, damaged->file.size, file) != damaged->file.size ||
        fclose(file) != 0)
        fail(path);
    printf("finding\t%s\t%s\t%s\t0x%zx\t%s\t%s\n", damaged->link->name,
           damaged->link->words[damaged->word], damage->kind, damage->at, words, path);
    fflush(stdout);
}

static void
try_damage(struct campaign *campaign, const struct damaged_link *damaged,
           const struct damage *damage)
{
    alarm(SECONDS_OF_CULD);
    struct result own = culd_links(damaged);
    alarm(0);
    campaign->tried++;
    if (!own.status) {
        struct result other = nvlink_links(damaged, campaign->nvlink, campaign->folder);
        const char *words = verdict(&own, &other);
        campaign->accepted++;
        if (words)
            report(campaign, damaged, damage, words);
        result_release(&other);
    }
    result_release(&own);
}

/* ---- all of them ---- */

static bool
is_same_undamaged(const struct campaign *campaign, const struct link_case *link)
{
    struct damaged_link undamaged = {.link = link, .word = link->count};
    struct result own = culd_links(&undamaged);
    struct result other = {.status = 1};

    if (!own.status)
        other = nvlink_links(&undamaged, campaign->nvlink, campaign->folder);
    bool is_same = !own.status && !verdict(&own, &other);
    result_release(&own);
    result_release(&other);
    return is_same;
}

static unsigned
random_input(struct campaign *campaign, const struct link_case *link)
{
    unsigned word = (unsigned)(random_number(&campaign->source) % link->count);

    while (!link->files[word].size)
        word = (word + 1) % link->count;
    return word;
}

static void
damage_link(struct campaign *campaign, const struct link_case *link)
{
    struct damaged_link damaged = {.link = link, .word = random_input(campaign, link)};
    struct victim victim = {.bytes = link->files[damaged.word].at,
                            .size = link->files[damaged.word].size};

    printf("link\t%s\t%s\n", link->name, link->words[damaged.word]);
    fflush(stdout);
    if (!is_same_undamaged(campaign, link))
        return;
    if (!mark_code(&victim))
        fail("memory");
    for (unsigned i = 0; i < DAMAGES_OF_A_LINK && time(NULL) < campaign->end; i++) {
        struct damage damage;
        set_current_size(campaign, victim.size);
        if (!make_damage(&campaign->source, &victim, campaign->code_rarity, campaign->current,
                         &damage))
            continue;
        set_current_size(campaign, damage.size);
        damaged.file = (struct bytes){campaign->current, damage.size};
        try_damage(campaign, &damaged, &damage);
    }
    free(victim.is_code);
}

int
main(int count, char **words)
{
    if (count != 7) {
        fprintf(stderr, "systematic LIST FOLDER NVLINK SECONDS SEED CODE-RARITY\n");
        return 2;
    }
    struct campaign campaign = {.folder = words[2],
                                .nvlink = words[3],
                                .end = time(NULL) + atol(words[4]),
                                .source = {.state = strtoull(words[5], NULL, 0) * 2 + 1},
                                .code_rarity = (unsigned)atol(words[6])};
    read_list(&campaign, words[1]);
    map_current(&campaign);
    for (int i = 0; i < 64; i++) /* seeds are small numbers */
        random_number(&campaign.source);
    while (campaign.link_count && time(NULL) < campaign.end)
        damage_link(&campaign,
                    &campaign.links[random_number(&campaign.source) % campaign.link_count]);
    printf("total\t%lu\t%lu\t%lu\n", campaign.tried, campaign.accepted, campaign.findings);
    return 0;
}
