#include <gdsim/base/text.hpp>
#include <gdsim/import/decompressed.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/import/profiles/sqlite/sqlite_profile.hpp>

#include <utility>

// What the playground has no libraries for. `gdsim import` reads it.

namespace gdsim {

std::string decompress_lz4(const ByteView& block, std::uint64_t, ReadBudget&) {
  block.fail(0, "this part is compressed, and the playground does not unpack it; `gdsim import` does");
}

std::string decompress_zstd(const ByteView& frame, std::uint64_t size, ReadBudget& budget) {
  return decompress_lz4(frame, size, budget);
}

bool is_sqlite(const ProfileInput& input) { return input.head().starts_with("SQLite format 3"); }

void read_sqlite_profile(const ProfileInput& input, Profile&) {
  input.fail("is a SQLite database, which the playground does not read; `gdsim import` does");
}

/// A part of the name, which may have to be its begin, or its end.
struct NamePattern::Expression {
  std::string part;
  bool begins = false;
  bool ends = false;
};

NamePattern::NamePattern(const std::string& expression) {
  Expression written{expression, expression.starts_with('^'), expression.ends_with('$')};
  if (written.begins) written.part.erase(0, 1);
  if (written.ends) written.part.pop_back();
  if (written.part.find_first_of("\\^$.|?*+()[]{}") != std::string::npos)
    throw InputError("--kernel is " + in_quotes(expression) +
                     ", and the playground has no regular expressions: a part of the name is needed, after a ^ if the "
                     "name begins with it, and before a $ if it ends with it");
  expression_ = std::make_unique<const Expression>(std::move(written));
}

NamePattern::~NamePattern() = default;

bool NamePattern::is_in(std::string_view name) const {
  const auto& [part, begins, ends] = *expression_;
  if (begins && ends) return name == part;
  if (begins) return name.starts_with(part);
  return ends ? name.ends_with(part) : name.find(part) != std::string_view::npos;
}

}  // namespace gdsim
