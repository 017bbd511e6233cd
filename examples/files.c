/* files.c - the same numbers in four kinds of files, as memory of a file, and as memory that
   another library sees. */
#include <agnesi/agnesi.h>
#include <stdio.h>

static agn_status show(const char *what, const agn_tensor *x)
{
    agn_format_options o = {
        .size = sizeof o, .precision = 3, .style = AGN_FORMAT_ARRAY, .suppress = true};
    char text[400];
    agn_status st = agn_format_with(text, sizeof text, NULL, x, &o);
    if (!st)
        printf("%-12s %s\n", what, text);
    return st;
}

/* several tensors in one file, with a note */
static agn_status archives(const agn_tensor *a, const agn_tensor *b)
{
    agn_dict *d = NULL, *back = NULL;
    agn_tensor *x = NULL;
    agn_status st = agn_dict_new(&d);
    st = st ? st : agn_dict_put(d, "layer/weight", a);
    st = st ? st : agn_dict_put(d, "layer/bias", b);
    st = st ? st : agn_npz_save("files-example.npz", d, false);
    st = st ? st : agn_dict_note_put(d, "trained on", "nothing");
    st = st ? st : agn_safetensors_save("files-example.safetensors", d);
    st = st ? st : agn_safetensors_load(&back, "files-example.safetensors");
    for (int32_t i = 0; !st && i < agn_dict_count(back); i++) {
        st = agn_dict_get(&x, back, agn_dict_name(back, i));
        st = st ? st : show(agn_dict_name(back, i), x);
        agn_release(x);
        x = NULL;
    }
    if (!st)
        printf("trained on   %s\n", agn_dict_note(back, "trained on"));
    agn_dict_release(d);
    agn_dict_release(back);
    return st;
}

/* a file as memory: the second half of it, changed in place */
static agn_status mapped(void)
{
    const int64_t n = 8, half = 4;
    agn_tensor *all = NULL, *x = NULL;
    void *p = NULL;
    agn_status st = agn_map_file(&all, "files-example.bin", AGN_F32, 1, &n, 0, AGN_MAP_CREATE);
    st = st ? st : agn_map_file(&x, "files-example.bin", AGN_F32, 1, &half, 16, AGN_MAP_WRITE);
    st = st ? st : agn_data_mut(&p, x);
    for (int i = 0; i < half && !st; i++)
        ((float *)p)[i] = (float)i + 0.5f;
    st = st ? st : agn_map_flush(x);
    st = st ? st : show("mapped", all);
    agn_release(all);
    agn_release(x);
    return st;
}

int main(void)
{
    agn_scope *s = agn_scope_open(NULL);
    const int64_t shape[] = {2, 3};
    const agn_tensor *a = ag_reshape(s, ag_linspace(s, AGN_F64, 0, 1, 6), 2, shape);
    const agn_tensor *b = ag_cast(s, ag_arange(s, AGN_I64, 0, 3, 1), AGN_F16);
    agn_status st = agn_scope_status(s);

    st = st ? st : agn_npy_save("files-example.npy", a);
    st = st ? st : show(".npy", ag_npy_load(s, "files-example.npy"));
    st = st ? st : archives(a, b);
    st = st ? st : agn_mtx_save("files-example.mtx", a, AGN_MTX_GENERAL);
    st = st ? st : show(".mtx", ag_mtx_load(s, "files-example.mtx"));
    st = st ? st : mapped();

    struct DLManagedTensorVersioned *m = NULL; /* what numpy.from_dlpack is given */
    st = st ? st : agn_dlpack_export(&m, a, AGN_SHARE_READ);
    st = st ? st : show("shared", ag_dlpack_import(s, m));
    printf("%s\n", st ? agn_error_message() : agn_brief(a));

    const char *const files[] = {"files-example.npy", "files-example.npz",
                                 "files-example.safetensors", "files-example.mtx",
                                 "files-example.bin"};
    for (int i = 0; i < 5; i++)
        remove(files[i]);
    return agn_scope_close(s) || st;
}
