/// From decoded records to the tables of docs/tables.md.
#pragma once

#include "log/name_columns.hpp"
#include "table/records.hpp"

namespace darrow {

/// A row a record: id, rank, name, mount, fs_type, then the module's own fields and lists.
/// `names`: at the batch of these records; may be null if no column needs it.
Table record_table(Records records, NameColumns* names, const Selection& selection);

/// A row an element (DXT): id, rank, host, op, segment, the element's fields, name, mount, fs_type.
Table segment_table(Records records, NameColumns* names, const Selection& selection);

}  // namespace darrow
