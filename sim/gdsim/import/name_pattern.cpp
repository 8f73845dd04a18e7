#include <gdsim/import/name_pattern.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <re2/re2.h>

namespace gdsim {

NamePattern::NamePattern(const std::string& expression) {
  RE2::Options options(RE2::Latin1);  // bytes: names in other tools' files need not be UTF-8
  options.set_log_errors(false);
  options.set_dot_nl(true);
  pattern_ = std::make_unique<RE2>(expression, options);
  if (!pattern_->ok())
    throw InputError("--kernel is " + in_quotes(expression) + ", which is no regular expression: " + pattern_->error());
}

NamePattern::~NamePattern() = default;

bool NamePattern::is_in(std::string_view name) const {
  return RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *pattern_);
}

}  // namespace gdsim
