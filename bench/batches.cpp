// Opens a log and reads a module in batches: what a scan pays, in time and in memory.
//
// usage: bench_batches LOG MODULE [--columns A,B,…] [--rank N] [--id N] [--named NAME] [--from S --until S] [--rows N] [--table]
//   --named  only records of the file of that name: its id is looked up in the name table
//   --table  as one table
//
// Prints JSON: CPU seconds of this process, its largest memory, rows, what the log counted, and a sum over all 64-bit values.
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "darrow/log.hpp"

namespace {

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "bench_batches: %s\n", what.c_str());
  std::exit(2);
}

rusage usage() {
  rusage of_process;
  getrusage(RUSAGE_SELF, &of_process);
  return of_process;
}
double seconds(timeval t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; }

std::uint64_t sum_of(const darrow::Table& table) {
  std::uint64_t sum = 0;
  for (const auto& c : table.columns)
    if (c.type == darrow::ColumnType::i64 || c.type == darrow::ColumnType::u64 || c.type == darrow::ColumnType::f64)
      for (auto v : c.values<std::uint64_t>()) sum += v;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) fail("usage: bench_batches LOG MODULE [options]");
  darrow::TableOptions options;
  darrow::TimeWindow window{0, 1e300};
  std::int64_t batch_rows = 0;
  bool as_table = false;
  std::string name;
  for (int i = 3; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--table") {
      as_table = true;
      continue;
    }
    if (++i == argc) fail("an option without its value");
    const std::string value = argv[i];
    if (option == "--columns") {
      for (std::size_t at = 0; at <= value.size();) {
        const auto end = std::min(value.find(',', at), value.size());
        options.columns.push_back(value.substr(at, end - at));
        at = end + 1;
      }
    } else if (option == "--rank") {
      options.ranks = {std::stoll(value)};
    } else if (option == "--id") {
      options.ids = {std::stoull(value)};
    } else if (option == "--named") {
      name = value;
    } else if (option == "--from") {
      window.from = std::stod(value);
      options.time = window;
    } else if (option == "--until") {
      window.until = std::stod(value);
      options.time = window;
    } else if (option == "--rows") {
      batch_rows = std::stoll(value);
    } else {
      fail("no such option");
    }
  }
  auto log = darrow::Log::open(argv[1]);
  if (!log) fail(log.error().describe());
  if (!name.empty()) {
    auto names = (*log)->names();
    if (!names) fail(names.error().describe());
    options.ids.emplace();
    for (std::int64_t i = 0; i < (*names)->size(); ++i)
      if ((*names)->name(i) == name) options.ids->push_back((*names)->id(i));
  }
  std::int64_t rows = 0, batches = 0;
  std::uint64_t sum = 0;
  auto add = [&](const darrow::Table& table) {
    rows += table.rows;
    ++batches;
    sum += sum_of(table);
  };
  if (as_table) {
    auto table = (*log)->table(argv[2], options);
    if (!table) fail(table.error().describe());
    add(**table);
  } else if (auto all = (*log)->scan(argv[2], options, add, batch_rows); !all) {
    fail(all.error().describe());
  }
  const auto spent = usage();
  const auto counted = (*log)->counters();
  std::printf(
      "{\"cpu\": %.6f, \"max_rss_mb\": %.1f, \"rows\": %lld, \"batches\": %lld, \"bytes_inflated\": %llu, "
      "\"columns_decoded\": %llu, \"records_copied\": %llu, \"sum\": %llu}\n",
      seconds(spent.ru_utime) + seconds(spent.ru_stime), static_cast<double>(spent.ru_maxrss) / 1024,
      static_cast<long long>(rows), static_cast<long long>(batches),
      static_cast<unsigned long long>(counted.bytes_inflated), static_cast<unsigned long long>(counted.columns_decoded),
      static_cast<unsigned long long>(counted.records_copied), static_cast<unsigned long long>(sum));
}
