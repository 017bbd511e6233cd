# one page a line
MANUAL =
MANUAL += %D%/conf.py
MANUAL += %D%/index.rst
MANUAL += %D%/install.rst
MANUAL += %D%/tutorial.rst
MANUAL += %D%/concepts.rst
MANUAL += %D%/core.rst
MANUAL += %D%/tensor.rst
MANUAL += %D%/random.rst
MANUAL += %D%/autograd.rst
MANUAL += %D%/control.rst
MANUAL += %D%/plans.rst
MANUAL += %D%/speed.rst
MANUAL += %D%/operator.rst
MANUAL += %D%/linalg.rst
MANUAL += %D%/sparse.rst
MANUAL += %D%/fft.rst
MANUAL += %D%/signal.rst
MANUAL += %D%/distribution.rst
MANUAL += %D%/inference.rst
MANUAL += %D%/geometric.rst
MANUAL += %D%/audio.rst
MANUAL += %D%/nn.rst
MANUAL += %D%/optim.rst
MANUAL += %D%/exchange.rst
MANUAL += %D%/names.rst
MANUAL += %D%/numpy.rst
MANUAL += %D%/backend.rst
MANUAL += %D%/design.rst
MANUAL += %D%/glossary.rst
MANUAL += %D%/foreign.rst
MANUAL += %D%/accuracy.rst
MANUAL += %D%/accuracy_special.rst
MANUAL += %D%/special_names.rst
MANUAL_PICTURES = %D%/mesh_heat.svg %D%/roofline.svg %D%/eigenmaps.png %D%/conductivity.png
MANUAL_PICTURES += %D%/gp_regression.svg %D%/kalman.svg
MANUAL_PICTURES += %D%/pca.svg %D%/truss.svg %D%/compartments.svg %D%/procrustes.svg %D%/lqr.svg
MANUAL_PICTURES += %D%/eight_schools.svg %D%/nile.svg %D%/challenger.svg %D%/epidemic.svg %D%/regimes.svg
MANUAL_PICTURES += %D%/two_moons.svg %D%/disease_map.svg %D%/gp_classification.svg %D%/posterior.svg
MANUAL_PICTURES += %D%/pitch_track.svg %D%/denoise.svg %D%/front_end.svg %D%/etdrk4.svg
MANUAL_PICTURES += %D%/communities.svg %D%/node2vec.svg %D%/shapes.svg
EXTRA_DIST += $(MANUAL) $(MANUAL_PICTURES) tools/gen-rst.awk tools/gen-table.awk %D%/burgers.png %D%/roofline.json

# Sphinx reads one folder, so the pages, the programs they show and the generated chapters of
# the reference are brought together; a page whose header is not there yet includes nothing.
html-local:
	@rm -rf %D%/pages && $(MKDIR_P) %D%/pages/api %D%/pages/examples
	@for f in $(MANUAL) $(MANUAL_PICTURES); do cp $(srcdir)/$$f %D%/pages/ || exit 1; done
	@cp $(srcdir)/examples/*.c $(srcdir)/examples/*.expected %D%/pages/examples/
	@for f in $(MANUAL); do : > %D%/pages/api/`basename $$f`; done
	@for h in $(ag_inputs); do \
	  $(AWK) -f $(top_srcdir)/tools/gen-rst.awk -f $(top_srcdir)/tools/prototypes.awk $$h \
	    > %D%/pages/api/`basename $$h .h`.rst && \
	  $(AWK) -f $(top_srcdir)/tools/gen-table.awk -f $(top_srcdir)/tools/prototypes.awk $$h \
	    > %D%/pages/api/table-`basename $$h .h`.rst || exit 1; done
	AGNESI_VERSION='$(VERSION)' $(SPHINX_BUILD) -W -q -b html %D%/pages %D%/html
	@echo "open %D%/html/index.html"
