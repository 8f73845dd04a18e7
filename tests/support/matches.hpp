#pragma once

#include <cstddef>
#include <regex>
#include <string>
#include <vector>

namespace gdsim::testing {

/// The groups of every match of `pattern` in `text`, separated by blanks.
inline std::vector<std::string> matches_of(const std::string& text, const std::string& pattern) {
  std::vector<std::string> all;
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    all.emplace_back();
    for (std::size_t i = 1; i < at->size(); ++i) all.back() += (i > 1 ? " " : "") + (*at)[i].str();
  }
  return all;
}

/// Returns the number of times that `part` occurs in `text`.
inline std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

}  // namespace gdsim::testing
