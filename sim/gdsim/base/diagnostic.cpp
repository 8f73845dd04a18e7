#include <gdsim/base/diagnostic.hpp>

#include <gdsim/base/printable.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kLongestShownLine = 200;

std::string summarise(const std::vector<Diagnostic>& problems) {
  std::string text;
  for (const Diagnostic& problem : problems) text += (text.empty() ? "" : "\n") + to_text(problem);
  return text;
}

}  // namespace

std::string to_text(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) {
    text += diagnostic.file + ":";
    if (diagnostic.line > 0) text += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ":";
    text += " ";
  }
  text += "error: " + diagnostic.message;
  if (diagnostic.line_text.empty()) return text;
  const std::string number = std::to_string(diagnostic.line);
  text += "\n  " + number + " | " + diagnostic.line_text;
  text += "\n  " + std::string(number.size(), ' ') + " | " + std::string(diagnostic.column - 1, ' ') + "^";
  return text;
}

void Diagnostics::add(const SourceMark& where, std::string message, std::string_view code) {
  Diagnostic problem;
  problem.code = code;
  problem.message = std::move(message);
  problem.line = where.line;
  problem.column = where.column;
  if (where.source != nullptr) {
    problem.file = where.source->name();
    if (const auto line = where.source->line(where.line); line.size() <= kLongestShownLine)
      problem.line_text = printable(line);
  }
  problems_.push_back(std::move(problem));
}

void Diagnostics::put_in_order() {
  std::stable_sort(problems_.begin(), problems_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
}

void Diagnostics::throw_if_any() const {
  if (!problems_.empty()) throw InputError(problems_);
}

InputError::InputError(std::vector<Diagnostic> problems)
    : std::runtime_error(summarise(problems)), problems_(std::move(problems)) {}

InputError::InputError(std::string message)
    : InputError(std::vector<Diagnostic>{Diagnostic{{}, std::move(message), {}, 0, 0, {}}}) {}

}  // namespace gdsim
