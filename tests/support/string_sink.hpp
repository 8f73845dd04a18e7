#pragma once

#include <gdsim/report/sink.hpp>

#include <string>
#include <string_view>

namespace gdsim::testing {

/// A sink that keeps the written text.
struct StringSink : Sink {
  std::string text;
  void write(std::string_view more) override { text += more; }
};

}  // namespace gdsim::testing
