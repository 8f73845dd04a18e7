#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// A value that is to be written as YAML: a scalar, a list or a mapping. A list or a mapping stands in one line, or has
/// a line for each of its members, with comments. What is written reads back as the same value.
///
///     YamlValue kernel;
///     kernel.entry("local", 256).entry("slm", "4 KiB", "as the file says");
///     kernel.entry("program", YamlValue().item(YamlValue::word("barrier")));
class YamlValue {
 public:
  /// An empty mapping, or list, that gets a line for each member.
  YamlValue() = default;
  /// The value of a document that was read.
  explicit YamlValue(const YamlNode& node);
  /// A number.
  template <std::unsigned_integral Number>
  YamlValue(Number number) : YamlValue(word(std::to_string(number))) {}

  /// A number with its unit, a word of gdsim's, an expression: what is written without quotes. In quotes all the same
  /// if it would not read back.
  static YamlValue word(std::string text);
  /// A size, `64 B`.
  static YamlValue bytes(std::uint64_t count) { return word(std::to_string(count) + " B"); }
  /// A text, such as a name, in quotes.
  static YamlValue text(std::string text);
  /// What a line of YAML says, such as `{engines: 1}`; the caller must know that it is YAML.
  static YamlValue read(std::string line);
  /// A list, or a mapping, in one line.
  static YamlValue list_in_line(std::vector<YamlValue> items);
  static YamlValue in_line();

  /// Adds an entry to a mapping. The remark is a comment behind it, in one line: line ends and control
  /// characters are escaped. Keys that are names of a
  /// user's are written in quotes, others as they are.
  YamlValue& entry(std::string key, YamlValue value, std::string remark = {});
  YamlValue& named(std::string name, YamlValue value, std::string remark = {});
  /// Adds an item to a list. The remark on a mapping of one entry stands behind this entry.
  YamlValue& item(YamlValue value, std::string remark = {});
  /// Adds all members of another list or mapping.
  YamlValue& append(const YamlValue& more);
  /// Adds a line of comment.
  YamlValue& comment(std::string text);

  bool is_empty() const { return members_.empty(); }
  std::size_t size() const { return members_.size(); }  ///< comments included

  /// Returns the lines of a mapping or a list, each with so many spaces before it.
  std::string block(std::size_t indent = 0) const;
  /// Returns the value in one line, without comments.
  std::string line() const;

  bool operator==(const YamlValue& other) const;

 private:
  enum class Form : std::uint8_t { block, in_line, word, text };
  /// What a member is: an entry of a mapping, an item of a list, or a line of comment among these.
  enum class Role : std::uint8_t { document, entry, item, comment };

  YamlValue& add(Role role, std::string key, YamlValue value, const std::string& remark);
  void put_in_line();
  void write(std::string& out, std::size_t indent, bool is_behind_dash) const;
  void write_behind(std::string& out, std::size_t indent) const;

  Form form_ = Form::block;
  Role role_ = Role::document;
  bool is_list_ = false;
  std::string text_;    ///< of a scalar
  std::string key_;     ///< of an entry, as it is written
  std::string remark_;  ///< the comment behind it, or the line of comment
  std::vector<YamlValue> members_;
};

}  // namespace gdsim
