#include "render/csv.hpp"

#include <cmath>
#include <string>

#include "base/utf8.hpp"
#include "render/text.hpp"

namespace darrow::render {

void CsvWriter::cell(std::string_view text) {
  std::string valid = for_terminal_ ? printable(text) : escape_utf8(text);
  if (!valid.empty() && valid.find_first_of(",\"\r\n") == valid.npos) return bare(valid);
  bare("\"");
  for (char c : valid) {
    if (c == '"') sink_.put('"');
    sink_.put(c);
  }
  sink_.put('"');
}

void CsvWriter::cell(double number) {
  if (std::isfinite(number)) bare(NumberText(number));
  else null();
}

}  // namespace darrow::render
