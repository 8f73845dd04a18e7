#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A user's text, the name that messages use for it, and the positions of its lines. It is immutable, so any number of
/// threads may read it.
class SourceText {
 public:
  SourceText(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  /// Returns line `number`, counted from 1, without its line end; empty if the text has no such line.
  std::string_view line(std::uint32_t number) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

/// A position in a SourceText, which must outlive it. Line and column count from 1; a column is one character.
struct SourceMark {
  const SourceText* source = nullptr;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// One problem with the user's input. It refers to no SourceText: it holds a copy of the line at fault.
struct Diagnostic {
  std::string code;        ///< stable name of the kind of problem, e.g. `work_group_too_large`; may be empty
  std::string message;     ///< what was found, what is allowed, and a hint
  std::string file;        ///< empty if the problem has no position in a file
  std::uint32_t line = 0;  ///< 0 if the problem concerns the whole file
  std::uint32_t column = 0;
  std::string line_text;  ///< the line at fault, shown below the message
};

/// `FILE:LINE:COLUMN: error: MESSAGE`, then the line at fault with a caret under the column. Whatever a terminal could
/// interpret is shown escaped. Thread-safe.
std::string to_text(const Diagnostic& diagnostic);

/// Collects problems so that a user sees all of them at once. Not thread-safe.
class Diagnostics {
 public:
  void add(const SourceMark& where, std::string message, std::string_view code = {});
  void add(Diagnostic diagnostic);

  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  const std::vector<Diagnostic>& problems() const { return problems_; }

  /// Sorts the problems by line and column: several passes over one file find them out of order.
  void put_in_order();
  /// Throws InputError with all problems, if there are any.
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> problems_;
};

/// Is thrown if an invariant of gdsim is broken, which is never the user's fault. The command line exits with 70.
class DefectError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// The maximum number of problems that are printed. Further ones are only counted.
inline constexpr std::size_t kMaxProblemsShown = 100;

/// Is thrown if the user's input cannot be used. what() lists the first kMaxProblemsShown problems; the command line
/// prints it and exits with 2.
///
///     try {
///       gdsim::read_scenario("mine.yaml");
///     } catch (const gdsim::InputError& error) {
///       for (const gdsim::Diagnostic& problem : error.problems()) std::cerr << gdsim::to_text(problem) << '\n';
///     }
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> problems);
  /// Holds one problem that has no position in a file.
  explicit InputError(std::string message);

  /// Returns all problems.
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  struct Readable {
    std::vector<Diagnostic> problems;
  };
  explicit InputError(Readable problems);

  std::vector<Diagnostic> problems_;
};

/// One reason why something cannot run, and the field at fault.
///
///     for (const gdsim::Issue& issue : gdsim::compile(device, workload).issues())
///       if (issue.code == "slm_too_large") std::cerr << issue.path << ": use less SLM\n";
struct Issue {
  /// The path from the arguments of compile(): `launches[3].after[0]`, `kernels[1].local`, `device.slm.sizes`,
  /// `dispatch.placement`. Fields have the names of a scenario file. Numbers are positions from 0, except below
  /// `variation.work_groups`, where they are numbers of work-groups.
  std::string path;
  std::string message;  ///< what was found and what is allowed
  std::string code{};   ///< stable name if the device refuses the kernel, e.g. `slm_too_large`; else empty
  std::vector<std::string> others{};  ///< paths of all fields involved, if there are several
  bool is_about_name = false;         ///< the name at the end of the path is at fault, not its value
};

using Issues = std::vector<Issue>;

/// `launches[3].after[0]: there is no launch 9; the workload has 1, numbered from 0`. Thread-safe.
std::string to_text(const Issue& issue);

/// Throws an InputError with one problem per issue. There must be at least one issue. Thread-safe.
[[noreturn]] void throw_input_error(const Issues& issues);

/// Returns the path of one item of a list: `launches[3]`. Thread-safe.
std::string item_path(std::string_view list, std::uint64_t index);

/// Appends `more` to `all`. No other thread may use `all` meanwhile.
void append(Issues& all, Issues more);

}  // namespace gdsim
