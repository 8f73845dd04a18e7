#include <gdsim/base/text.hpp>
#include <gdsim/compare/diff_files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gdsim {
namespace {

/// The maximum number of lines of a difference that are printed.
constexpr std::size_t kMaxDiffLines = 200;
/// The maximum length of a value in a column; longer values have lines of their own.
constexpr std::size_t kLongestInColumn = 24;

/// Returns the width in UTF-8 characters.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string blanks(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ');
}

/// A row as it is printed.
struct Line {
  std::string section;
  std::string name;
  std::string a;
  std::string b;
  std::string change;

  bool is_wide() const { return std::max(width_of(a), width_of(b)) > kLongestInColumn; }
};

/// Lines with columns as wide as their widest cell.
class DiffLines {
 public:
  void add(Line line) {
    name_width_ = std::max(name_width_, width_of(line.name));
    if (!line.is_wide()) value_width_ = std::max({value_width_, width_of(line.a), width_of(line.b)});
    lines_.push_back(std::move(line));
  }

  std::string text() const {
    std::string text, section;
    for (const Line& line : lines_) {
      if (line.section != section) text += line.section + "\n";
      section = line.section;
      text += line.is_wide() ? "  " + line.name + "\n    a: " + line.a + "\n    b: " + line.b + "\n" : in_columns(line);
    }
    return text;
  }

 private:
  std::string in_columns(const Line& line) const {
    std::string text = "  " + line.name + blanks(line.name, name_width_);
    for (const std::string& value : {line.a, line.b}) text += " " + blanks(value, value_width_) + value;
    return text + (line.change.empty() ? "" : "  " + line.change) + "\n";
  }

  std::vector<Line> lines_;
  std::size_t name_width_ = 22;
  std::size_t value_width_ = 14;
};

}  // namespace

std::string diff_text(const NamedRuns& runs) {
  DiffLines lines;
  std::size_t equal = 0, count = 0;
  for (const DiffRow& row : diff_runs(runs.a, runs.b, runs.of)) {
    const bool is_headline = row.section == "run" && row.name == "duration";
    if (row.is_equal() && !is_headline) {
      ++equal;
      continue;
    }
    if (++count > kMaxDiffLines) continue;
    lines.add({printable(diff_word_text(row.section, runs) + (row.about.empty() ? "" : ": " + row.about)),
               printable(diff_word_text(row.name, runs)), printable(diff_value_text(row.a)),
               printable(diff_value_text(row.b)), diff_change_text(row)});
  }
  std::string text = fmt::format("a: {}\nb: {}\n\n", printable(runs.name_a), printable(runs.name_b)) + lines.text();
  if (count > kMaxDiffLines) text += fmt::format("... and {} more; --format csv has all\n", count - kMaxDiffLines);
  return text + fmt::format("{} more figures are equal\n", equal);
}

}  // namespace gdsim
