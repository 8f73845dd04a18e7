#include <gdsim/base/diagnostic.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kLongestShownLine = 200;

std::string summarize(const std::vector<Diagnostic>& problems) {
  std::string text;
  for (std::size_t i = 0; i < std::min(problems.size(), kMaxProblemsShown); ++i)
    text += (i > 0 ? "\n" : "") + to_text(problems[i]);
  if (problems.size() > kMaxProblemsShown)
    text += "\n... and " + std::to_string(problems.size() - kMaxProblemsShown) + " more";
  return text;
}

/// Throws DefectError if there is no problem, or one without a message: a user would see an error that says nothing.
std::vector<Diagnostic> with_readable_messages(std::vector<Diagnostic> problems) {
  if (problems.empty()) throw DefectError("an input was refused without a reason");
  for (Diagnostic& problem : problems) {
    if (problem.message.empty()) throw DefectError("a problem of an input has no message");
    problem.message = readable(std::move(problem.message));
  }
  return problems;
}

/// Returns `line` as a terminal shows it. A tab becomes one blank, so that the caret is below the right character.
std::string printable_line(std::string_view line) {
  std::string text(line);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return printable(text);
}

/// Returns the number of terminal columns of the characters before `column` of a line.
std::size_t columns_before(std::string_view line, std::uint32_t column) {
  column = static_cast<std::uint32_t>(std::min<std::size_t>(column, line.size() + 1));
  std::size_t bytes = 0;
  std::size_t blanks = 0;  // after the end of the line
  for (std::uint32_t i = 1; i < column; ++i) {
    if (bytes >= line.size()) ++blanks;
    if (bytes < line.size()) bytes += std::max<std::size_t>(utf8_length(line.substr(bytes)), 1);
  }
  const std::string shown = printable_line(line.substr(0, bytes));
  return blanks + static_cast<std::size_t>(std::count_if(shown.begin(), shown.end(), [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // the first byte of a character
         }));
}

}  // namespace

std::string to_text(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) {
    text += printable(diagnostic.file) + ":";
    if (diagnostic.line > 0) text += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ":";
    text += " ";
  }
  text += "error: " + printable(diagnostic.message);
  if (diagnostic.line_text.empty()) return text;
  const std::string number = std::to_string(diagnostic.line);
  text += "\n  " + number + " | " + printable_line(diagnostic.line_text);
  text += "\n  " + std::string(number.size(), ' ') + " | " +
          std::string(columns_before(diagnostic.line_text, diagnostic.column), ' ') + "^";
  return text;
}

void Diagnostics::add(const SourceMark& where, std::string message, std::string_view code) {
  Diagnostic problem;
  problem.code = code;
  problem.message = readable(std::move(message));
  problem.line = where.line;
  problem.column = where.column;
  if (where.source != nullptr) {
    problem.file = where.source->name();
    if (const auto line = where.source->line(where.line); line.size() <= kLongestShownLine) problem.line_text = line;
  }
  problems_.push_back(std::move(problem));
}

void Diagnostics::add(Diagnostic diagnostic) { problems_.push_back(std::move(diagnostic)); }

void Diagnostics::put_in_order() {
  std::stable_sort(problems_.begin(), problems_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
}

void Diagnostics::throw_if_any() const {
  if (!problems_.empty()) throw InputError(problems_);
}

InputError::InputError(std::vector<Diagnostic> problems)
    : InputError(Readable{with_readable_messages(std::move(problems))}) {}

InputError::InputError(Readable problems)
    : std::runtime_error(summarize(problems.problems)), problems_(std::move(problems.problems)) {}

InputError::InputError(std::string message)
    : InputError(std::vector<Diagnostic>{Diagnostic{{}, std::move(message), {}, 0, 0, {}}}) {}

std::string to_text(const Issue& issue) { return issue.path + ": " + issue.message; }

void throw_input_error(const Issues& issues) {
  std::vector<Diagnostic> problems;
  for (const Issue& issue : issues) problems.push_back(Diagnostic{issue.code, to_text(issue), {}, 0, 0, {}});
  throw InputError(std::move(problems));
}

std::string item_path(std::string_view list, std::uint64_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

void append(Issues& all, Issues more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
  for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', end + 1))
    line_starts_.push_back(end + 1);
}

std::string_view SourceText::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  std::string_view rest = std::string_view(text_).substr(line_starts_[number - 1]);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

void raise_defect(const char* condition, const char* file, int line, const std::string& detail) {
  std::string name = file;
  if (const auto room = name.rfind("gdsim/"); room != std::string::npos) name.erase(0, room);
  throw DefectError(name + ":" + std::to_string(line) + ": " + detail + " (" + condition + ")");
}

void raise_defect(const char* condition, const char* file, int line, const char* detail) {
  raise_defect(condition, file, line, std::string(detail));
}

}  // namespace gdsim
