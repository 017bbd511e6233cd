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
    if (o && agni_ref_down(&o->ref))
        o->type->destroy(o);
}
