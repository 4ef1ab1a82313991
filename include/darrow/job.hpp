/// Facts about the whole job and the form of its log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace darrow {

/// Of all numbers in a log.
enum class ByteOrder : std::uint8_t { little, big };
/// Of every region but the header; the values are those of the format.
enum class Compression : std::uint8_t { zlib = 0, bzip2 = 1, none = 2 };
std::string_view to_string(ByteOrder);
std::string_view to_string(Compression);

/// One mounted file system. Text is bytes as stored.
struct Mount {
  std::string path;
  std::string fs_type;
};

/// The job record. Text is bytes as stored, maybe not UTF-8.
struct Job {
  std::int64_t uid = 0;
  std::int64_t start_time_sec = 0;   ///< Unix time
  std::int64_t start_time_nsec = 0;  ///< 0 before format 3.41
  std::int64_t end_time_sec = 0;     ///< 0: the run was aborted
  std::int64_t end_time_nsec = 0;    ///< 0 before format 3.41
  std::int64_t nprocs = 0;
  std::int64_t jobid = 0;
  std::string exe;  ///< command line
  std::vector<std::pair<std::string, std::string>>
      metadata;                    ///< key (each once; the last counts), value: lib_ver, h, …
  std::optional<double> run_time;  ///< seconds; before format 3.41 inclusive (+1 s); none for an aborted run
};

/// The texts of the job record as darshan-util reads them, its slips included (docs/darshan-util.md).
struct UpstreamJobTexts {
  bool readable = true;                                       ///< false: it refuses the whole log
  std::string exe;                                            ///< empty without mounts
  std::vector<std::pair<std::string, std::string>> metadata;  ///< every key=value line, in order
  std::vector<Mount> mounts;                                  ///< type and path are the first two words of a line
};

}  // namespace darrow
