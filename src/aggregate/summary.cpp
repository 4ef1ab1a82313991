#include "darrow/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/id_index.hpp"
#include "base/problem_sink.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// A sum of counts that cannot be wrong: null once it does not fit.
class ExactSum {
 public:
  void add(std::int64_t v) {
    overflow_ |= __builtin_add_overflow(sum_, v, &sum_);
    seen_ = true;
  }
  bool overflow() const { return overflow_; }
  std::optional<std::int64_t> value() const { return seen_ && !overflow_ ? std::optional(sum_) : std::nullopt; }

 private:
  std::int64_t sum_ = 0;
  bool seen_ = false, overflow_ = false;
};

/// The columns of one module that the summary needs, found by their roles.
struct Inputs {
  const Column *id, *rank, *bytes_read, *bytes_written, *read_time, *write_time, *meta_time, *slowest_time;
};

constexpr Role roles[] = {Role::bytes_read, Role::bytes_written, Role::read_time,
                          Role::write_time, Role::meta_time,     Role::slowest_time};

bool has_all_roles(const Module& m) {
  return std::all_of(std::begin(roles), std::end(roles), [&](Role r) { return find_role(m.fields, r) != nullptr; });
}

struct Numbers {
  std::optional<std::int64_t> records, files, bytes_read, bytes_written, slowest_rank;
  std::optional<double> time, unique_time, shared_time, rate;
};

/// Adds up one column of byte counts; negative ones are missing.
std::optional<std::int64_t> sum_bytes(const Column& c, std::int64_t& negative, std::int64_t& overflows) {
  ExactSum sum;
  if (c.length == 0) return 0;
  auto values = c.values<std::int64_t>();
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (!c.valid(static_cast<std::int64_t>(r))) continue;
    if (values[r] < 0) ++negative;
    else sum.add(values[r]);
  }
  overflows += sum.overflow();
  return sum.value();
}

/// Times beyond this are no times: 30,000 years.
constexpr double longest = 1e12;

/// Seconds of a row, 0 where not recorded or not a time.
double seconds(const Column& c, std::size_t row, std::int64_t& negative) {
  if (!c.valid(static_cast<std::int64_t>(row))) return 0;
  double v = c.values<double>()[row];
  if (v >= 0 && v <= longest) return v;
  ++negative;
  return 0;
}

Numbers summarize_module(const Inputs& in, ProblemSink& sink) {
  Numbers n;
  std::int64_t negative = 0, overflows = 0;
  n.records = in.id->length;
  auto ids = in.id->values<std::uint64_t>();
  IdIndex files;
  for (auto id : ids) files.insert(id);
  n.files = files.size();
  n.bytes_read = sum_bytes(*in.bytes_read, negative, overflows);
  n.bytes_written = sum_bytes(*in.bytes_written, negative, overflows);

  // Records of single ranks: the rank with the largest sum of its times. Shared records: their slowest rank's time.
  std::unordered_map<std::int64_t, double, IdHash> time_of_rank;
  double shared = 0;
  auto ranks = in.rank->values<std::int64_t>();
  double* last = nullptr;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (ranks[r] == -1) {
      shared += seconds(*in.slowest_time, r, negative);
    } else if (ranks[r] >= 0) {
      if (!last || ranks[r] != ranks[r - 1]) last = &time_of_rank[ranks[r]];
      *last += seconds(*in.meta_time, r, negative) + seconds(*in.read_time, r, negative) +
               seconds(*in.write_time, r, negative);
    }
  }
  double slowest = 0;
  for (const auto& [rank, time] : time_of_rank)
    if (time > slowest || (time == slowest && n.slowest_rank && rank < *n.slowest_rank)) {
      slowest = time;
      n.slowest_rank = rank;
    }
  n.unique_time = slowest;
  n.shared_time = shared;
  n.time = slowest + shared;
  std::int64_t total;
  if (n.bytes_read && n.bytes_written && *n.time > 0 &&
      !__builtin_add_overflow(*n.bytes_read, *n.bytes_written, &total))
    n.rate = static_cast<double>(total) / *n.time;

  if (negative)
    sink.add(ProblemKind::value_negative,
             fmt::format("negative or absurd byte counts and times left out of the sums: {}", negative), negative);
  if (overflows)
    sink.add(ProblemKind::sum_overflow, fmt::format("sums that do not fit 64 bits: {}", overflows), overflows);
  return n;
}

Numbers nothing_read() {
  Numbers n;
  n.records = 0;
  return n;
}

/// Whether something of the module's region was lost or is untrusted.
bool is_damaged(const Log& log, const ModuleInfo& info) {
  auto problems = log.problems();
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& p) { return p.module == info.name && p.severity() == Severity::error; });
}

}  // namespace

Result<std::shared_ptr<const Table>> summarize(const Log& log, std::vector<Problem>& problems) {
  TextBuilder names("module");
  std::vector<std::optional<bool>> partial, damaged;
  std::vector<Numbers> all;
  for (const auto& info : log.modules()) {
    if (!info.module || info.status != ModuleStatus::readable || !has_all_roles(*info.module)) continue;
    TableOptions options;
    options.columns = {"id", "rank"};
    for (Role role : roles) options.columns.emplace_back(find_role(info.module->fields, role)->label());
    auto table = log.table(info.name, options);
    if (!table) return table.error();
    auto column = [&](Role role) { return (*table)->find(find_role(info.module->fields, role)->label()); };
    Inputs inputs{(*table)->find("id"),        (*table)->find("rank"),    column(Role::bytes_read),
                  column(Role::bytes_written), column(Role::read_time),   column(Role::write_time),
                  column(Role::meta_time),     column(Role::slowest_time)};
    ProblemSink sink(info.name, info.name, problems);
    damaged.emplace_back(is_damaged(log, info));
    bool nothing = *damaged.back() && (*table)->rows == 0;
    all.push_back(nothing ? nothing_read() : summarize_module(inputs, sink));
    names.add(info.name);
    partial.emplace_back(info.partial);
  }

  auto table = std::make_shared<Table>();
  table->name = "summary";
  table->rows = names.size();
  table->columns.push_back(std::move(names).finish());
  auto add = [&]<typename T>(const char* name, std::optional<T> Numbers::* member) {
    std::vector<std::optional<T>> values;
    for (const auto& n : all) values.push_back(n.*member);
    table->columns.push_back(value_column<T>(name, values));
  };
  add("files", &Numbers::files);
  add("records", &Numbers::records);
  add("bytes_read", &Numbers::bytes_read);
  add("bytes_written", &Numbers::bytes_written);
  add("time_by_slowest", &Numbers::time);
  add("unique_time_by_slowest", &Numbers::unique_time);
  add("shared_time_by_slowest", &Numbers::shared_time);
  add("slowest_rank", &Numbers::slowest_rank);
  add("rate", &Numbers::rate);
  table->columns.push_back(value_column<bool>("partial", partial));
  table->columns.push_back(value_column<bool>("damaged", damaged));
  auto of_log = log.problems();
  problems.insert(problems.begin(), of_log.begin(), of_log.end());
  return std::shared_ptr<const Table>(std::move(table));
}

}  // namespace darrow
