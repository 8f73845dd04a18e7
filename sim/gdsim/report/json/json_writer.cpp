#include <gdsim/report/json/json_writer.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gdsim {

namespace {

/// Returns the code of a character that must be escaped by it, or nullopt: characters that JSON forbids, or that JSON
/// allows but YAML, as which gdsim reads its own files, forbids.
std::optional<std::uint32_t> code_to_escape(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F ? std::optional(byte(0)) : std::nullopt;
  if (character.size() == 2 && byte(0) == 0xC2 && byte(1) < 0xA0) return byte(1);
  if (character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF") return 0xFF00U | (byte(2) + 0x40U);
  return std::nullopt;
}

void append_escaped(std::string& text, std::string_view character) {
  constexpr std::string_view with_letter = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  if (character.empty()) {
    text += "\xEF\xBF\xBD";
  } else if (const std::size_t i = with_letter.find(character); i != std::string_view::npos) {
    text += {'\\', letters[i]};
  } else if (const auto code = code_to_escape(character)) {
    text += fmt::format("\\u{:04x}", *code);
  } else {
    text += character;
  }
}

/// Returns true for a character of ASCII that stands for itself.
bool is_plain(char character) { return character >= 0x20 && character < 0x7F && character != '"' && character != '\\'; }

}  // namespace

std::string json_string(std::string_view text) {
  std::string result;
  result.reserve(text.size() + 2);
  append_json_string(result, text);
  return result;
}

void append_json_string(std::string& to, std::string_view text) {
  to += '"';
  for (;;) {
    const auto plain = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    to += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t length = utf8_length(text);
    append_escaped(to, text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  to += '"';
}

void JsonWriter::new_line() {
  text_.push_back('\n');
  text_.append(2 * has_items_.size(), ' ');
}

void JsonWriter::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) text_.push_back(',');
  has_items_.back() = true;
  new_line();
}

void JsonWriter::open(char bracket) {
  begin_value();
  text_.push_back(bracket);
  has_items_.push_back(false);
}

void JsonWriter::close(char bracket) {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) new_line();
  text_.push_back(bracket);
}

JsonWriter& JsonWriter::open_object() { return open('{'), *this; }
JsonWriter& JsonWriter::close_object() { return close('}'), *this; }
JsonWriter& JsonWriter::open_list() { return open('['), *this; }
JsonWriter& JsonWriter::close_list() { return close(']'), *this; }

JsonWriter& JsonWriter::key(std::string_view name) {
  begin_value();
  append_json_string(text_, name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  begin_value();
  append_json_string(text_, value);
  return *this;
}

JsonWriter& JsonWriter::count(std::uint64_t value) {
  begin_value();
  append_count(text_, value);
  return *this;
}

JsonWriter& JsonWriter::number(std::string_view digits) {
  begin_value();
  text_ += digits;
  return *this;
}

JsonWriter& JsonWriter::truth(bool value) {
  begin_value();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::none() {
  begin_value();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::time(Duration value) {
  begin_value();
  append_nanoseconds(text_, value);
  return *this;
}

JsonWriter& JsonWriter::thread_time(Int128 picoseconds) {
  begin_value();
  const std::string rest = std::to_string(static_cast<int>(picoseconds % 1'000));
  text_ += to_text(picoseconds / 1'000) + "." + std::string(3 - rest.size(), '0') + rest;
  return *this;
}

JsonWriter& JsonWriter::seconds(SimTime value) {
  begin_value();
  append_seconds(text_, value);
  return *this;
}

JsonWriter& JsonWriter::fraction(Ratio value) {
  begin_value();
  append_fraction(text_, value);
  return *this;
}

std::string JsonWriter::finish() { return std::move(text_) + "\n"; }

}  // namespace gdsim
