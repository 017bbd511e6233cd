/* distribution/laws.c - the public constructors, one for each law. */
#include "distribution/distribution.h"

agn_status agn_distribution_normal(agn_distribution **out, const agn_tensor *loc,
                                   const agn_tensor *scale, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_normal, (const agn_tensor *[]){loc, scale},
                                  opts);
}
agn_status agn_distribution_laplace(agn_distribution **out, const agn_tensor *loc,
                                    const agn_tensor *scale, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_laplace, (const agn_tensor *[]){loc, scale},
                                  opts);
}
agn_status agn_distribution_cauchy(agn_distribution **out, const agn_tensor *loc,
                                   const agn_tensor *scale, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_cauchy, (const agn_tensor *[]){loc, scale},
                                  opts);
}
agn_status agn_distribution_gumbel(agn_distribution **out, const agn_tensor *loc,
                                   const agn_tensor *scale, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_gumbel, (const agn_tensor *[]){loc, scale},
                                  opts);
}
agn_status agn_distribution_logistic(agn_distribution **out, const agn_tensor *loc,
                                     const agn_tensor *scale,
                                     const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_logistic, (const agn_tensor *[]){loc, scale},
                                  opts);
}
agn_status agn_distribution_student_t(agn_distribution **out, const agn_tensor *df,
                                      const agn_tensor *loc, const agn_tensor *scale,
                                      const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_student_t, (const agn_tensor *[]){df, loc, scale},
                                  opts);
}
agn_status agn_distribution_skew_normal(agn_distribution **out, const agn_tensor *loc,
                                        const agn_tensor *scale, const agn_tensor *alpha,
                                        const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_skew_normal,
                                  (const agn_tensor *[]){loc, scale, alpha}, opts);
}
agn_status agn_distribution_generalized_normal(agn_distribution **out, const agn_tensor *loc,
                                               const agn_tensor *scale, const agn_tensor *power,
                                               const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_generalized_normal,
                                  (const agn_tensor *[]){loc, scale, power}, opts);
}
agn_status agn_distribution_log_normal(agn_distribution **out, const agn_tensor *loc,
                                       const agn_tensor *scale,
                                       const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_log_normal, (const agn_tensor *[]){loc, scale},
                                  opts);
}
agn_status agn_distribution_exponential(agn_distribution **out, const agn_tensor *rate,
                                        const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_exponential, (const agn_tensor *[]){rate},
                                  opts);
}
agn_status agn_distribution_gamma(agn_distribution **out, const agn_tensor *concentration,
                                  const agn_tensor *rate, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_gamma, (const agn_tensor *[]){concentration, rate},
                                  opts);
}
agn_status agn_distribution_inverse_gamma(agn_distribution **out, const agn_tensor *concentration,
                                          const agn_tensor *scale,
                                          const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_inverse_gamma,
                                  (const agn_tensor *[]){concentration, scale}, opts);
}
agn_status agn_distribution_chi2(agn_distribution **out, const agn_tensor *df,
                                 const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_chi2, (const agn_tensor *[]){df},
                                  opts);
}
agn_status agn_distribution_weibull(agn_distribution **out, const agn_tensor *scale,
                                    const agn_tensor *concentration,
                                    const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_weibull,
                                  (const agn_tensor *[]){scale, concentration}, opts);
}
agn_status agn_distribution_pareto(agn_distribution **out, const agn_tensor *scale,
                                   const agn_tensor *alpha, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_pareto, (const agn_tensor *[]){scale, alpha},
                                  opts);
}
agn_status agn_distribution_generalized_pareto(agn_distribution **out, const agn_tensor *loc,
                                               const agn_tensor *scale,
                                               const agn_tensor *concentration,
                                               const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_generalized_pareto,
                                  (const agn_tensor *[]){loc, scale, concentration}, opts);
}
agn_status agn_distribution_half_normal(agn_distribution **out, const agn_tensor *scale,
                                        const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_half_normal, (const agn_tensor *[]){scale},
                                  opts);
}
agn_status agn_distribution_half_cauchy(agn_distribution **out, const agn_tensor *scale,
                                        const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_half_cauchy, (const agn_tensor *[]){scale},
                                  opts);
}
agn_status agn_distribution_uniform(agn_distribution **out, const agn_tensor *low,
                                    const agn_tensor *high, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_uniform, (const agn_tensor *[]){low, high},
                                  opts);
}
agn_status agn_distribution_beta(agn_distribution **out, const agn_tensor *a, const agn_tensor *b,
                                 const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_beta, (const agn_tensor *[]){a, b},
                                  opts);
}
agn_status agn_distribution_kumaraswamy(agn_distribution **out, const agn_tensor *a,
                                        const agn_tensor *b, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_kumaraswamy, (const agn_tensor *[]){a, b},
                                  opts);
}
agn_status agn_distribution_triangular(agn_distribution **out, const agn_tensor *low,
                                       const agn_tensor *high, const agn_tensor *peak,
                                       const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_triangular,
                                  (const agn_tensor *[]){low, high, peak}, opts);
}
agn_status agn_distribution_continuous_bernoulli(agn_distribution **out, const agn_tensor *probs,
                                                 const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_continuous_bernoulli,
                                  (const agn_tensor *[]){probs}, opts);
}
agn_status agn_distribution_truncated_normal(agn_distribution **out, const agn_tensor *loc,
                                             const agn_tensor *scale, const agn_tensor *low,
                                             const agn_tensor *high,
                                             const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_truncated_normal,
                                  (const agn_tensor *[]){loc, scale, low, high}, opts);
}
agn_status agn_distribution_bernoulli(agn_distribution **out, const agn_tensor *probs,
                                      const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_bernoulli, (const agn_tensor *[]){probs},
                                  opts);
}
agn_status agn_distribution_binomial(agn_distribution **out, const agn_tensor *total_count,
                                     const agn_tensor *probs,
                                     const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_binomial,
                                  (const agn_tensor *[]){total_count, probs}, opts);
}
agn_status agn_distribution_geometric(agn_distribution **out, const agn_tensor *probs,
                                      const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_geometric, (const agn_tensor *[]){probs},
                                  opts);
}
agn_status agn_distribution_poisson(agn_distribution **out, const agn_tensor *rate,
                                    const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_poisson, (const agn_tensor *[]){rate},
                                  opts);
}
agn_status agn_distribution_negative_binomial(agn_distribution **out,
                                              const agn_tensor *total_count,
                                              const agn_tensor *probs,
                                              const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_negative_binomial,
                                  (const agn_tensor *[]){total_count, probs}, opts);
}
agn_status agn_distribution_beta_binomial(agn_distribution **out, const agn_tensor *total_count,
                                          const agn_tensor *a, const agn_tensor *b,
                                          const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_beta_binomial,
                                  (const agn_tensor *[]){total_count, a, b}, opts);
}
agn_status agn_distribution_zero_inflated_poisson(agn_distribution **out, const agn_tensor *gate,
                                                  const agn_tensor *rate,
                                                  const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_zero_inflated_poisson,
                                  (const agn_tensor *[]){gate, rate}, opts);
}
agn_status agn_distribution_dirichlet(agn_distribution **out, const agn_tensor *concentration,
                                      const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_dirichlet, (const agn_tensor *[]){concentration},
                                  opts);
}
agn_status agn_distribution_multivariate_normal(agn_distribution **out, const agn_tensor *loc,
                                                const agn_tensor *scale_tril,
                                                const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_multivariate_normal,
                                  (const agn_tensor *[]){loc, scale_tril}, opts);
}
agn_status agn_distribution_categorical(agn_distribution **out, const agn_tensor *logits,
                                        const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_categorical, (const agn_tensor *[]){logits}, opts);
}
