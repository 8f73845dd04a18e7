#include <gdsim/scenario/expressions/known_names.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace gdsim {
namespace {

constexpr std::string_view kSign = "= ";

/// The units. Each precedes the units that are its suffixes.
constexpr std::array<std::string_view, 20> kUnits{"cycles", "kB/s", "MB/s", "GB/s", "TB/s", "B/s", "KiB",
                                                  "MiB",    "GiB",  "kHz",  "MHz",  "GHz",  "Hz",  "B",
                                                  "ps",     "ns",   "us",   "ms",   "s",    "%"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

std::string_view without_blanks_behind(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Returns true if `formula` is complete, so that a unit may follow: `2 * tile`, `(a + b)`, but not `2 *`. Letters
/// directly after a name belong to the name.
bool may_have_unit(std::string_view formula) {
  const std::string_view trimmed = without_blanks_behind(formula);
  if (trimmed.empty()) return false;
  if (trimmed.back() == ')') return true;
  if (!is_word(trimmed.back())) return false;
  if (trimmed.size() < formula.size()) return true;
  std::size_t begin = trimmed.size();
  while (begin > 0 && is_word(trimmed[begin - 1])) --begin;
  return std::isdigit(static_cast<unsigned char>(trimmed[begin])) != 0 || trimmed[begin] == '.';
}

}  // namespace

std::optional<ExpressionValue> expression_of(const YamlNode& node) {
  const std::string_view text = node.text;
  if (!node.is_scalar() || !text.starts_with(kSign)) return std::nullopt;
  const std::string_view whole = without_blanks_behind(text.substr(kSign.size()));
  for (const std::string_view unit : kUnits) {
    if (!whole.ends_with(unit)) continue;
    const std::string_view formula = whole.substr(0, whole.size() - unit.size());
    if (may_have_unit(formula)) return ExpressionValue{without_blanks_behind(formula), unit};
  }
  return ExpressionValue{whole, {}};
}

SourceMark mark_within(const YamlNode& node, std::size_t offset) {
  SourceMark mark = node.mark;
  if (mark.source == nullptr) return mark;
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  std::string_view line = mark.source->line(mark.line);
  for (std::uint32_t column = 1; column < mark.column && !line.empty(); ++column) {
    line.remove_prefix(1);
    while (!line.empty() && !starts_character(line.front())) line.remove_prefix(1);
  }
  const std::uint32_t quote = node.style == YamlNode::Style::quoted ? 1 : 0;
  if (line.size() < quote || !line.substr(quote).starts_with(node.text)) return mark;
  const std::string_view before = std::string_view(node.text).substr(0, offset);
  mark.column += quote + static_cast<std::uint32_t>(std::count_if(before.begin(), before.end(), starts_character));
  return mark;
}

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
