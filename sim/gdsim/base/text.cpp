#include <gdsim/base/text.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kLongestName = 64;

/// Returns the edit distance, where a swap of two neighbors counts as one edit (optimal string alignment).
std::size_t slips(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view found, std::span<const std::string_view> known) {
  if (found.empty() || found.size() > kLongestName) return {};
  const std::size_t allowed = found.size() <= 4 ? 1 : found.size() <= 8 ? 2 : 3;
  std::string_view best;
  std::size_t fewest = allowed + 1;
  for (const std::string_view name : known) {
    if (name.size() > kLongestName) continue;
    const std::size_t count = slips(found, name);
    if (count >= fewest || count >= name.size()) continue;
    fewest = count;
    best = name;
  }
  return best;
}

std::string did_you_mean(std::string_view found, std::span<const std::string_view> known) {
  const std::string_view best = nearest_name(found, known);
  return best.empty() ? std::string() : " did you mean '" + std::string(best) + "'?";
}

std::string known_names(std::string_view found, std::span<const std::string_view> known) {
  const std::string hint = did_you_mean(found, known);
  return "known: " + join(known) + (hint.empty() ? "" : ";" + hint);
}

std::string join(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

namespace {

std::string hexadecimal(const char* prefix, std::uint32_t value, int digits) {
  std::string text = prefix;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 0xFU];
  return text;
}

/// Returns the code point of a well-formed character of two or three bytes; 0 for any other.
std::uint32_t code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 2) return (byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU);
  if (character.size() == 3) return (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
  return 0;
}

/// Returns true for C1 controls, line separators, and the marks, embeddings, overrides and isolates of the writing
/// direction.
bool is_obeyed(std::uint32_t code) {
  return (code >= 0x80 && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

void append_ascii(std::string& shown, char c) {
  if (is_plain(c)) {
    shown += c;
  } else if (c == '\n' || c == '\r' || c == '\t') {
    shown += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
  } else {
    shown += hexadecimal("\\x", static_cast<unsigned char>(c), 2);
  }
}

std::string shown(std::string_view text, bool keeps_lines) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    if (length == 0) {
      result += hexadecimal("\\x", static_cast<unsigned char>(character.front()), 2);
    } else if (keeps_lines && character == "\n") {
      result += '\n';
    } else if (length == 1) {
      append_ascii(result, character.front());
    } else if (const std::uint32_t code = code_of(character); is_obeyed(code)) {
      result += hexadecimal("\\u", code, 4);
    } else {
      result += character;
    }
  }
  return result;
}

/// Returns the end of the word, or of the run of blanks, with which `text` begins.
std::size_t end_of_run(std::string_view text) {
  const bool is_word = text.front() != ' ' && text.front() != '\n';
  const std::size_t end = is_word ? text.find_first_of(" \n") : text.find_first_not_of(" \n");
  return std::min(end, text.size());
}

std::string left_out(std::size_t bytes) { return "...(" + std::to_string(bytes) + " more bytes)..."; }

/// Returns the beginning and the end of `text`, with the number of omitted bytes between them.
std::string shortened_to(std::string_view text, std::size_t first, std::size_t last) {
  const std::string_view begin = utf8_prefix(text, first);
  std::string_view end = text.substr(text.size() - last);
  while (!end.empty() && (static_cast<unsigned char>(end.front()) & 0xC0U) == 0x80U) end.remove_prefix(1);
  return std::string(begin) + left_out(text.size() - begin.size() - end.size()) + std::string(end);
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }

std::string printable_lines(std::string_view text) { return shown(text, true); }

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return "'" + printable(text) + "'";
  return "'" + printable(utf8_prefix(text, longest)) + "...'";
}

bool begins_as_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

std::string readable(std::string message) {
  constexpr std::size_t longest_word = 400;
  constexpr std::size_t longest = 8'000;
  if (message.size() <= longest_word) return message;
  std::string text;
  for (std::string_view rest = message; !rest.empty();) {
    const std::string_view run = rest.substr(0, end_of_run(rest));
    text += run.size() > longest_word ? shortened_to(run, longest_word / 2, longest_word / 8) : std::string(run);
    rest.remove_prefix(run.size());
  }
  return text.size() <= longest ? text : shortened_to(text, longest * 3 / 4, longest / 8);
}

namespace {

std::uint32_t byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

bool is_continuation(std::uint32_t byte) { return (byte & 0xC0U) == 0x80U; }

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint32_t first = byte_at(text, 0);
  const std::size_t length = first < 0x80    ? 1
                             : first >= 0xF5 ? 0  // no first byte of a character
                             : first >= 0xF0 ? 4
                             : first >= 0xE0 ? 3
                             : first >= 0xC2 ? 2
                                             : 0;
  if (length <= 1) return length;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(byte_at(text, i))) return 0;
    code = code << 6 | (byte_at(text, i) & 0x3FU);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool is_no_character = (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF;
  return is_overlong || is_no_character ? 0 : length;
}

std::string well_formed(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length);
    const bool is_allowed = length > 0 && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
    result += is_allowed ? character : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && is_continuation(byte_at(text, end))) --end;
  return text.substr(0, end);
}

}  // namespace gdsim
