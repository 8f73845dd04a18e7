#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace gdsim {

/// The regular expression of `--kernel`, in RE2's syntax, which has no back-references. Matching takes time
/// in proportion to the name's length, and a stack that does not grow with it, whatever the expression is.
class NamePattern {
 public:
  /// Throws InputError if it is no regular expression, or one that needs too much memory.
  explicit NamePattern(const std::string& expression);
  ~NamePattern();
  NamePattern(const NamePattern&) = delete;
  NamePattern& operator=(const NamePattern&) = delete;

  /// It is found somewhere in the name.
  bool is_in(std::string_view name) const;

 private:
  std::unique_ptr<re2::RE2> pattern_;
};

}  // namespace gdsim
