#pragma once

#include <gdsim/report/sink.hpp>

namespace gdsim::cli {

/// Standard output. A full disk or a bad descriptor is an InputError. Once its reader has closed the pipe,
/// the rest is dropped in silence: the result of the command stands all the same.
class StandardOutput : public Sink {
 public:
  void write(std::string_view text) override;
  /// Everything has left the process. Must be called after the last write.
  void flush();

 private:
  void fail();

  bool is_closed_ = false;
};

}  // namespace gdsim::cli
