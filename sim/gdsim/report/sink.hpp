#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace gdsim {

/// The destination of a report: a file, a pipe, a string. Throws if it cannot take more.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::string_view text) = 0;
};

/// Keeps what is written.
class TextSink : public Sink {
 public:
  void write(std::string_view text) override { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace gdsim
