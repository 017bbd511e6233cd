# An example is NAME.c; what it prints is compared with NAME.expected where that exists.
noinst_PROGRAMS += %D%/first %D%/derivatives %D%/minimise %D%/likelihood
EXTRA_DIST += %D%/spectrogram.expected %D%/first.expected %D%/derivatives.expected \
	%D%/minimise.expected %D%/likelihood.expected

# uses of derivatives
noinst_PROGRAMS += %D%/newton %D%/fit %D%/laplace %D%/implicit %D%/ode %D%/persample %D%/series \
	%D%/soap %D%/hamilton %D%/heat
EXTRA_DIST += %D%/newton.expected %D%/fit.expected %D%/laplace.expected %D%/implicit.expected \
	%D%/ode.expected %D%/persample.expected %D%/series.expected %D%/soap.expected \
	%D%/hamilton.expected %D%/heat.expected

noinst_PROGRAMS += %D%/linalg %D%/geometric
EXTRA_DIST += %D%/linalg.expected %D%/geometric.expected
noinst_PROGRAMS += %D%/karate
EXTRA_DIST += %D%/karate.expected
noinst_PROGRAMS += %D%/epoch
EXTRA_DIST += %D%/epoch.expected
noinst_PROGRAMS += %D%/plate
EXTRA_DIST += %D%/plate.expected
noinst_PROGRAMS += %D%/nn
noinst_PROGRAMS += %D%/points
EXTRA_DIST += %D%/points.expected
EXTRA_DIST += %D%/nn.expected
noinst_PROGRAMS += %D%/files
EXTRA_DIST += %D%/files.expected
if HAVE_FFTW
noinst_PROGRAMS += %D%/fft %D%/spectrogram %D%/etdrk4 %D%/pitch_track %D%/denoise %D%/front_end
endif
if HAVE_SUITESPARSE
noinst_PROGRAMS += %D%/sparse %D%/stiff %D%/brusselator %D%/eigenmaps %D%/conductivity %D%/markov %D%/mesh_heat
endif
if HAVE_SUITESPARSE
noinst_PROGRAMS += %D%/nile %D%/gp_classification %D%/disease_map
endif
noinst_PROGRAMS += %D%/changepoint
EXTRA_DIST += %D%/nile.expected %D%/gp_classification.expected %D%/changepoint.expected
noinst_PROGRAMS += %D%/eight_schools
EXTRA_DIST += %D%/eight_schools.expected
noinst_PROGRAMS += %D%/pagerank %D%/attention
noinst_PROGRAMS += %D%/node2vec %D%/molecules %D%/shapes
EXTRA_DIST += %D%/node2vec.expected %D%/molecules.expected %D%/shapes.expected
noinst_HEADERS += %D%/picture.h %D%/chart.h %D%/lake_huron.h %D%/iris.h %D%/mines.h

# the chapter on linear algebra
noinst_PROGRAMS += %D%/gp_regression %D%/kalman %D%/pca %D%/truss %D%/compartments %D%/procrustes %D%/lqr
EXTRA_DIST += %D%/gp_regression.expected %D%/kalman.expected %D%/pca.expected \
	%D%/truss.expected %D%/compartments.expected %D%/procrustes.expected %D%/lqr.expected

# the chapter on probability
noinst_PROGRAMS += %D%/challenger %D%/epidemic %D%/regimes %D%/two_moons %D%/posterior
EXTRA_DIST += %D%/challenger.expected %D%/epidemic.expected %D%/regimes.expected %D%/two_moons.expected %D%/disease_map.expected %D%/posterior.expected
noinst_HEADERS += %D%/picture_grid.h
EXTRA_DIST += %D%/pitch_track.expected %D%/denoise.expected %D%/front_end.expected
if HAVE_SUITESPARSE
noinst_PROGRAMS += %D%/communities
endif
noinst_PROGRAMS += %D%/citations
EXTRA_DIST += %D%/communities.expected %D%/citations.expected
EXTRA_DIST += %D%/mesh_heat.expected %D%/attention.expected %D%/pagerank.expected %D%/eigenmaps.expected %D%/conductivity.expected \
	%D%/markov.expected
EXTRA_DIST += %D%/etdrk4.expected %D%/fft.expected %D%/sparse.expected %D%/stiff.expected %D%/brusselator.expected

# `make distcheck` runs this against the installed library: header, pkg-config file and all
installcheck-local:
	cd %D% && \
	  PKG_CONFIG_PATH='$(DESTDIR)$(pkgconfigdir)' && export PKG_CONFIG_PATH && \
	  $(CC) -std=c11 $(AGN_SANITIZE) $(abs_srcdir)/%D%/first.c -o installed \
	    `pkg-config --cflags --libs agnesi` -Wl,-rpath,'$(libdir)' && \
	  ./installed | diff $(abs_srcdir)/%D%/first.expected -; s=$$?; rm -f installed; exit $$s
# ---- the Burgers demonstration ----
noinst_PROGRAMS += %D%/burgers
%C%_burgers_SOURCES = %D%/burgers.c %D%/burgers_data.c %D%/burgers_data.h \
	%D%/burgers_exact.c %D%/burgers_exact.h %D%/burgers_plot.h \
	%D%/burgers_report.c %D%/burgers_report.h %D%/burgers_ui.c %D%/burgers_ui.h
%C%_burgers_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
%C%_burgers_LDADD = libagnesi.la $(AGN_LIBS) $(CAIRO_LIBS)
if HAVE_CAIRO
%C%_burgers_SOURCES += %D%/burgers_plot.c %D%/burgers_axes.c %D%/burgers_axes.h \
	%D%/burgers_colour.c %D%/burgers_colour.h
else
%C%_burgers_SOURCES += %D%/burgers_noplot.c
endif
