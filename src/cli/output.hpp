/// The standard streams.
#pragma once

#include <string_view>

#include "render/sink.hpp"
#include "render/text_table.hpp"

namespace darrow::cli {

/// The standard output. Ends the program quietly if its reader has gone.
class Output {
 public:
  Output();
  render::Sink& sink() { return sink_; }
  /// How to lay out text for what the standard output is.
  const render::Look& look() const { return look_; }
  bool terminal() const { return terminal_; }
  /// Hands on everything written so far.
  void flush() { sink_.flush(); }

 private:
  render::Sink sink_;
  render::Look look_;
  bool terminal_;
};

/// Text to the standard output at once. Ends the program quietly if its reader has gone.
void write_output(std::string_view text);

/// One line on the standard error: "darrow: MESSAGE", made printable.
void complain(std::string_view message);

}  // namespace darrow::cli
