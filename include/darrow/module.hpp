/// The grammar in which every Darshan module is described once.
///
/// A module is a table of fields in disk order. Reading, up-conversion, byte order, nulls, aggregation, the Arrow schema,
/// text output and the counter dictionary all come from these rows; nothing else in the code names a counter.
/// All objects here are immutable and live as long as the program, so views into them never dangle.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace darrow {

/// How a field is stored in a record. Numbers are in the byte order of the log; text, uuid and pad are bytes.
enum class Type : std::uint8_t { i64, u64, f64, i32, u32, text, uuid, pad };

/// How a field combines over records.
enum class Rule : std::uint8_t {
  none,      ///< identifies or describes one record; an aggregate has no such value
  sum,       ///< added up
  max,       ///< the largest value
  min,       ///< the smallest value above 0
  start,     ///< the earliest time above 0
  end,       ///< the latest time
  same,      ///< the value if all records agree, else null
  flag,      ///< 1 if it is 1 in any record
  with_max,  ///< member of a Group of kind max_with: taken from the record with the largest time
  fastest,   ///< member of the Group fastest: from the rank with the least time
  slowest,   ///< member of the Group slowest: from the rank with the most time
  variance,  ///< population variance over ranks; cannot be derived from reduced records
  top,       ///< member of a Group of kind top: most common values with their counts
};

/// What a field contributes to derived metrics. A role occurs at most once in a module unless said.
enum class Role : std::uint8_t {
  none,
  bytes_read,
  bytes_written,
  max_byte_read,     ///< highest offset read
  max_byte_written,  ///< highest offset written
  reads,             ///< read calls (several fields add up)
  writes,            ///< write calls (several fields add up)
  opens,             ///< open calls (several fields add up)
  meta_ops,          ///< other metadata calls (several fields add up)
  seq_reads,
  seq_writes,
  consec_reads,
  consec_writes,
  mem_not_aligned,
  file_not_aligned,
  size_read,   ///< buckets of the read size histogram, in order
  size_write,  ///< buckets of the write size histogram, in order
  read_time,
  write_time,
  meta_time,
  wait_time,
  slowest_time,  ///< elapsed time of the slowest rank, in records of rank −1
  access_size,   ///< first value of the Group of common access sizes
  node,          ///< text: where the rank ran
  file,          ///< record id of the file, where a record is of a part of one; elsewhere the record's own id tells it
};
inline constexpr std::size_t role_count = static_cast<std::size_t>(Role::file) + 1;

/// Longer times, in seconds, are none (30,000 years): rules and metrics leave them out.
inline constexpr double longest_time = 1e12;

/// What darshan-util makes of a field when it adds up records, where its own slip overrules `Rule`. See Upstream.
enum class Accident : std::uint8_t {
  none,
  stays_zero,  ///< forgotten: 0 whatever the records say
  minus_one,   ///< given up: −1 as soon as there is a record
};

/// One value of a record: where it lives, since when, what it means and what may be done with it.
struct Field {
  std::string_view name;  ///< Darshan's counter or field name
  Type type = Type::i64;
  Rule rule = Rule::none;
  std::string_view unit = {};      ///< "calls", "bytes", "seconds", "seconds since start", "rank", … or empty
  std::string_view doc = {};       ///< one line
  std::string_view column = {};    ///< name in tables where it differs from `name`
  std::uint16_t width = 8;         ///< bytes on disk
  std::uint8_t first = 1;          ///< first module version that stores it
  std::uint8_t last = 255;         ///< last module version that stores it; 255: still stored
  std::int64_t absent = -1;        ///< value where there is none: in versions that lack it, in tables that leave it out
  bool absent_is_null = true;      ///< whether that value means "not recorded"
  bool minus_one_is_null = false;  ///< whether a stored −1 means "not recorded"
  bool expendable = false;         ///< may be left out when a log is written for a release that lacks it
  bool hidden = false;             ///< bookkeeping of the record (counts of what follows): not a column
  Role role = Role::none;
  Accident accident = Accident::none;

  /// Stored from version `v` on; older records give null.
  constexpr Field since(std::uint8_t v) const {
    auto f = *this;
    f.first = v;
    return f;
  }
  /// Stored from version `v` on; older records give `value`, which is a real value.
  constexpr Field since(std::uint8_t v, std::int64_t value) const { return since(v).otherwise(value); }
  /// Stored up to version `v` only: read for up-conversion, never a column.
  constexpr Field until(std::uint8_t v) const {
    auto f = *this;
    f.last = v;
    return f;
  }
  /// The same, and what is written into such versions where nobody tells: `value`, which says "nothing".
  constexpr Field until(std::uint8_t v, std::int64_t value) const { return until(v).otherwise(value); }
  /// `value`, which is a real value, where nobody tells.
  constexpr Field otherwise(std::int64_t value) const {
    auto f = *this;
    f.absent = value;
    f.absent_is_null = false;
    return f;
  }
  /// A stored −1 means "not recorded".
  constexpr Field nullable() const {
    auto f = *this;
    f.minus_one_is_null = true;
    return f;
  }
  constexpr Field as(Role r) const {
    auto f = *this;
    f.role = r;
    return f;
  }
  constexpr Field with(Accident a) const {
    auto f = *this;
    f.accident = a;
    return f;
  }
  constexpr Field called(std::string_view c) const {
    auto f = *this;
    f.column = c;
    return f;
  }
  constexpr Field internal() const {
    auto f = *this;
    f.hidden = true;
    return f;
  }

  constexpr bool is_number() const { return type != Type::text && type != Type::uuid && type != Type::pad; }
  /// Whether a value can be left open in writing: it is text, has a value that stands for "nothing", or is a counter that −1
  /// can be stored for.
  constexpr bool takes_null() const {
    return !is_number() || minus_one_is_null || !absent_is_null || (rule != Rule::none && type != Type::u64);
  }
  /// What is written where nobody tells a value: −1 for counters, else what stands for "nothing".
  constexpr std::int64_t unset() const { return rule != Rule::none && type != Type::u64 ? -1 : absent; }
  /// Whether records cannot be written without it.
  constexpr bool needed() const { return first == 1 && !takes_null(); }
  /// Whether records of module version `v` store this field.
  constexpr bool in(int v) const { return first <= v && v <= last; }
  /// The name of its column.
  constexpr std::string_view label() const { return column.empty() ? name : column; }
};

constexpr Field i64(std::string_view name, Rule rule, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = Type::i64, .rule = rule, .unit = unit, .doc = doc};
}
constexpr Field u64(std::string_view name, Rule rule, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = Type::u64, .rule = rule, .unit = unit, .doc = doc};
}
constexpr Field f64(std::string_view name, Rule rule, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = Type::f64, .rule = rule, .unit = unit, .doc = doc};
}
constexpr Field i32(std::string_view name, Rule rule, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = Type::i32, .rule = rule, .unit = unit, .doc = doc, .width = 4};
}
constexpr Field u32(std::string_view name, Rule rule, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = Type::u32, .rule = rule, .unit = unit, .doc = doc, .width = 4};
}
/// NUL-padded text in a fixed array of `width` bytes.
constexpr Field text(std::string_view name, std::uint16_t width, std::string_view doc) {
  return {.name = name, .type = Type::text, .doc = doc, .width = width};
}
/// 16 raw bytes, shown as 8-4-4-4-12 hexadecimal digits.
constexpr Field uuid(std::string_view name, std::string_view doc) {
  return {.name = name, .type = Type::uuid, .doc = doc, .width = 16};
}
/// Bytes without meaning.
constexpr Field pad(std::string_view name, std::uint16_t width) {
  return {.name = name, .type = Type::pad, .doc = "no information", .width = width, .hidden = true};
}

/// Elements stored behind the fixed part of a record; their number is the sum of the fields named in `counts`.
struct Repeat {
  std::string_view name;
  std::array<std::string_view, 2> counts;  ///< fields of the fixed part; the second may be empty
  std::span<const Field> fields;           ///< of one element; a single field makes a plain list
  std::uint8_t first = 1;                  ///< first module version that stores it
  std::uint8_t last = 255;                 ///< last one
  std::uint8_t at_least = 0;               ///< elements that are there whatever the count says
  constexpr bool in(int v) const { return first <= v && v <= last; }
};

/// Fields that only make sense together.
enum class GroupKind : std::uint8_t {
  max_with,  ///< {time, size}: the longest call and its size; the first member decides
  fastest,   ///< {time, rank, bytes} of the fastest rank
  slowest,   ///< {time, rank, bytes} of the slowest rank
  variance,  ///< {time, bytes}
  top,       ///< {first value field, first count field}: `slots` values of `keys` fields each, and as many counts
};
struct Group {
  GroupKind kind;
  std::array<std::string_view, 3> members;
  std::uint8_t slots = 1;
  std::uint8_t keys = 1;
  std::string_view list = {};  ///< top: name of the list column that holds all values of an aggregate
};

/// A known layout version, the size of its fixed part, id and rank included, and the first release that writes it.
struct Version {
  std::uint8_t number;
  std::uint16_t fixed_bytes;
  std::string_view release;  ///< "3.1.7"; empty: none so far
};

/// What a row of the module's table is.
enum class Shape : std::uint8_t {
  records,   ///< a row is a record
  segments,  ///< a row is an element of the only Repeat (DXT)
};

/// A family of generated counters, e.g. one counter for each MPI operation.
struct Family {
  std::string_view pattern;  ///< name with placeholders in braces
  std::string_view unit;
  std::string_view doc;
  Type type;
  Rule rule;
  std::uint16_t members;  ///< how many counters it stands for
};

/// How darshan-util adds up the records of a module, accidents included: what compatible mode (compat.hpp) reproduces.
struct Upstream {
  enum class Fold : std::uint8_t {
    none,         ///< not at all
    accumulator,  ///< as its accumulator does: id and rank combine, records of rank −1 bring their stored fastest and
                  ///< slowest ranks, variances are 0; there are derived metrics
    reduction,    ///< as the run time reduces ranks: each record counts as a rank; id and rank stay 0
    first_only,   ///< the first record stands for all; the integers of later ones must be equal
  };
  enum class Common : std::uint8_t {
    plain,        ///< the merge of common values as intended
    skips_empty,  ///< not if the record's first value is 0
    erases,       ///< also, a value that was merged ends the insertion of those behind it
  };
  Fold fold = Fold::none;
  bool clamps = false;  ///< an integer sum below 0 becomes −1, after each addition
  Common common = Common::plain;
};

/// One Darshan module: every version of its records.
struct Module {
  std::uint8_t id;                    ///< module number of format 3.41
  std::string_view name;              ///< as Darshan prints it: "POSIX", "MPI-IO", …
  std::string_view sql_name;          ///< lower case without signs: "posix", "mpiio", …
  std::string_view doc;               ///< one line
  std::span<const Field> fields;      ///< of the fixed part behind id and rank, in disk order
  std::span<const Version> versions;  ///< ascending
  std::span<const Repeat> repeats = {};
  std::span<const Group> groups = {};
  Upstream upstream = {};              ///< how darshan-util adds up records
  std::span<const Field> header = {};  ///< of the record that opens the region (APMPI, APXC), behind id and rank
  std::int64_t header_magic = 0;       ///< value of the first field of `header`
  std::span<const Family> families = {};
  Shape shape = Shape::records;
  std::uint16_t other_text_bytes = 0;  ///< second possible width of the last text field, told by divisibility; 0: none
  std::string_view instead = {};       ///< records do not combine into one: why, and what to use instead
  /// One through which data leaves the program: together all I/O of the job once. MPI-IO, HDF5 and PnetCDF go through these,
  /// and DAOS lies below DFS (so native DAOS I/O is in none of them).
  bool bottom = false;
  bool layout = false;  ///< a record tells how a file lies, not what a process did: those of several ranks say the same
  bool example = false;  ///< for developers of Darshan; in no log of a job

  constexpr int current() const { return versions.back().number; }
  constexpr bool has_version(std::int64_t v) const { return v >= 1 && v <= current(); }
};

/// Bytes of the fields of `fields` that version `v` stores.
constexpr std::size_t stored_bytes(std::span<const Field> fields, int v) {
  std::size_t n = 0;
  for (const auto& f : fields)
    if (f.in(v)) n += f.width;
  return n;
}
/// Every record starts with an id (u64) and a rank (i64).
inline constexpr std::size_t record_base_bytes = 16;

constexpr const Field* find_field(std::span<const Field> fields, std::string_view name) {
  for (const auto& f : fields)
    if (f.name == name) return &f;
  return nullptr;
}
constexpr const Field* find_role(std::span<const Field> fields, Role role) {
  for (const auto& f : fields)
    if (f.role == role) return &f;
  return nullptr;
}

/// The fields that every record starts with.
extern const Field id_field;
extern const Field rank_field;

/// All known modules, by ascending id. Thread safe.
std::span<const Module* const> modules();
/// The module of that name, whatever its case and signs ("MPI-IO", "mpiio" and "mpi-io" are one), or null.
const Module* find_module(std::string_view name);
/// The module with that id, or null.
const Module* find_module(int id);

/// Names of the enumerators, as printed in the counter dictionary.
std::string_view to_string(Type);
std::string_view to_string(Rule);
std::string_view to_string(Role);

}  // namespace darrow
