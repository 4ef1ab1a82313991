/// What a Log holds, and how its regions are reached.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>

#include "base/problem_sink.hpp"
#include "codec/walk.hpp"
#include "darrow/log.hpp"
#include "format/header.hpp"
#include "format/names.hpp"
#include "format/region_stream.hpp"

namespace darrow {

class ModuleReader;

/// Regions in the order in which their problems are listed; modules follow with their id.
enum RegionKey : int { header_key = -3, job_key = -2, names_key = -1 };

/// Names with the file system that each lies on.
class MountedNames final : public Names {
 public:
  MountedNames(NameTable table, std::span<const Mount> mounts);
  std::int64_t size() const override { return table_.size(); }
  std::uint64_t id(std::int64_t i) const override { return table_.id(i); }
  std::string_view name(std::int64_t i) const override { return table_.name(i); }
  std::int64_t find(std::uint64_t id) const override { return table_.find(id); }
  std::vector<std::int64_t> find_all(std::span<const std::uint64_t> ids) const override { return table_.find_all(ids); }
  std::int32_t mount(std::int64_t i) const override { return mounts_[static_cast<std::size_t>(i)]; }
  bool is_stream(std::int64_t i) const override;
  std::size_t bytes() const { return table_.bytes(); }
  bool all_utf8() const { return table_.all_utf8(); }

 private:
  NameTable table_;
  std::vector<std::int32_t> mounts_;
};

/// The same without names. What a name region tells of duplicates cannot be told without them.
class PlacesOnly final : public NamePlaces {
 public:
  /// Nothing if an id comes twice.
  static std::shared_ptr<const PlacesOnly> of(RegionStream& region, const Header& header, std::span<const Mount> mounts,
                                              ProblemSink& problems);
  std::int64_t size() const override { return index_.size(); }
  std::vector<std::int64_t> find_all(std::span<const std::uint64_t> ids) const override { return index_.find_all(ids); }
  std::int32_t mount(std::int64_t i) const override { return std::max(mounts_[static_cast<std::size_t>(i)], -1); }
  bool is_stream(std::int64_t i) const override { return mounts_[static_cast<std::size_t>(i)] == stream; }

 private:
  static constexpr std::int32_t stream = -2;
  IdIndex index_;
  std::vector<std::int32_t> mounts_;  ///< −1: on none
};

/// A slot of the header as its module.
ModuleInfo module_info(const Slot& slot);

struct Log::State {
  std::string path;
  OpenOptions options;
  Buffer file;
  Header header;
  std::optional<Job> job;
  std::vector<Mount> mounts;
  UpstreamJobTexts upstream_job_texts;
  std::vector<ModuleInfo> modules;
  std::uint64_t job_bytes = 0;                  ///< compressed, as the header tells
  std::map<int, Region> regions;                ///< what can be read of names and modules, cut at the end of the file
  std::map<int, std::vector<Problem>> at_open;  ///< problems of header, job, and of where regions lie

  mutable std::mutex mutex;
  std::map<int, std::vector<Problem>> problems;  ///< by region; guarded
  std::shared_ptr<const MountedNames> names;     ///< once read; guarded
  std::vector<Problem> names_problems;           ///< found in reading them; guarded
  std::map<int, std::int64_t> records;           ///< of modules that were read; guarded

  /// As ReadCounters has them.
  struct Counts {
    std::atomic<std::uint64_t> bytes_inflated = 0, columns_decoded = 0, records_copied = 0;
  };
  mutable Counts counts;

  /// Opens the bytes: header, regions, job.
  static Result<std::unique_ptr<State>> open(Buffer file, std::string path, OpenOptions options);

  /// The inflated bytes of a region that `regions` has (empty if not).
  Buffer inflated(int key, ProblemSink& sink) const;
  /// The same in pieces; `whole`: at once, however large it is.
  RegionStream stream(int key, bool whole, ProblemSink& sink) const;
  /// Adds what is new. Of two that differ only in their count, the larger one stays: reading part of a region finds less.
  void remember(int key, const std::vector<Problem>& found);
  /// In strict mode the first error of where that region lies, or that an access `found`, if any.
  std::optional<Error> strict_error(int key, const std::vector<Problem>& found = {}) const;
  void remember_at_open(int key, const std::vector<Problem>& found);
  Result<std::shared_ptr<const MountedNames>> read_names();
  /// The same, without texts unless there are few or they were read.
  Result<std::shared_ptr<const NamePlaces>> read_places();
  /// The table of a module, to be read in batches. `read`: false gives the columns without rows and touches nothing. The info has to
  /// outlive the reader.
  Result<std::unique_ptr<ModuleReader>> open_module(const ModuleInfo& info, const TableOptions& options, Slice batch,
                                                    bool read = true);
  /// Hands out all its batches. Returns their rows.
  Result<std::int64_t> scan_module(const ModuleInfo& info, const TableOptions& options, Slice batch,
                                   const std::function<void(Table&&)>& each, bool read = true);
  /// The same as one table.
  Result<std::shared_ptr<const Table>> read_module(const ModuleInfo& info, const TableOptions& options,
                                                   bool read = true);
  /// As the public function.
  Result<std::int64_t> read_trace(const ModuleInfo& info, const TraceOptions& options,
                                  const std::function<void(const TraceRecord&)>& record,
                                  const std::function<void(std::span<const TraceSegment>)>& segments);
  /// A table beside the modules: "job", "mounts", "modules", "names", "problems". `read` as above.
  Result<std::shared_ptr<const Table>> read_other(std::string_view name, const TableOptions& options, const Log& log,
                                                  bool read = true);
  Error error(ErrorCode code, std::string region, std::string message, std::optional<std::uint64_t> offset = {}) const;

 private:
  /// The columns of the table, if there can be one.
  Result<Selection> selection_of(const ModuleInfo& info, const TableOptions& options) const;
  void locate(int key, std::string name, Region region);
  Region read_job();
  void report_overlaps(Region job);
};

}  // namespace darrow
