/* fft.c - the frequencies in a signal, and the signal back from them. */
#include <agnesi/agnesi.h>
#include <stdio.h>

int main(void)
{
    agn_scope *s = agn_scope_open(NULL);
    const double two_pi = 6.283185307179586;
    const agn_tensor *t = ag_linspace(s, AGN_F64, 0, 7 * two_pi / 8, 8);
    const agn_tensor *x = ag_add(s, ag_cos(s, t), ag_sin(s, ag_mul_c(s, t, 3)));
    const agn_tensor *f = ag_fft_rfft(s, x, 0, -1, AGN_FFT_FORWARD);
    const agn_tensor *power = ag_round(s, ag_mul_c(s, ag_square(s, ag_abs(s, f)), 4));
    const agn_tensor *back = ag_fft_irfft(s, f, 8, -1, AGN_FFT_FORWARD);
    const agn_tensor *apart = ag_max(s, ag_abs(s, ag_sub(s, back, x)), NULL, 0, false);
    char text[80] = "";
    double d = 1;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_format(text, sizeof text, NULL, power);
    st = st ? st : agn_item_f64(&d, apart);
    printf("4 |X|^2 = %s\nback within 1e-14: %s\n", text, d < 1e-14 ? "yes" : "no");
    return agn_scope_close(s) || st;
}
