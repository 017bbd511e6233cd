/* sparse/pattern/pair_cache.c - facts about a pattern and another one (product, union,
   intersection), kept with the first. */
#include "sparse/pattern/pattern.h"

/* Keyed by the number of the other pattern: a reference to it, or to itself, would be a cycle. A
   reader takes the fact out of its slot and puts it back: no lock. */
struct agni_pair_fact {
    uint64_t other;
    int what;
    agni_obj *fact;
};

void agni_pair_fact_free(agni_pair_fact *k)
{
    if (k)
        agni_obj_release(k->fact);
    agni_free(k);
}

static void put_back(_Atomic(agni_pair_fact *) *place, agni_pair_fact *k)
{
    agni_pair_fact *none = NULL;
    if (!atomic_compare_exchange_strong(place, &none, k))
        agni_pair_fact_free(k);
}

agni_obj *agni_pair_cache_get(const agni_pattern *a, const agni_pattern *b, int what)
{
    agni_obj *fact = NULL;
    for (int i = 0; i < AGNI_PAIR_CACHE_SLOTS && !fact; i++) {
        agni_pair_fact *k = atomic_exchange(&agni_csr_pattern_of(a)->kept[i], NULL);
        if (k && k->other == agni_csr_pattern_of(b)->number && k->what == what)
            fact = agni_obj_retain(k->fact);
        if (k)
            put_back(&agni_csr_pattern_of(a)->kept[i], k);
    }
    return fact;
}

/* replaces the slot that the hash of number and kind gives */
void agni_pair_cache_put(const agni_pattern *a, const agni_pattern *b, int what, agni_obj *fact)
{
    agni_pair_fact *k = agni_alloc(sizeof *k);
    uint64_t other = agni_csr_pattern_of(b)->number;
    if (!k)
        return;
    *k = (agni_pair_fact){other, what, agni_obj_retain(fact)};
    agni_pair_fact_free(atomic_exchange(
        &agni_csr_pattern_of(a)->kept[(other + (uint64_t)what) % AGNI_PAIR_CACHE_SLOTS], k));
}
