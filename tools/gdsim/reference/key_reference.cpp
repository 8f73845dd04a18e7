#include "reference/key_reference.hpp"
#include <gdsim/base/check.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace gdsim::cli {
namespace {

/// A schema. JSON is YAML, so that the reader of YAML reads it.
struct Schema {
  explicit Schema(std::string_view name, std::string_view text) : source(std::string(name), std::string(text)) {
    Diagnostics problems;
    auto read = read_yaml(source, problems);
    GDSIM_CHECK(read && problems.empty(), "a built-in schema cannot be read");
    root = std::move(*read);
  }

  SourceText source;
  YamlNode root;
};

std::string text_of(const YamlNode& node, std::string_view key) {
  const YamlNode* value = node.find(key);
  return value != nullptr && value->is_scalar() ? value->text : "";
}

std::string with_commas(std::string digits) {
  if (digits.find_first_not_of("0123456789") != std::string::npos) return digits;
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

/// Quotes texts in which a colon or a comma would end the value.
YamlNode quoted_where_needed(YamlNode node) {
  if (node.is_scalar() && node.text.find(": ") != std::string::npos) node.text = "\"" + node.text + "\"";
  for (YamlNode& item : node.items) item = quoted_where_needed(std::move(item));
  for (YamlEntry& entry : node.entries) entry.value = quoted_where_needed(std::move(entry.value));
  return node;
}

/// Reads the keys of two schemas that refer to each other.
class KeyCollector {
 public:
  KeyCollector()
      : scenario_("scenario.schema.json", scenario_schema_text()),
        device_("device.schema.json", device_schema_text()) {}

  std::vector<KeySection> of_scenario() {
    seen_.insert(definition(device_, "device"));
    add_section("", scenario_.root, scenario_);
    return std::move(sections_);
  }

  std::vector<KeySection> of_device() {
    add_section("", *definition(device_, "device"), device_);
    return std::move(sections_);
  }

 private:
  struct Place {
    const YamlNode* node = nullptr;
    const Schema* schema = nullptr;  ///< the schema that `#` refers to
  };

  static const YamlNode* definition(const Schema& schema, std::string_view name) {
    return schema.root.find("definitions")->find(name);
  }

  /// Returns the target of a `$ref`, or the node itself.
  Place resolved(const YamlNode& node, const Schema& schema) const {
    const YamlNode* reference = node.find("$ref");
    if (reference == nullptr) return {&node, &schema};
    const std::string& path = reference->text;
    const Schema& target = path.starts_with("#") ? schema : device_;
    const YamlNode* found = definition(target, path.substr(path.rfind('/') + 1));
    GDSIM_CHECK(found != nullptr, "a built-in schema refers to nothing");
    return resolved(*found, target);
  }

  void add_section(const std::string& path, const YamlNode& object, const Schema& schema) {
    if (!seen_.insert(&object).second) return;
    const std::size_t index = sections_.size();
    sections_.push_back({path, {}});
    const YamlNode* required = object.find("required");
    for (const YamlEntry& property : object.find("properties")->entries) {
      KeyEntry entry = entry_of(property.key, property.value, schema);
      if (required != nullptr)
        entry.is_required = std::any_of(required->items.begin(), required->items.end(),
                                        [&](const YamlNode& name) { return name.text == property.key; });
      sections_[index].keys.push_back(std::move(entry));
    }
    for (const YamlEntry& property : object.find("properties")->entries)
      add_inner(path.empty() ? property.key : path + "." + property.key, property.value, schema);
  }

  KeyEntry entry_of(const std::string& name, const YamlNode& property, const Schema& schema) const {
    KeyEntry entry{name, text_of(property, "description"), "", "", false};
    std::vector<std::string> words;
    std::optional<std::string> least, most;
    add_allowed(property, schema, words, least, most);
    if (most) words.insert(words.begin(), with_commas(least.value_or("0")) + " to " + with_commas(*most));
    for (const std::string& word : words) entry.allowed += (entry.allowed.empty() ? "" : " | ") + word;
    if (const YamlNode* examples = property.find("examples"); examples != nullptr && !examples->items.empty())
      entry.example = name + ": " + flow_text(quoted_where_needed(examples->items.front()));
    return entry;
  }

  /// Adds the allowed words and narrows the range of a number. Values within this value are left out.
  void add_allowed(const YamlNode& node, const Schema& schema, std::vector<std::string>& words,
                   std::optional<std::string>& least, std::optional<std::string>& most) const {
    const Place place = resolved(node, schema);
    constexpr std::size_t digits_of_no_limit = 19;
    if (const YamlNode* values = place.node->find("enum"))
      for (const YamlNode& value : values->items) words.push_back(value.text);
    if (text_of(*place.node, "type") == "boolean") words.insert(words.end(), {"true", "false"});
    if (const std::string minimum = text_of(*place.node, "minimum"); !minimum.empty()) least = minimum;
    if (const std::string maximum = text_of(*place.node, "maximum");
        !maximum.empty() && maximum.size() < digits_of_no_limit)
      most = maximum;
    for (const char* choice : {"allOf", "anyOf"})
      if (const YamlNode* parts = place.node->find(choice))
        for (const YamlNode& part : parts->items) add_allowed(part, *place.schema, words, least, most);
    // Of a quantity; what stands at the key goes before what the definition says.
    for (const YamlNode* source : {place.node, &node}) {
      if (const std::string text = text_of(*source, "least"); !text.empty()) least = text;
      if (const std::string text = text_of(*source, "most"); !text.empty()) most = text;
    }
  }

  /// Adds the mappings of a value: the value itself, the items of a list, or entries under user-defined names.
  void add_inner(const std::string& path, const YamlNode& value, const Schema& schema) {
    const Place place = resolved(value, schema);
    const YamlNode& node = *place.node;
    if (node.find("properties") != nullptr) add_section(path, node, *place.schema);
    if (const YamlNode* items = node.find("items")) add_inner(path + "[]", *items, *place.schema);
    if (const YamlNode* named = node.find("additionalProperties"); named != nullptr && named->is_mapping())
      add_inner(path + ".NAME", *named, *place.schema);
    const YamlNode* variants = node.find("anyOf");
    if (variants == nullptr) return;
    for (const YamlNode& variant : variants->items) add_inner(path, variant, *place.schema);
    for (const YamlNode& variant : variants->items) add_word(path, variant);
  }

  /// Adds a word that may replace a mapping to the keys of that mapping.
  void add_word(const std::string& path, const YamlNode& variant) {
    const std::string word = text_of(variant, "const");
    if (word.empty()) return;
    const auto section =
        std::find_if(sections_.begin(), sections_.end(), [&](const KeySection& one) { return one.path == path; });
    if (section != sections_.end()) section->keys.push_back({word, text_of(variant, "description"), "", word, false});
  }

  Schema scenario_;
  Schema device_;
  std::set<const YamlNode*> seen_;
  std::vector<KeySection> sections_;
};

}  // namespace

std::vector<KeySection> scenario_keys() { return KeyCollector().of_scenario(); }

std::vector<KeySection> device_keys() { return KeyCollector().of_device(); }

}  // namespace gdsim::cli
