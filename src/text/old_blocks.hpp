/// What darshan-parser printed up to release 3.4.0, and does no more: lists of files, and further measures of performance.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "text/head.hpp"
#include "text/totals.hpp"

namespace darrow::util_text {

/// The files of one module, in the order in which they are met.
class FileList {
 public:
  /// Whether there are such lists for a module: POSIX, MPI-IO and STDIO had them.
  static bool has_list(const Module& module);
  /// REQUIRES: has_list().
  FileList(const Module& module, std::int64_t nprocs);

  /// Adds the records of a table of the module.
  void add(const Table& records);
  /// A line for each file: id, name, processes, time of the slowest rank, mean time of a rank; `detailed`: also the
  /// timestamps, opens and access sizes.
  void write(const Source& source, bool detailed, TextBuffer& out) const;
  /// Measures of shared files, and the rates that come of them with the unique files.
  void write_performance(const Performance& performance, TextBuffer& out) const;

 private:
  struct File {
    std::uint64_t id = 0;
    std::int64_t records = 0;
    bool is_shared = false;
    double slowest = 0, total = 0;     ///< seconds
    std::vector<double> times;         ///< by time_fields_
    std::vector<std::int64_t> counts;  ///< by count_fields_
  };
  /// Of files with a record of all ranks, added up, in seconds.
  struct Shared {
    double io = 0, meta = 0;  ///< of a process on average
    double open = 0;          ///< from the first open to the last close
    double open_to_io = 0;    ///< from the first open to the last read or write
  };

  const Module& module_;
  std::int64_t nprocs_;
  std::vector<const Field*> time_fields_, count_fields_;
  std::vector<File> files_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;  ///< of files, by id
  Shared shared_;
};

}  // namespace darrow::util_text
