/* tensor/rows/ops_end.h - undefines the row macros after a reading of ops.def; no include guard:
   it follows every reading. */
#undef EW1
#undef EW1P
#undef EW1X
#undef EW2
#undef INNER2
#undef LIN1
#undef LIN2
#undef DISC1
#undef DISC1X
#undef DISC2
#undef INNERD2
#undef EW3
#undef INNER3
#undef INNERD1
#undef DISC2X
