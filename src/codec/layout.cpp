#include "codec/layout.hpp"

namespace darrow {

std::vector<PlacedField> place(std::span<const Field> fields, int v, int current, std::size_t start) {
  std::vector<PlacedField> placed;
  std::size_t at = start;
  for (const auto& f : fields) {
    if (f.in(v)) {
      if (f.type != Type::pad) placed.push_back({&f, at});
      at += f.width;
    } else if (f.in(current)) {
      placed.push_back({&f, {}});
    }
  }
  return placed;
}

std::vector<PlacedField> with_base(std::vector<PlacedField> fields) {
  fields.insert(fields.begin(), {{&id_field, 0}, {&rank_field, 8}});
  return fields;
}

TextWidth record_width(const Module& module, int version, std::size_t bytes) {
  std::size_t usual = record_base_bytes + stored_bytes(module.fields, version);
  if (module.other_text_bytes == 0) return {usual, 0};
  std::size_t text = module.fields.back().width, other = usual - text + module.other_text_bytes;
  bool wide = bytes % usual != 0 && bytes % other == 0;
  return wide ? TextWidth{other, module.other_text_bytes} : TextWidth{usual, text};
}

}  // namespace darrow
