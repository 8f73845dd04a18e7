#include <gdsim/base/column_names.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

bool is_left_out(char c) { return c == ' ' || c == '_' || c == '-'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Returns true for a unit that is one without brackets around it, too.
bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 4> amounts{"bytes", "B", "KiB", "MiB"};
  return time_exponent(word) || is_cycles(word) || std::find(amounts.begin(), amounts.end(), word) != amounts.end();
}

/// Calls `visit(word)` for each word, until it returns true. Returns whether it did.
template <class Visit>
bool any_word(std::string_view words, Visit visit) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (visit(words.substr(0, end))) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// Returns true if `plain` is `plain_name(name)`.
bool is_plain_name_of(std::string_view plain, std::string_view name) {
  for (const char c : name) {
    if (is_left_out(c)) continue;
    if (!plain.starts_with(lower(c))) return false;
    plain.remove_prefix(1);
  }
  return plain.empty();
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (!is_left_out(c)) plain.push_back(lower(c));
  return plain;
}

ColumnName column_name(std::string_view name) {
  std::string_view stem = trimmed(name);
  std::string_view unit;
  const std::size_t open = stem.ends_with(')') ? stem.rfind('(') : stem.ends_with(']') ? stem.rfind('[') : 0;
  if (open > 0 && open != std::string_view::npos) {
    unit = trimmed(stem.substr(open + 1, stem.size() - open - 2));
    unit.remove_prefix(unit.rfind(' ') + 1);
    stem = stem.substr(0, open);
  } else if (const std::size_t apart = stem.find_last_of("_: ");
             apart != std::string_view::npos && apart > 0 && is_unit(stem.substr(apart + 1))) {
    unit = stem.substr(apart + 1);
    stem = stem.substr(0, apart);
  } else if (stem.size() > 2 && stem.ends_with("Ns")) {
    unit = "ns";
    stem.remove_suffix(2);
  }
  for (const std::string_view kind : {":ts", ":dur", ":mem"})  // of Nsight Systems
    if (!unit.empty() && stem.ends_with(kind)) stem.remove_suffix(kind.size());
  return {plain_name(stem), std::string(unit)};
}

std::optional<int> time_exponent(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, int>, 5> units{{{"ps psecond picoseconds", 0},
                                                                   {"ns nsec nsecond nanoseconds", 3},
                                                                   {"us usec usecond microseconds \u00b5s", 6},
                                                                   {"ms msec msecond milliseconds", 9},
                                                                   {"s sec second seconds", 12}}};
  const std::string plain = plain_name(unit);
  for (const auto& [names, exponent] : units)
    if (is_among(plain, names)) return exponent;
  return std::nullopt;
}

std::optional<Duration> time_unit(std::string_view unit) {
  const auto exponent = time_exponent(unit);
  if (!exponent) return std::nullopt;
  Duration picoseconds{1};
  for (int i = 0; i < *exponent; ++i) picoseconds.count *= 10;
  return picoseconds;
}

bool is_cycles(std::string_view unit) { return is_among(plain_name(unit), "cycle cycles"); }

bool may_have_unit(UnitInName expected, std::string_view unit) {
  if (time_unit(unit)) return expected != UnitInName::none;
  return is_cycles(unit) && (expected == UnitInName::time_or_cycles || expected == UnitInName::needed);
}

bool is_among(std::string_view plain, std::string_view names) {
  return any_word(names, [&](std::string_view name) { return is_plain_name_of(plain, name); });
}

std::vector<std::string_view> all_names(std::string_view names) {
  std::vector<std::string_view> words;
  any_word(names, [&](std::string_view word) {
    words.push_back(word);
    return false;
  });
  return words;
}

}  // namespace gdsim
