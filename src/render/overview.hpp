/// The overview of a summary: a row for each layer.
#pragma once

#include <string>
#include <vector>

#include "render/row_text.hpp"

namespace darrow::render {

/// Files, bytes, time and rate of each layer, and what its marks mean.
void overview_text(const std::vector<RowText>& layers, Sink& sink, const Look& look);
/// The name of a row's module, marked if it is partial or damaged.
std::string marked_name(const RowText& row);
/// What the marks of the layers mean; nothing if there are none.
void marks_text(const std::vector<RowText>& layers, Sink& sink, const Look& look);

}  // namespace darrow::render
