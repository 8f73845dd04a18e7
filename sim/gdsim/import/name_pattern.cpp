#include <gdsim/import/demangled.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <re2/re2.h>

namespace gdsim {
namespace {

RE2::Options options_of_names() {
  RE2::Options options(RE2::Latin1);  // bytes: names in other tools' files need not be UTF-8
  options.set_log_errors(false);
  options.set_dot_nl(true);
  return options;
}

}  // namespace

struct NamePattern::Expression {
  RE2 pattern;
};

NamePattern::NamePattern(const std::string& expression)
    : expression_(new Expression{RE2(expression, options_of_names())}) {
  const RE2& pattern = expression_->pattern;
  if (!pattern.ok())
    throw InputError("--kernel is " + in_quotes(expression) + ", which is no regular expression: " + pattern.error());
}

NamePattern::~NamePattern() = default;

bool NamePattern::is_in(std::string_view name) const {
  return RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), expression_->pattern);
}

}  // namespace gdsim
