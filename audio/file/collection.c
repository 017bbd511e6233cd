/* audio/file/collection.c - collections of labelled sounds in a folder: ESC-50 (Piczak 2015) and
   TESS (Pichora-Fuller & Dupuis 2020). Nothing is fetched; what is listed need not be read. */
#include "audio/audio.h"
#include "exchange/file/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_CLASSES = 50, MOST_DEPTH = 4 };

typedef struct entry {
    char *path;
    int32_t label, fold;
} entry;

struct agn_sound_set {
    int64_t count, room;
    entry *list;
    int32_t n_classes;
    char *names[MOST_CLASSES]; /* NULL: none of the list has it */
};

void agn_sound_set_release(agn_sound_set *set)
{
    if (!set)
        return;
    for (int64_t i = 0; i < set->count; i++)
        agni_free(set->list[i].path);
    for (int k = 0; k < MOST_CLASSES; k++)
        agni_free(set->names[k]);
    agni_free(set->list);
    agni_free(set);
}

/* folder/name */
static char *join_path(const char *folder, const char *name, size_t n)
{
    size_t m = strlen(folder);
    char *p = agni_alloc(m + n + 2);
    if (!p)
        return NULL;
    memcpy(p, folder, m);
    p[m] = '/';
    memcpy(p + m + 1, name, n);
    p[m + 1 + n] = 0;
    return p;
}

static char *copy_text(const char *p, size_t n)
{
    char *to = agni_alloc(n + 1);
    if (to) {
        memcpy(to, p, n);
        to[n] = 0;
    }
    return to;
}

/* takes path, also where it fails */
static agn_status add_entry(agn_sound_set *set, const char *op, char *path, int32_t label,
                            int32_t fold)
{
    if (path && set->count == set->room) {
        int64_t room = set->room + set->room / 2 + 64;
        entry *list = agni_alloc((size_t)room * sizeof *list);
        if (list) {
            if (set->count)
                memcpy(list, set->list, (size_t)set->count * sizeof *list);
            agni_free(set->list);
            set->list = list;
            set->room = room;
        }
    }
    if (!path || set->count == set->room) {
        agni_free(path);
        return agni_nomem(op, sizeof(entry));
    }
    set->list[set->count++] = (entry){path, label, fold};
    return AGN_OK;
}

/* only what is in the fold, or only what is not */
static void keep_fold(agn_sound_set *set, int32_t fold, bool held_out)
{
    int64_t n = 0;
    for (int64_t i = 0; i < set->count; i++)
        if ((set->list[i].fold == fold) == held_out)
            set->list[n++] = set->list[i];
        else
            agni_free(set->list[i].path);
    set->count = n;
}

/* the set, or what it failed by */
static agn_status finish_set(agn_sound_set **out, agn_sound_set *set, agn_status st, int32_t fold,
                             bool held_out)
{
    if (st) {
        agn_sound_set_release(set);
        return st;
    }
    keep_fold(set, fold, held_out);
    *out = set;
    return AGN_OK;
}

/* ---- ESC-50 --------------------------------------------------------------------------------- */

typedef struct field {
    const char *p;
    size_t n;
} field;

/* the first four fields of a line; false where it has fewer */
static bool split_line(const char *p, const char *end, field f[4])
{
    for (int k = 0; k < 4; k++) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        const char *stop = comma ? comma : end;
        f[k] = (field){p, (size_t)(stop - p)};
        if (!comma && k < 3)
            return false;
        p = comma ? comma + 1 : end;
    }
    return true;
}

/* -1 where it is no number below limit */
static int32_t small_number(field f, int32_t limit)
{
    int32_t v = 0;
    for (size_t i = 0; i < f.n; i++) {
        if (f.p[i] < '0' || f.p[i] > '9')
            return -1;
        v = 10 * v + (f.p[i] - '0');
        if (v >= limit)
            return -1;
    }
    return f.n ? v : -1;
}

static agn_status add_line(agn_sound_set *set, const char *op, const char *audio, const char *file,
                           int64_t number, const char *p, const char *end)
{
    field f[4];
    bool fine = split_line(p, end, f);
    int32_t fold = fine ? small_number(f[1], 6) : -1,
            label = fine ? small_number(f[2], MOST_CLASSES) : -1;
    /* a list does not lead out of its folder */
    if (fold < 1 || label < 0 || !f[0].n || memchr(f[0].p, '/', f[0].n) ||
        memchr(f[0].p, 0, f[0].n) || f[0].p[0] == '.')
        return agni_fail(
            AGN_EFORMAT,
            "%s: line %lld of %s is no file,fold,target,category with a fold from 1 to 5 and a "
            "target below %d",
            op, (long long)number, agni_path_end(file), MOST_CLASSES);
    agn_status st = add_entry(set, op, join_path(audio, f[0].p, f[0].n), label, fold);
    if (!st && !set->names[label] && !(set->names[label] = copy_text(f[3].p, f[3].n)))
        st = agni_nomem(op, f[3].n + 1);
    if (label >= set->n_classes)
        set->n_classes = label + 1;
    return st;
}

static agn_status read_table(agn_sound_set *set, const char *op, const char *audio,
                             const char *file)
{
    agni_input in;
    agn_status st = agni_input_open(&in, op, file);
    if (st)
        return st;
    size_t n = in.size > 0 && in.size < 1 << 26 ? (size_t)in.size : 0;
    char *text = agni_alloc(n + 1);
    if (!text)
        st = agni_nomem(op, n + 1);
    if (!st && !n)
        st = agni_fail(AGN_EFORMAT, "%s: %s has %lld bytes; a table has some, and fewer than 2^26",
                       op, in.file, (long long)in.size);
    if (!st)
        st = agni_input_read(&in, 0, text, n, "the table");
    agni_input_close(&in);
    int64_t number = 0;
    for (const char *p = text; !st && p < text + n; number++) {
        const char *line = memchr(p, '\n', (size_t)(text + n - p)),
                   *next = line ? line + 1 : text + n;
        const char *end = line ? line : text + n;
        if (end > p && end[-1] == '\r')
            end--;
        if (!number && (end - p < 9 || memcmp(p, "filename,", 9)))
            st = agni_fail(AGN_EFORMAT, "%s: %s does not begin with filename,fold,target,category",
                           op, agni_path_end(file));
        else if (number && end > p)
            st = add_line(set, op, audio, file, number + 1, p, end);
        p = next;
    }
    agni_free(text);
    return st;
}

agn_status agn_sound_set_esc50(agn_sound_set **out, const char *folder, int32_t fold, bool held_out)
{
    static const char op[] = "sound_set_esc50";
    if (!out || !folder)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "folder" : "out");
    if (fold < 1 || fold > 5)
        return agni_fail(AGN_EARG, "%s: fold %d of %s; there are 1 to 5", op, fold,
                         agni_path_end(folder));
    agn_sound_set *set = agni_zalloc(sizeof *set);
    char *audio = join_path(folder, "audio", 5), *file = join_path(folder, "meta/esc50.csv", 14);
    agn_status st = set && audio && file ? read_table(set, op, audio, file)
                                         : agni_nomem(op, sizeof *set);
    agni_free(audio);
    agni_free(file);
    return finish_set(out, set, st, fold, held_out);
}

/* ---- TESS ----------------------------------------------------------------------------------- */

static const char *const emotions[] = {"angry", "disgust", "fear", "happy", "neutral", "ps", "sad"};
enum { EMOTIONS = sizeof emotions / sizeof emotions[0] };

/* of a name like OAF_back_angry.wav; -1 where it is none */
static int32_t emotion_of(const char *name)
{
    size_t n = strlen(name);
    const char *last = strrchr(name, '_');
    if (!last || n < 4 || (strcmp(name + n - 4, ".wav") && strcmp(name + n - 4, ".WAV")))
        return -1;
    size_t m = (size_t)(name + n - 4 - (last + 1));
    for (int32_t k = 0; k < EMOTIONS; k++)
        if (strlen(emotions[k]) == m && !memcmp(last + 1, emotions[k], m))
            return k;
    return -1;
}

static agn_status walk_folder(agn_sound_set *set, const char *op, const char *folder, int depth)
{
    agn_status st = AGN_OK;
    DIR *d = opendir(folder);
    if (!d)
        return agni_io_fail(op, folder, "cannot be listed");
    for (struct dirent *e; !st && (e = readdir(d));) {
        struct stat is;
        if (e->d_name[0] == '.')
            continue;
        char *path = join_path(folder, e->d_name, strlen(e->d_name));
        int32_t label = emotion_of(e->d_name);
        if (!path)
            st = agni_nomem(op, strlen(e->d_name));
        else if (label >= 0)
            st = add_entry(set, op, path, label, 0);
        else {
            if (depth < MOST_DEPTH && !lstat(path, &is) && S_ISDIR(is.st_mode))
                st = walk_folder(set, op, path, depth + 1);
            agni_free(path);
        }
    }
    closedir(d);
    return st;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->path, ((const entry *)b)->path);
}

agn_status agn_sound_set_tess(agn_sound_set **out, const char *folder, int32_t folds, int32_t fold,
                              bool held_out)
{
    static const char op[] = "sound_set_tess";
    if (!out || !folder)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "folder" : "out");
    if (folds < 1 || fold < 1 || fold > folds)
        return agni_fail(AGN_EARG, "%s: fold %d of %d of %s; there are 1 to that", op, fold, folds,
                         agni_path_end(folder));
    agn_sound_set *set = agni_zalloc(sizeof *set);
    agn_status st = set ? walk_folder(set, op, folder, 0) : agni_nomem(op, sizeof *set);
    if (!st && !set->count)
        st = agni_fail(AGN_EFORMAT, "%s: %s has no file like OAF_back_angry.wav", op,
                       agni_path_end(folder));
    for (int32_t k = 0; !st && k < EMOTIONS; k++, set->n_classes++)
        if (!(set->names[k] = copy_text(emotions[k], strlen(emotions[k]))))
            st = agni_nomem(op, 8);
    if (!st)
        qsort(set->list, (size_t)set->count, sizeof *set->list, compare_paths);
    for (int64_t i = 0; !st && i < set->count; i++)
        set->list[i].fold = (int32_t)(i % folds) + 1;
    return finish_set(out, set, st, fold, held_out);
}

/* ---- what is in a set ----------------------------------------------------------------------- */

int64_t agn_sound_set_count(const agn_sound_set *set)
{
    return set ? set->count : 0;
}

int32_t agn_sound_set_n_classes(const agn_sound_set *set)
{
    return set ? set->n_classes : 0;
}

const char *agn_sound_set_class_name(const agn_sound_set *set, int32_t k)
{
    return set && k >= 0 && k < set->n_classes ? set->names[k] : NULL;
}

const char *agn_sound_set_path(const agn_sound_set *set, int64_t i)
{
    return set && i >= 0 && i < set->count ? set->list[i].path : NULL;
}

int32_t agn_sound_set_label(const agn_sound_set *set, int64_t i)
{
    return set && i >= 0 && i < set->count ? set->list[i].label : -1;
}

/* sound i: the mean of its channels, [samples], at most that many and zeros behind */
static agn_status load_row(agn_tensor **out, int32_t *rate, const char *path, int64_t samples)
{
    agn_tensor *x = NULL, *mean = NULL;
    agn_sound_load_options as = {.size = sizeof as, .frames = samples};
    agn_status st = agn_sound_load(&x, rate, path, &as);
    if (!st)
        st = agn_mean(&mean, x, (int32_t[]){0}, 1, false);
    agn_release(x);
    if (!st)
        st = agn_pad(out, mean, 1, (int64_t[]){0}, (int64_t[]){samples - mean->size}, 0);
    agn_release(mean);
    return st;
}

agn_status agn_sound_set_load(agn_tensor **out, agn_tensor **labels, int32_t *rate,
                              const agn_sound_set *set, int64_t first, int64_t count,
                              int64_t samples)
{
    static const char op[] = "sound_set_load";
    agn_tensor *x = NULL, *y = NULL;
    int32_t common = 0, own = 0;
    if (!out || !labels || !set)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out      ? "out"
                         : !labels ? "labels"
                                   : "set");
    if (first < 0 || count < 1 || first > set->count || count > set->count - first || samples < 1)
        return agni_fail(AGN_EARG, "%s: %lld sounds of %lld samples from number %lld on, of %lld",
                         op, (long long)count, (long long)samples, (long long)first,
                         (long long)set->count);
    size_t size = (size_t)count * (sizeof(agn_tensor *) + sizeof(int64_t));
    agn_tensor **row = agni_zalloc(size);
    agn_status st = row ? AGN_OK : agni_nomem(op, size);
    int64_t *label = row ? (int64_t *)(row + count) : NULL;
    for (int64_t i = 0; i < count && !st; i++) {
        const entry *e = &set->list[first + i];
        st = agni_rename_error(op, load_row(&row[i], &own, e->path, samples));
        label[i] = e->label;
        common = i ? common : own;
        if (!st && own != common)
            st = agni_fail(AGN_EFORMAT, "%s: %s has a rate of %d, the ones before %d", op,
                           agni_path_end(e->path), own, common);
    }
    if (!st && count > INT32_MAX)
        st = agni_fail(AGN_EARG, "%s: %lld sounds at once", op, (long long)count);
    if (!st)
        st = agn_stack(&x, (const agn_tensor *const *)row, (int32_t)count, 0);
    if (!st)
        st = agn_from_host(&y, AGN_I64, 1, &count, label);
    for (int64_t i = 0; row && i < count; i++)
        agn_release(row[i]);
    agni_free(row);
    if (st) {
        agn_release(x);
        return st;
    }
    *out = x;
    *labels = y;
    if (rate)
        *rate = common;
    return AGN_OK;
}
