# The one place that sees all modules: libagnesi_la_SOURCES += %D%/table.c
