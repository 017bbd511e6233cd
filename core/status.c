/* core/status.c - status names and the message of each thread. */
#include "core/thread_record.h"
#include <string.h>

static const char *const names[] = {
    "AGN_OK",           "AGN_ENULL",      "AGN_ENOMEM", "AGN_ESHAPE",
    "AGN_EDTYPE",       "AGN_EINDEX",     "AGN_EARG",   "AGN_EDOMAIN",
    "AGN_EUNSUPPORTED", "AGN_ESYMBOLIC",  "AGN_ESTALE", "AGN_ENOCONV",
    "AGN_EDEVICE",      "AGN_ECANCELLED", "AGN_EIO",    "AGN_EFORMAT",
};
_Static_assert(AGNI_COUNT(names) == 1 - AGN_EFORMAT, "a status has no name");

const char *agn_status_name(agn_status st)
{
    return st <= 0 && st > -AGNI_COUNT(names) ? names[-st] : "unknown status";
}

const char *agn_error_message(void)
{
    const agni_thread_record *a = agni_thread_record_get();
    return a ? a->message : "out of memory, and none for a message";
}

char *agni_line_buffer(void)
{
    agni_thread_record *a = agni_thread_record_get();
    return a ? a->line[a->n_lines++ % AGNI_LINES] : NULL;
}

/* A truncated text ends in "...", never within a UTF-8 sequence. */
static void mark_truncation(char *text, size_t n)
{
    size_t end = n - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
        end--;
    memcpy(text + end, "...", 4);
}

agn_status agni_fail(agn_status st, const char *fmt, ...)
{
    char text[AGNI_MESSAGE_BYTES]; /* an argument may be the present message */
    va_list ap;
    va_start(ap, fmt);
    int len = agni_vformat(text, sizeof text, fmt, ap);
    va_end(ap);
    if (len < 0)
        len = agni_format(text, sizeof text, "%s", agn_status_name(st));
    if ((size_t)len >= sizeof text) {
        mark_truncation(text, sizeof text);
        len = (int)strlen(text);
    }
    agni_thread_record *a = agni_thread_record_get();
    if (a) {
        memcpy(a->message, text, (size_t)len + 1);
        a->n_failures++;
        a->last_status = st;
    }
    return st;
}

static agn_status report_missing_reason(const char *op, agn_status st)
{
    return agni_fail(st, "%s: the host's function gave %s (%d) and no reason", op,
                     agn_status_name(st), st);
}

int64_t agni_failure_count(void)
{
    const agni_thread_record *a = agni_thread_record_get();
    return a ? a->n_failures : 0;
}

agn_status agni_check_callback(const char *op, agn_status st, int64_t n_before)
{
    return st < 0 && agni_failure_count() == n_before ? report_missing_reason(op, st) : st;
}

agn_status agni_with_reason(const char *op, agn_status st)
{
    const agni_thread_record *a = agni_thread_record_get();
    return a && a->last_status != st ? report_missing_reason(op, st) : st;
}

agn_status agni_check_struct_size(const char *op, const char *type, size_t given, size_t known)
{
    if (given == known)
        return AGN_OK;
    return agni_fail(AGN_EARG, "%s: unknown size: %zu bytes, %s has %zu", op, given, type, known);
}

agn_status agni_nomem(const char *op, size_t bytes)
{
    int64_t live = 0;
    agn_memory_live(&live, NULL, NULL);
    return agni_fail(AGN_ENOMEM, "%s: out of memory: %zu bytes asked for, %lld in use",
                     op, bytes, (long long)live);
}
