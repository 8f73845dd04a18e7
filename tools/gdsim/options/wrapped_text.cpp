#include "options/wrapped_text.hpp"

#include <algorithm>
#include <sstream>

namespace gdsim::cli {

std::string wrapped_text(std::string_view text, std::size_t indent) {
  std::istringstream words{std::string(text)};
  std::string lines;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > kHelpWidth) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

std::string wrapped_paragraphs(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string all, paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) all += wrapped_text(paragraph, 0) + "\n";
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ' && !line.starts_with("Exit status")) {
      paragraph += line + " ";
      continue;
    }
    end_paragraph();
    if (line.starts_with("Exit status")) {
      paragraph = line + " ";
    } else {
      all += line + "\n";
    }
  }
  end_paragraph();
  return all;
}

}  // namespace gdsim::cli
