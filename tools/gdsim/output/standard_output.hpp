#pragma once

#include <gdsim/report/sink.hpp>

#include <string_view>

namespace gdsim::cli {

/// Standard output. Throws InputError for a full disk or a bad descriptor. After the reader has closed the pipe, the
/// rest is dropped without an error: the command's result does not change.
class StandardOutput : public Sink {
 public:
  StandardOutput();

  /// Writes data for a program byte for byte; on a terminal, calls show(). Each text must have complete characters.
  void write(std::string_view text) override;
  /// Writes text for a person; control characters are escaped.
  void show(std::string_view text);
  /// Writes text for a person with gdsim's colours; all names in it must be `printable` already.
  void show_styled(std::string_view text);
  /// Writes everything that is buffered. Must be called after the last write.
  void flush();

 private:
  void put(std::string_view text);
  void fail();

  bool is_terminal_;
  bool is_closed_ = false;
};

}  // namespace gdsim::cli
