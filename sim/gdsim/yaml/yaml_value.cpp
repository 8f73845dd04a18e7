#include <gdsim/yaml/yaml_value.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <tuple>

namespace gdsim {
namespace {

bool is_word_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
  }) && key.front() != '-';
}

std::string key_text(const std::string& key) { return is_word_key(key) ? key : double_quoted(key); }

/// Returns true if YAML reads the text back without quotes. In a line, commas and brackets end a value.
bool stands_alone(std::string_view text, bool is_in_line) {
  if (text.empty()) return !is_in_line;  // nothing stands there
  constexpr std::string_view openings = "\"'#&*!|>%@`[]{},";
  if (openings.find(text.front()) != std::string_view::npos || text.front() == ' ' || text.back() == ' ') return false;
  const bool may_open = text.front() == '-' || text.front() == '?' || text.front() == ':';
  if (may_open && (text.size() == 1 || text[1] == ' ' || (is_in_line && text.front() != '-'))) return false;
  if (text.back() == ':' || text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos)
    return false;
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; })) return false;
  return !is_in_line || text.find_first_of(",[]{}") == std::string_view::npos;
}

}  // namespace

YamlValue::YamlValue(const YamlNode& node) {
  if (node.is_scalar()) {
    *this = node.style == YamlNode::Style::plain ? word(node.text) : text(node.text);
    return;
  }
  is_list_ = node.is_sequence();
  for (const YamlNode& child : node.items) item(YamlValue(child));
  for (const YamlEntry& child : node.entries) entry(child.key, YamlValue(child.value));
}

YamlValue YamlValue::word(std::string text) {
  YamlValue value;
  value.form_ = Form::word;
  value.text_ = std::move(text);
  return value;
}

YamlValue YamlValue::text(std::string text) {
  YamlValue value;
  value.form_ = Form::text;
  value.text_ = std::move(text);
  return value;
}

YamlValue YamlValue::read(std::string line) {
  const SourceText source("a value", std::move(line));
  Diagnostics problems;
  const auto node = read_yaml(source, problems);
  GDSIM_CHECK(node && problems.empty(), "what is to be written is no YAML");
  YamlValue value(*node);
  value.put_in_line();
  return value;
}

void YamlValue::put_in_line() {
  if (form_ == Form::block) form_ = Form::in_line;
  for (YamlValue& member : members_) member.put_in_line();
}

YamlValue YamlValue::in_line() {
  YamlValue value;
  value.form_ = Form::in_line;
  return value;
}

YamlValue YamlValue::list_in_line(std::vector<YamlValue> items) {
  YamlValue value = in_line();
  value.is_list_ = true;
  for (YamlValue& item : items) value.item(std::move(item));
  return value;
}

YamlValue& YamlValue::add(Role role, std::string key, YamlValue value, const std::string& remark) {
  value.role_ = role;
  value.key_ = std::move(key);
  value.remark_ = printable(remark);
  members_.push_back(std::move(value));
  return *this;
}

YamlValue& YamlValue::entry(std::string key, YamlValue value, std::string remark) {
  return add(Role::entry, key_text(key), std::move(value), remark);
}

YamlValue& YamlValue::named(std::string name, YamlValue value, std::string remark) {
  return add(Role::entry, double_quoted(name), std::move(value), remark);
}

YamlValue& YamlValue::item(YamlValue value, std::string remark) {
  is_list_ = true;
  const bool is_entry_alone = value.form_ == Form::block && !value.is_list_ && value.members_.size() == 1;
  if (is_entry_alone && value.members_.front().remark_.empty())
    value.members_.front().remark_ = printable(std::exchange(remark, {}));
  return add(Role::item, {}, std::move(value), remark);
}

YamlValue& YamlValue::append(const YamlValue& more) {
  is_list_ = is_list_ || more.is_list_;
  members_.insert(members_.end(), more.members_.begin(), more.members_.end());
  return *this;
}

YamlValue& YamlValue::comment(std::string text) { return add(Role::comment, {}, {}, text); }

std::string YamlValue::line() const {
  if (form_ == Form::word) return stands_alone(text_, true) ? text_ : double_quoted(text_);
  if (form_ == Form::text) return double_quoted(text_);
  std::string out;  // in a list, an entry alone needs no braces
  for (const YamlValue& member : members_) {
    if (member.role_ == Role::comment) continue;
    const std::string part = (member.role_ == Role::entry ? member.key_ + ": " : "") + member.line();
    const bool is_entry_alone = is_list_ && part.front() == '{' && member.size() == 1;
    out += (out.empty() ? "" : ", ") + (is_entry_alone ? part.substr(1, part.size() - 2) : part);
  }
  return is_list_ ? "[" + out + "]" : "{" + out + "}";
}

std::string YamlValue::block(std::size_t indent) const {
  std::string out;
  write(out, indent, false);
  return out;
}

void YamlValue::write(std::string& out, std::size_t indent, bool is_behind_dash) const {
  bool is_first = is_behind_dash;
  for (const YamlValue& member : members_) {
    if (!is_first) out.append(indent, ' ');
    is_first = false;
    if (member.role_ == Role::comment) {
      out += "# " + member.remark_ + "\n";
      continue;
    }
    out += member.role_ == Role::entry ? member.key_ + ":" : "-";
    member.write_behind(out, indent);
  }
}

/// Writes the value after `key:` or `-`: on the same line if it is one, else below it.
void YamlValue::write_behind(std::string& out, std::size_t indent) const {
  const std::string remark = remark_.empty() ? "\n" : "  # " + remark_ + "\n";
  if (form_ == Form::word && stands_alone(text_, false)) {
    out += (text_.empty() ? "" : " ") + text_ + remark;
  } else if (form_ != Form::block || members_.empty()) {
    out += " " + line() + remark;
  } else if (role_ == Role::item && !is_list_ && remark_.empty() && members_.front().role_ == Role::entry) {
    out += " ";
    write(out, indent + 2, true);
  } else {
    out += remark;
    write(out, indent + 2, false);
  }
}

bool YamlValue::operator==(const YamlValue& other) const {
  const auto parts = [](const YamlValue& value) {
    return std::tie(value.form_, value.role_, value.is_list_, value.text_, value.key_, value.remark_, value.members_);
  };
  return parts(*this) == parts(other);
}

namespace {

/// Returns true if YAML reads the text without quotes as a number, a truth value or null.
bool is_other_type(const std::string& text) {
  constexpr std::array<std::string_view, 10> words{"~",    "null", "Null",  "NULL",  "true",
                                                   "True", "TRUE", "false", "False", "FALSE"};
  return std::find(words.begin(), words.end(), text) != words.end() || parse_decimal(text).value.has_value();
}

}  // namespace

std::optional<std::string_view> percent_number(const YamlNode& node) {
  if (!node.is_scalar() || !node.text.ends_with('%')) return std::nullopt;
  return trimmed(std::string_view(node.text).substr(0, node.text.size() - 1));
}

void ValueReader::fail(const YamlNode& node, std::string_view name, const std::string& message) const {
  problems_.add(node.mark, std::string(name) + ": " + message);
}

bool ValueReader::is_scalar(const YamlNode& node, std::string_view name, const char* wanted) const {
  if (node.is_scalar() && !node.is_missing()) return true;
  fail(node, name, "is " + describe(node) + "; " + wanted + " is needed");
  return false;
}

std::optional<std::string> ValueReader::text(const YamlNode& node, std::string_view name) const {
  if (!is_scalar(node, name, "a text")) return std::nullopt;
  if (node.text.empty()) {
    fail(node, name, "is empty");
  } else if (node.style == YamlNode::Style::plain && is_other_type(node.text)) {
    fail(node, name, "is " + describe(node) + ", which is no text; if it is meant as one, write it in quotes");
  } else {
    return node.text;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ValueReader::whole(const YamlNode& node, std::string_view name, std::uint64_t min,
                                                std::uint64_t max) const {
  const auto number = decimal(node, name);
  if (!number) return std::nullopt;
  if (!is_whole(*number, 1)) {
    fail(node, name, describe(node) + " is not a whole number");
    return std::nullopt;
  }
  const auto value = round_product({*number});
  if (!value || static_cast<std::uint64_t>(*value) > max) {
    fail(node, name,
         describe(node) + " is too large: at most " +
             std::to_string(std::min(max, std::uint64_t{std::numeric_limits<std::int64_t>::max()})) + " is allowed");
    return std::nullopt;
  }
  if (static_cast<std::uint64_t>(*value) >= min) return static_cast<std::uint64_t>(*value);
  fail(node, name, describe(node) + " is too small: at least " + std::to_string(min) + " is needed");
  return std::nullopt;
}

std::optional<std::uint32_t> ValueReader::whole32(const YamlNode& node, std::string_view name) const {
  const auto value = whole(node, name, 0, std::numeric_limits<std::uint32_t>::max());
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::optional<Decimal> ValueReader::decimal(const YamlNode& node, std::string_view name) const {
  if (!is_scalar(node, name, "a number")) return std::nullopt;
  Parsed<Decimal> parsed = parse_decimal(node.text);
  if (!parsed.value) {
    fail(node, name, describe(node) + " " + parsed.problem);
  } else if (node.style == YamlNode::Style::quoted) {
    fail(node, name, describe(node) + " is a text; write the number without quotes");
    return std::nullopt;
  }
  return parsed.value;
}

std::optional<bool> ValueReader::truth(const YamlNode& node, std::string_view name) const {
  if (node.is_scalar() && node.style == YamlNode::Style::plain) {
    if (node.text == "true") return true;
    if (node.text == "false") return false;
  }
  fail(node, name, "is " + describe(node) + "; true or false is needed");
  return std::nullopt;
}

void ValueReader::fail_choice(const YamlNode& node, std::string_view name,
                              std::span<const std::string_view> known) const {
  fail(node, name, "is " + describe(node) + "; " + known_names(node.is_scalar() ? node.text : "", known));
}

const YamlNode* ValueReader::list(const YamlNode& node, std::string_view name) const {
  if (node.is_sequence()) return &node;
  fail(node, name, "is " + describe(node) + "; a list is needed");
  return nullptr;
}

const YamlNode* ValueReader::mapping(const YamlNode& node, std::string_view name) const {
  if (node.is_mapping()) return &node;
  fail(node, name, "is " + describe(node) + "; a mapping is needed");
  return nullptr;
}

std::string double_quoted(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += "\\x";
      result += hex[byte >> 4U];
      result += hex[byte & 0xFU];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string block_text(const YamlNode& root) {
  const YamlValue value(root);
  return root.is_scalar() || value.is_empty() ? value.line() + "\n" : value.block();
}

std::string flow_text(const YamlNode& node) {
  if (node.is_scalar()) return node.text;
  std::string text;
  for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(item);
  for (const YamlEntry& entry : node.entries)
    text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(entry.value);
  return node.is_sequence() ? "[" + text + "]" : "{" + text + "}";
}

}  // namespace gdsim
