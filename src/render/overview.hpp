/// The overview of a summary: a row for each layer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "render/row_text.hpp"

namespace darrow::render {

/// Files, bytes, time and rate of each layer; `name` tells what it is called.
void overview_text(const std::vector<RowText>& layers, const std::function<std::string(const RowText&)>& name,
                   Sink& sink, const Look& look);
/// The marks of a layer that is partial or damaged.
std::string marks_of(const RowText& row);
/// What the marks of the layers mean; nothing if there are none.
void marks_text(const std::vector<RowText>& layers, Sink& sink, const Look& look);

}  // namespace darrow::render
