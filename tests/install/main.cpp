#include <cstdio>

#include "darrow/module.hpp"
#include "darrow/version.hpp"

int main() {
  std::printf("darrow %s knows %zu modules\n", darrow::version.data(), darrow::modules().size());
  return darrow::find_module("POSIX") ? 0 : 1;
}
