#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// Builds the `d` of an SVG path from whole numbers, in a short form.
class PathData {
 public:
  PathData& move(std::uint64_t x, std::uint64_t y);
  PathData& across(std::uint64_t x);  ///< to this x
  PathData& down(std::uint64_t y);    ///< to this y
  PathData& line(std::uint64_t x, std::uint64_t y);
  PathData& close();
  /// A saw-tooth along the right side of a shape that had not ended.
  PathData& torn_edge(std::uint64_t right, std::uint64_t top, std::uint64_t bottom);
  PathData& box(std::uint64_t left, std::uint64_t top, std::uint64_t right, std::uint64_t bottom);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

/// `<path class="NAME" d="..."/>`. Empty if there is nothing to draw.
std::string path_element(std::string_view name, const PathData& data);

}  // namespace gdsim
