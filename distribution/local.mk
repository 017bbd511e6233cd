agninclude_HEADERS += include/agnesi/distribution.h
agninclude_HEADERS += include/agnesi/laws.h
agninclude_HEADERS += include/agnesi/transform.h
agninclude_HEADERS += include/agnesi/univariate_laws.h
agninclude_HEADERS += include/agnesi/vector_laws.h
agninclude_HEADERS += include/agnesi/compound_laws.h
agninclude_HEADERS += include/agnesi/series_laws.h

# distribution
libagnesi_la_SOURCES += %D%/distribution.h
libagnesi_la_SOURCES += %D%/expression.h
libagnesi_la_SOURCES += %D%/laws.def
libagnesi_la_SOURCES += %D%/distribution.c
libagnesi_la_SOURCES += %D%/api.c
libagnesi_la_SOURCES += %D%/log_density.h
libagnesi_la_SOURCES += %D%/log_density.c
libagnesi_la_SOURCES += %D%/cpu/density.h
LEVEL_SOURCES += %D%/cpu/density.c
libagnesi_la_SOURCES += %D%/implicit_reparametrisation.c
libagnesi_la_SOURCES += %D%/quantile.c
libagnesi_la_SOURCES += %D%/expectation.c
libagnesi_la_SOURCES += %D%/mode.c
libagnesi_la_SOURCES += %D%/score_function.c
libagnesi_la_SOURCES += %D%/kl.c
libagnesi_la_SOURCES += %D%/kl_pairs.c
libagnesi_la_SOURCES += %D%/laws.c
libagnesi_la_SOURCES += %D%/multivariate.c
libagnesi_la_SOURCES += %D%/wrappers.c
EXTRA_DIST += %D%/README.md

# distribution/univariate
libagnesi_la_SOURCES += %D%/univariate/location_scale.c
libagnesi_la_SOURCES += %D%/univariate/heavy.c
libagnesi_la_SOURCES += %D%/univariate/gamma.c
libagnesi_la_SOURCES += %D%/univariate/positive.c
libagnesi_la_SOURCES += %D%/univariate/bounded.c
libagnesi_la_SOURCES += %D%/univariate/counts.c
libagnesi_la_SOURCES += %D%/univariate/waiting.c
libagnesi_la_SOURCES += %D%/univariate/lengths.c
libagnesi_la_SOURCES += %D%/univariate/quotients.c
libagnesi_la_SOURCES += %D%/univariate/stable.h
libagnesi_la_SOURCES += %D%/univariate/stable.c
libagnesi_la_SOURCES += %D%/univariate/stable_density.c
libagnesi_la_SOURCES += %D%/univariate/sizes.c
libagnesi_la_SOURCES += %D%/univariate/extremes.c
libagnesi_la_SOURCES += %D%/univariate/integers.c
libagnesi_la_SOURCES += %D%/univariate/logits.c
libagnesi_la_SOURCES += %D%/univariate/entropies.c
libagnesi_la_SOURCES += %D%/univariate/count_tables.c
libagnesi_la_SOURCES += %D%/univariate/lattice.c
libagnesi_la_SOURCES += %D%/univariate/skew_normal.c
libagnesi_la_SOURCES += %D%/univariate/modified_normal.c
libagnesi_la_SOURCES += %D%/univariate/noncentral.c
libagnesi_la_SOURCES += %D%/univariate/ordered.c
libagnesi_la_SOURCES += %D%/univariate/poisson_binomial.c
EXTRA_DIST += %D%/univariate/README.md

# distribution/transforms
libagnesi_la_SOURCES += %D%/transforms/transform.h
libagnesi_la_SOURCES += %D%/transforms/transform.c
libagnesi_la_SOURCES += %D%/transforms/bijectors.c
libagnesi_la_SOURCES += %D%/transforms/vector_transforms.c
libagnesi_la_SOURCES += %D%/transforms/compose.c
libagnesi_la_SOURCES += %D%/transforms/flows.c
EXTRA_DIST += %D%/transforms/README.md

# distribution/vectors
libagnesi_la_SOURCES += %D%/vectors/vectors.h
libagnesi_la_SOURCES += %D%/vectors/counts.c
libagnesi_la_SOURCES += %D%/vectors/gaussian.c
libagnesi_la_SOURCES += %D%/vectors/matrices.c
libagnesi_la_SOURCES += %D%/vectors/directional.c
libagnesi_la_SOURCES += %D%/vectors/spheres.c
libagnesi_la_SOURCES += %D%/vectors/rankings.c
libagnesi_la_SOURCES += %D%/vectors/relaxed.c
libagnesi_la_SOURCES += %D%/vectors/one_hot.c
EXTRA_DIST += %D%/vectors/README.md

# distribution/compound
libagnesi_la_SOURCES += %D%/compound/compound.h
libagnesi_la_SOURCES += %D%/compound/mixtures.c
libagnesi_la_SOURCES += %D%/compound/truncated.c
libagnesi_la_SOURCES += %D%/compound/hurdle.c
libagnesi_la_SOURCES += %D%/compound/shapes.c
libagnesi_la_SOURCES += %D%/compound/exponential_family.c
EXTRA_DIST += %D%/compound/README.md

# distribution/series
libagnesi_la_SOURCES += %D%/series/series.h
libagnesi_la_SOURCES += %D%/series/walks.c
libagnesi_la_SOURCES += %D%/series/chains.c
libagnesi_la_SOURCES += %D%/series/gaussian_series.c
libagnesi_la_SOURCES += %D%/series/hidden_states.c
libagnesi_la_SOURCES += %D%/series/kalman.c
EXTRA_DIST += %D%/series/README.md
