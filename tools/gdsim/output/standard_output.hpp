#pragma once

#include <gdsim/report/sink.hpp>

#include <string_view>

namespace gdsim::cli {

/// Standard output. A full disk or a bad descriptor is an InputError. Once its reader has closed the pipe,
/// the rest is dropped in silence: the result of the command stands all the same.
class StandardOutput : public Sink {
 public:
  StandardOutput();

  /// Data for a program, byte for byte; on a terminal, `show` instead: each text has whole characters.
  void write(std::string_view text) override;
  /// Text for a person: whatever a terminal could obey is shown escaped.
  void show(std::string_view text);
  /// Text for a person with colours of ours; all names in it must be `printable` already.
  void show_styled(std::string_view text);
  /// Everything has left the process. Must be called after the last write.
  void flush();

 private:
  void put(std::string_view text);
  void fail();

  bool is_terminal_;
  bool is_closed_ = false;
};

}  // namespace gdsim::cli
