# AGN_LIB(HEADER, FUNCTION, LIBRARIES, DEBIAN-PACKAGE, [IF-MISSING])
# Find a library and put it in front of LIBS, so libraries are asked for from the bottom
# up. One that is missing is remembered: the user shall hear of all of them at once.
AC_DEFUN([AGN_LIB], [
  agn_found=no
  AC_CHECK_HEADER([$1], [AC_SEARCH_LIBS([$2], [$3], [agn_found=yes])])
  AS_IF([test $agn_found = no],
    [m4_default([$5], [AS_CASE([" $agn_missing "], [*" $4 "*], [],
      [agn_missing="$agn_missing $4"])])])])

# AGN_WITH(NAME, DESCRIPTION, MACRO) - option --without-NAME; sets with_NAME to yes or no
# and defines MACRO for the sources and as a conditional for the makefiles
AC_DEFUN([AGN_WITH], [
  AC_ARG_WITH([$1], [AS_HELP_STRING([--without-$1], [leave out $2])],
    [AS_IF([test "x$with_$1" != xno], [with_$1=yes])], [with_$1=yes])
  AS_IF([test $with_$1 = yes], [AC_DEFINE([$3], [1], [Define to 1 to build with $1.])])
  AM_CONDITIONAL([$3], [test $with_$1 = yes])])
