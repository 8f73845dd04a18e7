#include <gdsim/report/plot/path_data.hpp>

#include <gdsim/report/number_format.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <algorithm>

namespace gdsim {

PathData& PathData::move(std::uint64_t x, std::uint64_t y) {
  text_.push_back('M');
  append_count(text_, x);
  text_.push_back(' ');
  append_count(text_, y);
  return *this;
}

PathData& PathData::across(std::uint64_t x) {
  text_.push_back('H');
  append_count(text_, x);
  return *this;
}

PathData& PathData::down(std::uint64_t y) {
  text_.push_back('V');
  append_count(text_, y);
  return *this;
}

PathData& PathData::line(std::uint64_t x, std::uint64_t y) {
  text_.push_back('L');
  append_count(text_, x);
  text_.push_back(' ');
  append_count(text_, y);
  return *this;
}

PathData& PathData::torn_edge(std::uint64_t right, std::uint64_t top, std::uint64_t bottom) {
  constexpr std::uint64_t teeth = 4;
  constexpr std::uint64_t depth = kPlotWidth / 160;
  move(right, top);
  for (std::uint64_t i = 1; i <= teeth; ++i)
    line(i % 2 == 1 ? right - std::min(depth, right) : right, top + (bottom - top) * i / teeth);
  return *this;
}

PathData& PathData::close() {
  text_.push_back('Z');
  return *this;
}

PathData& PathData::box(std::uint64_t left, std::uint64_t top, std::uint64_t right, std::uint64_t bottom) {
  return move(left, top).across(right).down(bottom).across(left).close();
}

std::string path_element(std::string_view name, const PathData& data) {
  if (data.empty()) return {};
  return "<path class=\"" + std::string(name) + "\" d=\"" + data.text() + "\"/>";
}

}  // namespace gdsim
