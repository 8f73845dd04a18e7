#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gdsim {

/// Returns a C++ name as in its source: `void scale<4>(float*, float const*)`. A name that is not mangled is returned
/// unchanged. A name that would be too long keeps only its first part: `cutlass::device_kernel<...>`.
std::string demangled(const std::string& symbol);

/// The name of a function without its type: `scale<4>` for the example above.
std::string without_signature(std::string_view name);

/// The regular expression of `--kernel`, in RE2's syntax, without back-references. For any expression, matching takes
/// time proportional to the name's length, and its stack does not grow with that length.
class NamePattern {
 public:
  /// Throws InputError if it is no regular expression, or if it needs too much memory.
  explicit NamePattern(const std::string& expression);
  ~NamePattern();
  NamePattern(const NamePattern&) = delete;
  NamePattern& operator=(const NamePattern&) = delete;

  /// Returns true if a part of the name matches.
  bool is_in(std::string_view name) const;

 private:
  struct Expression;
  std::unique_ptr<const Expression> expression_;
};

}  // namespace gdsim
