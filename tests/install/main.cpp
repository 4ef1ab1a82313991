#include <cstdio>

#include "darrow/log.hpp"
#include "darrow/module.hpp"
#include "darrow/summary.hpp"
#include "darrow/version.hpp"

int main(int argc, char** argv) {
  std::printf("darrow %s knows %zu modules\n", darrow::version.data(), darrow::modules().size());
  if (argc != 2 || !darrow::find_module("POSIX")) return 1;
  auto log = darrow::Log::open(argv[1]).value();
  auto sums = darrow::summarize(*log, {.bottom = true}).value();
  auto rate = sums.layers->find("rate");
  if (rate->valid(0)) std::printf("%g bytes/s\n", rate->values<double>()[0]);
  return sums.layers->rows == 1 ? 0 : 2;
}
