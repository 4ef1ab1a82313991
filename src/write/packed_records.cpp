// Records as bytes, for programs that know the C structs.
#include <fmt/format.h>

#include <algorithm>

#include "base/byte_order.hpp"
#include "base/invalid_argument.hpp"
#include "codec/decode.hpp"
#include "codec/encode.hpp"
#include "darrow/write.hpp"
#include "log/shape.hpp"
#include "modules/fixups.hpp"
#include "table/join.hpp"
#include "write/table_records.hpp"

namespace darrow {

Result<Buffer> to_records(std::span<const Table* const> batches, const Module& module, int version) {
  auto records = records_of(join(batches), module);
  if (!records) return records.error();
  if (version == 0) version = natural_version(*records);
  if (!module.has_version(version))
    return invalid_argument(module.name, fmt::format("no version {}: there are 1 to {}", version, module.current()));
  if (auto why = undo_fixups(*records, version); !why.empty()) return invalid_argument(module.name, why);
  Encoder encoder(module, version, false);
  GrowingBytes out;
  if (auto e = encoder.add(*records, out)) return *e;
  if (auto e = encoder.check_size(out.size())) return *e;
  return std::move(out).freeze();
}

Result<std::shared_ptr<const Table>> from_records(std::span<const std::byte> bytes, const Module& module, int version,
                                                  ByteOrder byte_order) {
  if (version == 0) version = module.current();
  if (!module.has_version(version)) {
    Error e = invalid_argument(module.name, fmt::format("no version {}: there are 1 to {}", version, module.current()));
    e.code = ErrorCode::unsupported_version;
    return e;
  }
  std::vector<Problem> found;
  ProblemSink sink(std::string(module.name), std::string(module.name), found);
  const Selection all;
  const RowFilter every;
  RegionStream region(Buffer{.owner = nullptr, .data = bytes.data(), .size = bytes.size()});
  Decoder decoder(module, version, (byte_order == ByteOrder::little) != native_little, region, all, every, sink);
  Records records = decoder.next();
  ProblemCounts counts;
  apply_fixups(records, counts);
  mark_nulls(records);
  for (const auto& p : found)
    if (p.severity() == Severity::error)
      return Error{.message = p.message, .file = {}, .region = p.region, .offset = p.offset, .inflated = p.inflated};
  auto shape = module.shape == Shape::segments ? segment_table : record_table;
  return std::make_shared<const Table>(shape(std::move(records), nullptr, all));
}

}  // namespace darrow
