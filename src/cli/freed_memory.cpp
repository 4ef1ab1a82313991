#include "cli/freed_memory.hpp"

#include <cstdlib>  // tells which C library it is
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace darrow::cli {

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace darrow::cli
