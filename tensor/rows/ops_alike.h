/* tensor/rows/ops_alike.h - for a reading of ops.def that treats all rows as EW1 does; follows its
   definition, no include guard. */
#define EW1P EW1
#define EW1X EW1
#define EW2 EW1
#define EW3 EW1
#define INNER2 EW1
#define INNER3 EW1
#define LIN1 EW1
#define LIN2 EW1
#define DISC1 EW1
#define DISC1X EW1
#define DISC2 EW1
#define DISC2X EW1
#define INNERD1 EW1
#define INNERD2 EW1
