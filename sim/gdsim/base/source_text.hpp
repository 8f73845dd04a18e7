#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A text that a user wrote, and the name by which messages call it. Knows where its lines begin.
class SourceText {
 public:
  SourceText(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  /// Line `number`, counted from 1, without its end; empty beyond the text.
  std::string_view line(std::uint32_t number) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

/// A place in a SourceText; line and column count from 1, columns in characters. The text must outlive it.
struct SourceMark {
  const SourceText* source = nullptr;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

}  // namespace gdsim
