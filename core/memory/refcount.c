/* core/memory/refcount.c - reference counting of objects of any type. */
#include "core/core.h"

agni_obj *agni_obj_retain(const agni_obj *o)
{
    agni_obj *counted = (agni_obj *)o;
    if (counted)
        agni_ref_up(&counted->ref);
    return counted;
}

void agni_obj_release(agni_obj *o)
{
    if (!o)
        return;
    /* nobody else has a reference that could be counted meanwhile: no locked instruction */
    bool last = agni_ref_unique(&o->ref);
    if (last)
        atomic_store_explicit(&o->ref, 0, memory_order_relaxed);
    if (last || agni_ref_down(&o->ref))
        o->type->destroy(o);
}
