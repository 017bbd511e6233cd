/* Input of check-gen-ag.sh: what the generator of ag.h must take and what it must leave. */

/** doc */
AGN_API AGN_MUST_CHECK agn_status agn_neg(agn_tensor **out, const agn_tensor *x);

/** over several lines, arrays, a comment inside */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve(agn_tensor **out, const agn_tensor *a,
                                                   const int64_t *shape, /* why, not */
                                                   const double w[3],
                                                   const agn_solve_opts *opts);

AGN_API agn_status
agn_custom(agn_tensor **y, agn_status (*fn)(void *user, int32_t n), void *user,
           void (*destroy)(void *user), const agn_tensor *const *in, int32_t n_in);

AGN_API agn_status agn_eye_default(agn_tensor **out);

/** laws and maps, which have an owner in a scope too */
AGN_API agn_status agn_distribution_normal(agn_distribution **out, const agn_tensor *loc,
                                           const agn_distribution_options *opts);
AGN_API agn_status agn_transform_exp(agn_transform **out);

/* Left alone: two results, an array of results, no tensor, another return type, not first. */
AGN_API agn_status agn_topk(agn_tensor **values, agn_tensor **index, const agn_tensor *x);
AGN_API agn_status agn_split(agn_tensor *out[], const agn_tensor *x, int32_t n);
AGN_API agn_status agn_op_apply(agn_tensor **out, int32_t n_out, const char *op);
AGN_API agn_status agn_threads_set(int32_t n);
AGN_API agn_status agn_model_new(agn_model **out, agn_model_body *body, void *user);
AGN_API agn_distribution *agn_distribution_retain(const agn_distribution *d);
AGN_API int64_t agn_size(const agn_tensor *t);
AGN_API agn_status agn_fn_call(agn_fn *f, agn_tensor **out, const agn_tensor *const *in);
// AGN_API agn_status agn_gone(agn_tensor **out);
#define AGN_API_LIKE agn_status agn_macro(agn_tensor **out);
