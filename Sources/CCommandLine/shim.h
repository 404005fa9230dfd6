// getopt_long: Swift's own Glibc module has only getopt.
#include <getopt.h>
