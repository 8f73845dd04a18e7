#pragma once

#include <gdsim/report/sink.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace gdsim {

/// Keeps what is written.
class TextSink : public Sink {
 public:
  void write(std::string_view text) override { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace gdsim
