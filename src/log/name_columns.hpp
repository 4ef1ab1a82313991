/// The columns that a record's id leads to: name, mount, fs_type, layer.
#pragma once

#include <unordered_map>

#include "codec/selection.hpp"
#include "log/state.hpp"

namespace darrow {

/// What the names of a log say of the rows of one table.
class NameColumns {
 public:
  /// `ids`: one a row. `budget`: most bytes of text that a column may take; rows beyond it are null.
  NameColumns(const MountedNames& names, std::span<const Mount> mounts, std::span<const std::uint64_t> ids,
              std::size_t budget, ProblemSink& problems);

  /// Plain text, one value a row.
  Column name() const;
  Column name_bytes() const;
  Column mount() const;
  Column fs_type() const;
  /// Layer of a heat map: from its well-known id, else from its name.
  Column layer() const;

  /// The same as dictionaries, each row repeated `counts[row]` times: for tables with many rows a record.
  std::vector<Column> repeated(std::span<const std::int64_t> counts, const Selection& selection) const;

 private:
  /// UTF-8 text of a row, or none.
  using TextOf = std::optional<std::string_view> (NameColumns::*)(std::size_t) const;
  std::optional<std::string_view> name_of(std::size_t row) const;
  std::optional<std::string_view> name_bytes_of(std::size_t row) const;
  std::optional<std::string_view> mount_of(std::size_t row) const;
  std::optional<std::string_view> fs_type_of(std::size_t row) const;
  std::optional<std::string_view> layer_of(std::size_t row) const;
  Column text(std::string_view column, TextOf text_of, ColumnType type = ColumnType::utf8) const;

  const MountedNames& names_;
  std::span<const std::uint64_t> ids_;
  std::size_t budget_;
  ProblemSink& problems_;
  std::vector<std::int64_t> positions_;  ///< per row: position in the name table, or −1
  /// UTF-8 forms of names that are not UTF-8, none for those that are; empty if all names are.
  std::unordered_map<std::int64_t, std::optional<std::string>> escaped_;
  std::vector<std::string> mount_paths_, fs_types_;  ///< UTF-8
};

}  // namespace darrow
