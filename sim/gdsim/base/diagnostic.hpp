#pragma once

#include <gdsim/base/source_text.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// One problem with what a user gave us. Keeps its own copy of what it shows.
struct Diagnostic {
  std::string code;        ///< stable name of the kind of problem, e.g. `work_group_too_large`; may be empty
  std::string message;     ///< what was found, what is allowed, and a hint
  std::string file;        ///< empty if the problem has no place
  std::uint32_t line = 0;  ///< 0 if the problem concerns the whole file
  std::uint32_t column = 0;
  std::string line_text;  ///< the line at fault, shown below the message
};

/// `FILE:LINE:COLUMN: error: MESSAGE`, then the line at fault with a caret under the column. Whatever a terminal could
/// obey is shown escaped (`printable`).
std::string to_text(const Diagnostic& diagnostic);

/// Collects problems so that a user sees all of them at once.
class Diagnostics {
 public:
  void add(const SourceMark& where, std::string message, std::string_view code = {});
  void add(Diagnostic diagnostic) { problems_.push_back(std::move(diagnostic)); }

  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  const std::vector<Diagnostic>& problems() const { return problems_; }

  /// Orders them by line and column: those that were found by reading one file in several passes.
  void put_in_order();
  /// Throws InputError with all problems, if there are any.
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> problems_;
};

/// What a user gave us cannot be used. The command line prints every problem and exits with 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> problems);
  /// One problem that has no place in a file.
  explicit InputError(std::string message);

  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  std::vector<Diagnostic> problems_;
};

}  // namespace gdsim
