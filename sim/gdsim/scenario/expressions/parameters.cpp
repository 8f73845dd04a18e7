#include <gdsim/scenario/expressions/parameters.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace gdsim {
namespace {

/// Returns the problem with a name, or an empty text.
std::string problem_of_name(const std::string& name) {
  const auto& keys = keys::kScenario;
  if (!is_expression_name(name))
    return "is no name of a parameter; use letters, digits and underscores, and no digit first";
  if (is_expression_function(name)) return "is a function of expressions; choose another name";
  const bool is_newer = name == "buffers";  // files had parameters of that name before it was a key
  if (!is_newer && std::find(keys.begin(), keys.end(), name) != keys.end())
    return "is a key of the scenario itself; choose another name";
  if (name == "local" || name == "threads") return "means the kernel's own in expressions; choose another name";
  return {};
}

/// Returns a quantity of any kind, in its base unit.
std::optional<std::int64_t> base_units(const std::string& text) {
  if (const auto bytes = parse_bytes(text).value) return bytes->count;
  if (const auto time = parse_duration(text).value) return time->count;
  if (const auto clock = parse_frequency(text).value) return clock->count;
  if (const auto rate = parse_bandwidth(text).value) return rate->count;
  if (const auto power = parse_power(text).value) return power->count;
  return std::nullopt;
}

/// Returns the double nearest to a decimal without a sign.
double nearest_double(std::string_view decimal) {
#ifdef __cpp_lib_to_chars
  double value = 0;
  std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  return value;
#else
  // libc++ 13, of the playground, cannot read a double this way. Its locale is always C's.
  return std::strtod(std::string(decimal).c_str(), nullptr);
#endif
}

/// Returns a number as written, its sign included, or nullopt if the text is not a number; infinite beyond 2^53.
std::optional<double> plain_number(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const auto exact = parse_decimal(text).value;
  if (!exact) return std::nullopt;
  if (compare(*exact, Decimal::whole(static_cast<std::uint64_t>(kMaxExactWhole))) > 0)
    return std::numeric_limits<double>::infinity();
  const double value = nearest_double(text);
  return is_negative ? -value : value;
}

/// Returns a quantity in its base unit.
std::optional<double> quantity_number(const std::string& text) {
  const auto count = base_units(text);
  if (!count) return std::nullopt;
  return *count <= static_cast<std::int64_t>(kMaxExactWhole) ? static_cast<double>(*count)
                                                             : std::numeric_limits<double>::infinity();
}

class ParameterReader {
 public:
  explicit ParameterReader(const ValueReader& values) : values_(values) {}

  void read(const YamlEntry& entry, std::vector<Parameter>& parameters) const {
    if (const std::string problem = problem_of_name(entry.key); !problem.empty()) {
      values_.problems().add(entry.key_mark, "parameters: " + describe(entry.key_node()) + " " + problem);
      return;
    }
    const YamlNode& node = entry.value;
    if (!node.is_scalar() || node.is_missing()) {
      values_.fail(node, entry.key, "is " + describe(node) + "; a number or a quantity such as 4 KiB is needed");
    } else if (node.text.starts_with("= ")) {
      values_.fail(node, entry.key,
                   "a parameter is a number, not an expression; write the expression where it is used");
    } else if (const auto number = plain_number(node.text)) {
      if (node.style == YamlNode::Style::quoted) {
        values_.fail(node, entry.key, describe(node) + " is a text; write the number without quotes");
      } else {
        add({entry.key, *number, false}, node, parameters);
      }
    } else if (const auto quantity = quantity_number(node.text)) {
      add({entry.key, *quantity, true}, node, parameters);
    } else {
      values_.fail(node, entry.key,
                   "is " + describe(node) +
                       "; a parameter is a number such as 16 or 0.5, or a quantity such as 4 KiB, 10 us, "
                       "1.35 GHz or 51.2 GB/s");
    }
  }

 private:
  void add(Parameter parameter, const YamlNode& node, std::vector<Parameter>& parameters) const {
    if (std::isfinite(parameter.value)) {
      parameters.push_back(std::move(parameter));
    } else {
      values_.fail(node, parameter.name,
                   describe(node) + " is more than 2^53 = 9007199254740992" +
                       (parameter.is_quantity ? " of its base unit" : "") +
                       ", beyond which not every whole number is exact");
    }
  }

  const ValueReader& values_;
};

}  // namespace

std::vector<Parameter> read_parameters(const YamlNode& node, const ValueReader& values) {
  std::vector<Parameter> parameters;
  if (values.mapping(node, "parameters") == nullptr) return parameters;
  const ParameterReader reader(values);
  for (const YamlEntry& entry : node.entries) reader.read(entry, parameters);
  return parameters;
}

std::optional<double> number_of(const std::string& text) {
  auto number = plain_number(text);
  if (!number) number = quantity_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

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
  for (const KnownName& known_name : names_) {
    if (known_name.name == name.text && known_name.value) return known_name;
    if (known_name.name == name.text)
      throw ExpressionError(name.position, in_quotes(name.text) + " " + known_name.problem);
    if (known_name.value) known.push_back(known_name.name);
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
