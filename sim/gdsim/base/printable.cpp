#include <gdsim/base/printable.hpp>

#include <gdsim/base/utf8.hpp>

#include <algorithm>
#include <cstdint>

namespace gdsim {
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

}  // namespace gdsim
