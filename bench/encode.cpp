/// What writing costs beside compression: the table of a module becomes a log again. One line of JSON on standard output.
///     encode LOG MODULE
#include <cstdio>
#include <ctime>

#include "darrow/log.hpp"
#include "darrow/write.hpp"

namespace {

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: encode LOG MODULE\n"), 2;
  auto log = darrow::Log::open(argv[1], {.map_file = true}).value();
  auto table = log->table(argv[2]).value();
  auto writer = darrow::LogWriter::create().value();
  writer.set_job(*log->job());
  double start = cpu_seconds();
  (void)writer.add(argv[2], *table).value();
  double encoded = cpu_seconds();
  auto size = writer.write("/dev/null").value();
  double written = cpu_seconds();
  std::printf("{\"rows\": %lld, \"bytes\": %llu, \"encode\": %.6f, \"compress\": %.6f}\n",
              static_cast<long long>(table->rows), static_cast<unsigned long long>(size), encoded - start,
              written - encoded);
}
