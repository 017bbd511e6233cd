/* core/memory/quarantine.c - quarantine of released objects in the checking mode (Serebryany et al.
   2012, AddressSanitizer, 3.3): the memory of a handle stays behind as an object of nothing, so
   that its use and a second release are errors that name it. */
#include "core/core.h"
#include "core/fork_mutex.h"

#include <string.h>

enum { QUARANTINE = 1 << 12 };

typedef struct retired_object {
    agni_obj *object;
    const char *was; /* the name of its type */
} retired_object;

static agni_mutex guard = AGNI_MUTEX_INIT; /* of: */
static retired_object quarantine[QUARANTINE];
static int64_t retired;

atomic_llong agni_handle_fault_count;

static const char *name_before(const agni_obj *o)
{
    const char *was = "object";
    agni_mutex_lock(&guard);
    for (int64_t i = 0; i < QUARANTINE; i++)
        if (quarantine[i].object == o)
            was = quarantine[i].was;
    agni_mutex_unlock(&guard);
    return was;
}

static agn_status report_fault(const char *op, const agni_obj *o, const char *what)
{
    agn_status st = agni_fail(AGN_ESTALE, "%s: the %s %s", op, name_before(o), what);
    atomic_fetch_add(&agni_handle_fault_count, 1);
    agni_log_message(3, "%s", agn_error_message());
    return st;
}

static void refuse_release(agni_obj *o)
{
    agni_ref_init(&o->ref);
    report_fault("release", o, "was released before");
}
static const agni_obj_type gone_type = {.name = "released object", .destroy = refuse_release};

void agni_obj_free(agni_obj *o, size_t bytes)
{
    if (!agni_checking) {
        agni_free(o);
        return;
    }
    const char *was = o->type->name;
    memset((char *)o + sizeof *o, 0, bytes - sizeof *o);
    agni_ref_init(&o->ref);
    o->type = &gone_type;
    agni_mutex_lock(&guard);
    retired_object *place = &quarantine[retired++ % QUARANTINE];
    agni_obj *oldest = place->object;
    *place = (retired_object){o, was};
    agni_mutex_unlock(&guard);
    agni_free(oldest);
}

agn_status agni_find_released(const char *op, const agni_obj *o)
{
    return o->type == &gone_type ? report_fault(op, o, "was released") : AGN_OK;
}
