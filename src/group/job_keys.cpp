// Keys that come from the job of a log.
#include <fmt/format.h>

#include <ctime>

#include "group/key_parts.hpp"
#include "group/keys.hpp"
#include "table/build.hpp"
#include "table/join.hpp"

namespace darrow {
namespace {

/// What all records of a log share.
class JobKey : public Key {
 public:
  JobKey(GroupKey::Kind kind, const std::string& log, const Job* job) {
    using Kind = GroupKey::Kind;
    auto add_number = [&](std::string name, std::optional<std::int64_t> number) {
      columns_.push_back(value_column<std::int64_t>(std::move(name), {number}));
    };
    auto of_job = [&](std::int64_t Job::* member) { return job ? std::optional(job->*member) : std::nullopt; };
    if (kind == Kind::job) add_text("log", log);
    if (kind == Kind::job) add_number("jobid", of_job(&Job::jobid));
    if (kind == Kind::job || kind == Kind::uid) add_number("uid", of_job(&Job::uid));
    if (kind == Kind::job || kind == Kind::exe) add_text("exe", job ? program_of(*job) : std::nullopt);
    if (kind == Kind::day) add_text("day", job ? day_of(*job) : std::nullopt);
    if (kind != Kind::job) return;
    add_number("nprocs", of_job(&Job::nprocs));
    add_number("start_time", of_job(&Job::start_time_sec));
    add_number("end_time", of_job(&Job::end_time_sec));
    columns_.push_back(value_column<double>("run_time", {job ? job->run_time : std::nullopt}));
  }
  std::vector<std::string> columns() const override { return {}; }
  std::optional<Error> number(const Table&, std::span<const std::int64_t>, std::span<std::uint32_t> numbers) override {
    std::fill(numbers.begin(), numbers.end(), 0u);
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    for (const auto& column : columns_) {
      const std::vector<Piece> rows(numbers.size(), Piece{&column, 0, 1});
      const Piece none[] = {{&column, 0, 0}};
      columns.push_back(join(rows.empty() ? std::span<const Piece>(none) : rows));
    }
  }

 private:
  void add_text(std::string name, std::optional<std::string_view> text) {
    TextBuilder texts(std::move(name));
    text ? texts.add(*text) : texts.add_null();
    columns_.push_back(std::move(texts).finish());
  }
  static std::optional<std::string> program_of(const Job& job) {
    auto end = job.exe.find_first_of(" \t\n");
    return end == 0 || job.exe.empty() ? std::nullopt : std::optional(job.exe.substr(0, end));
  }
  static std::optional<std::string> day_of(const Job& job) {
    std::tm tm{};
    auto seconds = static_cast<std::time_t>(job.start_time_sec);
    if (job.start_time_sec <= 0 || !gmtime_r(&seconds, &tm)) return {};
    return fmt::format("{:04}-{:02}-{:02}", 1900LL + tm.tm_year, tm.tm_mon + 1, tm.tm_mday);
  }
  std::vector<Column> columns_;  ///< of one row
};

/// The node of each rank.
class HostKey : public Key {
 public:
  explicit HostKey(const OfLog& log) : hosts_(log.hosts), nprocs_(log.job ? log.job->nprocs : 0) {}
  std::vector<std::string> columns() const override { return {"rank"}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    auto column = column_of(rows, "rank");
    if (!column) return column.error();
    auto ranks = (*column)->values<std::int64_t>();
    for (std::size_t r = 0; r < numbers.size(); ++r)
      numbers[r] = r > 0 && ranks[r] == ranks[r - 1]
                       ? numbers[r - 1]
                       : texts_.number(hosts_ ? hosts_->of(ranks[r], nprocs_) : std::optional<std::string_view>());
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    columns.push_back(texts_.column("host", numbers));
  }

 private:
  std::shared_ptr<const Hosts> hosts_;
  std::int64_t nprocs_;
  Texts texts_;
};

}  // namespace

std::unique_ptr<Key> make_host_key(const OfLog& log) { return std::make_unique<HostKey>(log); }

std::unique_ptr<Key> make_job_key(GroupKey::Kind kind, const OfLog& log) {
  return std::make_unique<JobKey>(kind, log.path, log.job);
}

}  // namespace darrow
