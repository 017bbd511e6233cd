# AGN_CC_FLAGS(VARIABLE, FLAGS) - append to VARIABLE those of FLAGS that the compiler takes
AC_DEFUN([AGN_CC_FLAGS], [
  for agn_flag in $2; do
    AC_MSG_CHECKING([whether $CC takes $agn_flag])
    agn_save_CFLAGS=$CFLAGS
    # clang only warns about flags it does not know
    CFLAGS="$CFLAGS -Werror $agn_flag"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()],
      [AC_MSG_RESULT([yes]); $1="$$1 $agn_flag"], [AC_MSG_RESULT([no])])
    CFLAGS=$agn_save_CFLAGS
  done])
