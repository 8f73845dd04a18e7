#include <gdsim/scenario/expressions/known_names.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>

#include <algorithm>

namespace gdsim {

bool KnownNames::has(std::string_view name) const {
  return std::any_of(names_.begin(), names_.end(), [&](const KnownName& known) { return known.name == name; });
}

KnownName& KnownNames::entry_of(std::string_view name) {
  return *std::find_if(names_.begin(), names_.end(), [&](const KnownName& known) { return known.name == name; });
}

double KnownNames::value(const Expression::Name& name, const ExpressionValue& written) const {
  const KnownName& known = find(name);
  if (known.is_quantity && written.unit.empty())
    throw ExpressionError(name.position, in_quotes(name.text) +
                                             " is a quantity and enters in its base unit (B, ps, Hz, B/s); a unit "
                                             "must stand behind the expression, as in `= 2 * " +
                                             name.text + " B`");
  return *known.value;
}

const KnownName& KnownNames::find(const Expression::Name& name) const {
  std::vector<std::string_view> known;
  for (const KnownName& one : names_) {
    if (one.name == name.text && one.value) return one;
    if (one.name == name.text) throw ExpressionError(name.position, in_quotes(name.text) + " " + one.problem);
    if (one.value) known.push_back(one.name);
  }
  if (is_group_name(name.text))
    throw ExpressionError(
        name.position,
        in_quotes(name.text) +
            " depends on the work-group; it may stand only in loop counts and step amounts of "
            "`program:`, and in `variation:`, as in `variation: {work_groups: \"= mod(group, 4) + 1\"}`");
  if (name.text == kTileName)
    throw ExpressionError(name.position,
                          in_quotes(name.text) +
                              " is the number of a tile; it may stand only in loop counts and step amounts of the body "
                              "of `tiles`");
  std::string hint = hint_at_own_name(name.text);
  if (hint.empty()) hint = did_you_mean(name.text, known);
  throw ExpressionError(name.position, in_quotes(name.text) + " is no parameter; known here: " + join(known) +
                                           (hint.empty() ? "" : ";" + hint));
}

}  // namespace gdsim
