/// The columns that a record's id leads to: name, mount, fs_type, layer.
#pragma once

#include <unordered_map>

#include "codec/selection.hpp"
#include "log/state.hpp"

namespace darrow {

/// What the names of a log say of the rows of one table, batch by batch.
class NameColumns {
 public:
  /// `budget`: most bytes of text that a column may take, over all batches; rows beyond it are null.
  NameColumns(const MountedNames& names, std::span<const Mount> mounts, std::size_t budget);

  /// Begins a batch. `ids`: one a row; they have to stay until its columns were made.
  void begin(std::span<const std::uint64_t> ids);

  /// Plain text, one value a row of the batch.
  Column name();
  Column name_bytes();
  Column mount();
  Column fs_type();
  /// Layer of a heat map: from its well-known id, else from its name.
  Column layer();
  /// Tells what the budget did not allow.
  void report(ProblemSink& problems) const;

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
  Column text(std::string_view column, TextOf text_of, ColumnType type = ColumnType::utf8);

  /// What a column took of its budget.
  struct Taken {
    std::string_view column;
    std::size_t bytes = 0;
    std::int64_t lost = 0;  ///< rows
  };
  Taken& taken_by(std::string_view column);

  const MountedNames& names_;
  std::size_t budget_;
  std::vector<Taken> taken_;
  std::span<const std::uint64_t> ids_;   ///< of the batch
  std::vector<std::int64_t> positions_;  ///< per row of the batch: position in the name table, or −1
  /// UTF-8 forms of names that are not UTF-8, none for those that are; empty if all names are.
  std::unordered_map<std::int64_t, std::optional<std::string>> escaped_;
  std::vector<std::string> mount_paths_, fs_types_;  ///< UTF-8
};

}  // namespace darrow
