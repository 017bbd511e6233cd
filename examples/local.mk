# An example is NAME.c; what it prints is compared with NAME.expected where that exists.
noinst_PROGRAMS += %D%/first %D%/derivatives
EXTRA_DIST += %D%/first.expected %D%/derivatives.expected

# `make distcheck` runs this against the installed library: header, pkg-config file and all
installcheck-local:
	cd %D% && \
	  PKG_CONFIG_PATH='$(DESTDIR)$(pkgconfigdir)' && export PKG_CONFIG_PATH && \
	  $(CC) -std=c11 $(AGN_SANITIZE) $(abs_srcdir)/%D%/first.c -o installed \
	    `pkg-config --cflags --libs agnesi` -Wl,-rpath,'$(libdir)' && \
	  ./installed | diff $(abs_srcdir)/%D%/first.expected -; s=$$?; rm -f installed; exit $$s
