/* SPDX-License-Identifier: MIT */
/*
 * The weights of the forty nice levels: 1024 * 1.25^-nice, rounded.  Constant
 * data alone, so that host tests link it as it is.
 */
#include "fair_math.h"

const u32 fair_nice_weight[40] = {
	88818, 71054, 56843, 45475, 36380, 29104, 23283, 18626,
	14901, 11921, 9537, 7629, 6104, 4883, 3906, 3125,
	2500, 2000, 1600, 1280, 1024, 819, 655, 524,
	419, 336, 268, 215, 172, 137, 110, 88,
	70, 56, 45, 36, 29, 23, 18, 15,
};
