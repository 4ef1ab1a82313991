// Opens a log and reads all columns of a module, names and mounts included: what a C++ program pays.
//
// usage: bench_columns LOG MODULE COLUMN
//
// Prints JSON: CPU seconds of this process once the columns are there; rows, columns, bytes of the table; the sum of one
// 64-bit COLUMN, which tells that all readers saw the same.
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <numeric>

#include "darrow/log.hpp"

namespace {

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench_columns LOG MODULE COLUMN\n");
    return 2;
  }
  auto log = darrow::Log::open(argv[1]);
  if (!log) {
    std::fprintf(stderr, "%s\n", log.error().describe().c_str());
    return 2;
  }
  auto read = (*log)->table(argv[2]);
  if (!read) {
    std::fprintf(stderr, "%s\n", read.error().describe().c_str());
    return 2;
  }
  double cpu = cpu_seconds();
  const darrow::Table& table = **read;
  const darrow::Column* column = table.find(argv[3]);
  if (!column || column->type != darrow::ColumnType::i64) {
    std::fprintf(stderr, "no 64-bit column %s\n", argv[3]);
    return 2;
  }
  auto values = column->values<std::int64_t>();
  std::printf("{\"cpu\": %.6f, \"rows\": %lld, \"columns\": %zu, \"bytes\": %zu, \"sum\": %lld}\n", cpu,
              static_cast<long long>(table.rows), table.columns.size(), table.bytes(),
              static_cast<long long>(std::accumulate(values.begin(), values.end(), std::int64_t{0})));
}
