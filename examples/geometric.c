/* geometric.c - each node of a graph adds up what its neighbours hold. */
#include <agnesi/agnesi.h>
#include <stdio.h>

int main(void)
{
    const int64_t from[] = {0, 1, 2, 0}, to[] = {1, 2, 1, 0}, edges = 4,
                  shape[] = {3, 2};
    const double rows[] = {0, 2, 1, 4, 2, 6};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = ag_from_host(s, AGN_F64, 2, shape, rows);
    const agn_tensor *src = ag_from_host(s, AGN_I64, 1, &edges, from);
    const agn_tensor *dst = ag_from_host(s, AGN_I64, 1, &edges, to);
    const agn_tensor *y = ag_geometric_send_u_recv(s, x, src, dst, 0,
                                                   AGN_GEOMETRIC_SUM);
    char text[120] = "";
    agn_status st = y ? agn_format(text, sizeof text, NULL, y) : agn_scope_status(s);
    printf("%s\n", text);
    return agn_scope_close(s) || st;
}
