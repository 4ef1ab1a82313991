// Keys that are columns of a table.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "base/id_index.hpp"
#include "base/invalid_argument.hpp"
#include "group/key_parts.hpp"
#include "group/keys.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// Text of a column.
class TextKey : public Key {
 public:
  explicit TextKey(std::string column) : name_(std::move(column)) {}
  std::vector<std::string> columns() const override { return {name_}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    auto found = text_column(rows, name_);
    if (!found) return found.error();
    const Column& column = **found;
    std::optional<std::string_view> last;
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      auto row = static_cast<std::int64_t>(r);
      std::optional<std::string_view> text;
      if (column.valid(row)) text = column.text(row);
      numbers[r] = r > 0 && text == last ? numbers[r - 1] : texts_.number(text);
      last = text;
    }
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    columns.push_back(texts_.column(name_, numbers));
  }

 private:
  std::string name_;
  Texts texts_;
};

/// Numbers of a column.
template <typename T>
class NumberKey : public Key {
 public:
  explicit NumberKey(const Column& column) : name_(column.name), field_(column.field) {}
  std::vector<std::string> columns() const override { return {name_}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    const Column& column = *rows.find(name_);
    auto values = column.values<T>();
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      if (!column.valid(static_cast<std::int64_t>(r))) {
        if (none_ == unknown_number) none_ = add({});
        numbers[r] = none_;
        continue;
      }
      if (r > 0 && numbers[r - 1] != none_ && values[r] == values[r - 1]) {
        numbers[r] = numbers[r - 1];
        continue;
      }
      T value = values[r];
      auto [position, is_new] = index_.insert(bits(value));
      if (is_new) number_of_.push_back(add(value));
      numbers[r] = number_of_[static_cast<std::size_t>(position)];
    }
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    std::vector<std::optional<T>> values;
    for (auto n : numbers) values.push_back(values_[n]);
    columns.push_back(value_column<T>(name_, values));
    columns.back().field = field_;
  }

 private:
  /// 0 of either sign is one value, and so is every NaN.
  static std::uint64_t bits(T& value) {
    if constexpr (!std::is_floating_point_v<T>) return static_cast<std::uint64_t>(value);
    else
      return std::bit_cast<std::uint64_t>(value = value == value ? value + 0.0 : std::numeric_limits<T>::quiet_NaN());
  }
  std::uint32_t add(std::optional<T> value) {
    values_.push_back(value);
    return static_cast<std::uint32_t>(values_.size() - 1);
  }
  std::string name_;
  const Field* field_;
  IdIndex index_;
  std::vector<std::uint32_t> number_of_;  ///< by position in `index_`
  std::vector<std::optional<T>> values_;
  std::uint32_t none_ = unknown_number;
};

/// True, false, null: the numbers 1, 0, 2.
class TruthKey : public Key {
 public:
  explicit TruthKey(std::string column) : name_(std::move(column)) {}
  std::vector<std::string> columns() const override { return {name_}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    const Column& column = *rows.find(name_);
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      auto bit = std::to_integer<unsigned>(column.data.data[r >> 3] >> (r & 7)) & 1u;
      auto value = column.valid(static_cast<std::int64_t>(r)) ? bit : 2u;
      auto known = std::ranges::find(values_, value);
      numbers[r] = static_cast<std::uint32_t>(known - values_.begin());
      if (known == values_.end()) values_.push_back(value);
    }
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    std::vector<std::optional<bool>> values;
    for (auto n : numbers) values.push_back(values_[n] < 2 ? std::optional(values_[n] == 1) : std::nullopt);
    columns.push_back(value_column<bool>(name_, values));
  }

 private:
  std::string name_;
  std::vector<unsigned> values_;  ///< in the order of their first appearance
};

/// A column of whatever type it turns out to have.
class ColumnKey : public Key {
 public:
  explicit ColumnKey(std::string column) : name_(std::move(column)) {}
  std::vector<std::string> columns() const override { return {name_}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    auto column = column_of(rows, name_);
    if (!column)
      return invalid_argument(rows.name,
                              fmt::format("no column {} to group by; keys are file, rank, mount, fs, dir:N, ext, "
                                          "patterns, and columns",
                                          name_));
    if (!key_) {
      switch ((*column)->type) {
        case ColumnType::i32: key_ = std::make_unique<NumberKey<std::int32_t>>(**column); break;
        case ColumnType::u32: key_ = std::make_unique<NumberKey<std::uint32_t>>(**column); break;
        case ColumnType::i64: key_ = std::make_unique<NumberKey<std::int64_t>>(**column); break;
        case ColumnType::u64: key_ = std::make_unique<NumberKey<std::uint64_t>>(**column); break;
        case ColumnType::f64: key_ = std::make_unique<NumberKey<double>>(**column); break;
        case ColumnType::utf8:
        case ColumnType::dictionary: key_ = std::make_unique<TextKey>(name_); break;
        case ColumnType::boolean: key_ = std::make_unique<TruthKey>(name_); break;
        default:
          return invalid_argument(rows.name,
                                  fmt::format("column {} holds no values to group by: numbers or text", name_));
      }
      type_ = (*column)->type;
    }
    if ((*column)->type != type_) return invalid_argument(rows.name, fmt::format("column {} changes its type", name_));
    return key_->number(rows, {}, numbers);
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    if (key_) return key_->tell(numbers, columns);
    columns.push_back(value_column<std::int64_t>(name_, {}));  // there were no rows
  }

 private:
  std::string name_;
  ColumnType type_ = ColumnType::i64;
  std::unique_ptr<Key> key_;
};

}  // namespace

std::unique_ptr<Key> make_text_key(std::string column) { return std::make_unique<TextKey>(std::move(column)); }
std::unique_ptr<Key> make_column_key(std::string column) { return std::make_unique<ColumnKey>(std::move(column)); }

}  // namespace darrow
