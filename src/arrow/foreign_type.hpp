/// Types of tables from elsewhere, and what they become here.
#pragma once

#include <string>
#include <string_view>

#include "darrow/arrow_abi.h"
#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// A type as the interface describes it, and its counterpart.
struct ForeignType {
  std::string_view format;
  ColumnType type;
  std::int64_t buffers;  ///< at least
  std::int64_t children;
};

/// The type of that format, or null if it has no counterpart. Structures have any number of children, dictionaries their indices' type.
const ForeignType* foreign_type(std::string_view format);
/// Items in each list of a type of fixed-size lists; −1 if it is none.
std::int64_t items_in_each(std::string_view format);

/// What in a type has no counterpart, in words; empty: nothing. Of a structure, the first part that has none.
/// Error: invalid_argument (a schema that contradicts itself, two parts of one name).
Result<std::string> unusable_type(const ArrowSchema& schema, int depth = 0);
/// Whether unusable_type() is empty. REQUIRES: it gives no error.
bool is_usable(const ArrowSchema& schema);

/// Its name, maybe empty.
/// Whether values are numbers; those that are all null are not. REQUIRES: the type is usable.
bool holds_numbers(const ArrowSchema& schema);
std::string_view name_of(const ArrowSchema& schema);

/// A column of that type without rows; parts of a structure that are not usable are left out.
Column empty_column(const ArrowSchema& schema);

/// An invalid_argument.
Error malformed(std::string message);

}  // namespace darrow
