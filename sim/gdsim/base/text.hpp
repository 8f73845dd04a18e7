#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// Returns a count with its noun: `1 core`, `2 cores`, `2 launches`.
inline std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : noun.ends_with("ch") ? "es" : "s");
}

/// Returns true for 0 to 9, whatever the locale is.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the known name that `found` most likely means (one or two typing errors away); empty if there is none.
std::string_view nearest_name(std::string_view found, std::span<const std::string_view> known);

/// Returns ` did you mean 'barrier'?`, to be appended to a message after a separator; empty if no name is near.
std::string did_you_mean(std::string_view found, std::span<const std::string_view> known);

/// Returns `known: a, b; did you mean 'a'?`, or `known: a, b` if no name is near.
std::string known_names(std::string_view found, std::span<const std::string_view> known);

/// Returns the names as `a, b, c`.
std::string join(std::span<const std::string_view> names);

/// Returns `text` as one line that is safe to print on a terminal. All names and texts of files are printed through it.
/// Well-formed UTF-8 is unchanged, except for characters that a terminal could interpret. These are escaped: control
/// characters (`\n`, `\t`, `\x1b`), C1 controls and controls of the writing direction (`\u009b`, `\u202e`), and bytes
/// that are not UTF-8 (`\x9b`).
std::string printable(std::string_view text);

/// As printable(), for text of several lines: line feeds are kept.
std::string printable_lines(std::string_view text);

/// Returns a user's text as messages quote it: printable, in quotes, and truncated if it is long: `'9x'`, `'aaa...'`.
std::string in_quotes(std::string_view text);

/// Returns true if a spreadsheet would read this text as a formula: it begins with = + - @, a tab or a carriage return.
bool begins_as_formula(std::string_view text);

/// Returns a message shortened for people: words of more than 400 characters and messages of more than 8,000 lose their
/// middle, which is replaced by the number of omitted bytes.
std::string readable(std::string message);

/// Returns `text` without leading and trailing spaces.
inline std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Returns the number of bytes of the well-formed UTF-8 character at the beginning of `text`, or 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Returns `text` with U+FFFD in place of every byte that belongs to no well-formed character, and in place of U+FFFE
/// and U+FFFF, which XML does not allow.
std::string well_formed(std::string_view text);

/// Returns the longest prefix of `text` of at most `max_bytes` bytes that ends between characters.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

}  // namespace gdsim
