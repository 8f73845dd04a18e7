#pragma once

#include <string_view>

namespace gdsim {

/// The destination of a report: a file, a pipe, a string. Throws if it cannot take more.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::string_view text) = 0;
};

}  // namespace gdsim
