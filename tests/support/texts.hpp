#pragma once

#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// Functions with which tests split and change texts.

namespace gdsim::testing {

/// Returns the parts between separators. An empty part at the end is left out.
inline std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

inline std::vector<std::string> lines_of(const std::string& text) { return parts_of(text, '\n'); }

/// Returns the cells of a row of CSV without quotes.
inline std::vector<std::string> cells_of(const std::string& line) { return parts_of(line, ','); }

/// Returns the cells of every row, the header included.
inline std::vector<std::vector<std::string>> all_cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines_of(csv)) rows.push_back(cells_of(line));
  return rows;
}

/// Returns the text with the first `from` replaced by `to`. The test fails if there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("there is no '" + from + "' in the text of the test");
  return text.replace(at, from.size(), to);
}

/// Returns the text with every `from` replaced by `to`.
inline std::string replaced_everywhere(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace gdsim::testing
