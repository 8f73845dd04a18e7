#include "options/shell_word.hpp"

#include <algorithm>
#include <cctype>

namespace gdsim::cli {

std::string single_quoted(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string shell_word(const std::string& text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._-").find(c) != std::string::npos;
  });
  return is_plain && !text.empty() && text.front() != '-' ? text : single_quoted(text);
}

}  // namespace gdsim::cli
