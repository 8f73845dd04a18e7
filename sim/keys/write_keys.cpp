#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Writes the table of keys, a C++ header, from the JSON Schemas of device models and scenarios. It runs while gdsim is
// built, before the library is compiled.
//
// A mapping is named after the definition that it stands in and the keys that lead to it: `kDispatchBatch`.

namespace {

/// A value of a JSON text. Members keep their order; numbers are texts.
struct Json {
  char type = '?';  // { [ " or the first letter of a number or a literal
  std::string text;
  std::string name;  ///< of a member of an object; items of a list have none
  std::vector<Json> members;

  const Json* find(const std::string& wanted) const {
    for (const Json& member : members)
      if (type == '{' && member.name == wanted) return &member;
    return nullptr;
  }
  std::string text_of(const std::string& wanted) const {
    const Json* value = find(wanted);
    return value != nullptr ? value->text : std::string();
  }
};

/// Reads JSON whose strings have no escapes but of single characters.
class JsonReader {
 public:
  explicit JsonReader(std::string text) : text_(std::move(text)) {}

  Json read() {
    Json value;
    value.type = next();
    if (value.type == '{' || value.type == '[')
      read_members(value);
    else if (value.type == '"')
      value.text = read_string();
    else
      while (at_ < text_.size() && std::string(",]} \n").find(text_[at_]) == std::string::npos)
        value.text += text_[at_++];
    return value;
  }

 private:
  /// Returns the next character that is no space; takes it only if it belongs to no number and no literal.
  char next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == text_.size()) throw std::runtime_error("the schema ends too early");
    const char c = text_[at_];
    if (std::string("{}[]\":,").find(c) != std::string::npos) ++at_;
    return c;
  }

  std::string read_string() {
    std::string text;
    for (; text_.at(at_) != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      text += text_.at(at_);
    }
    ++at_;
    return text;
  }

  void read_members(Json& value) {
    const char end = value.type == '{' ? '}' : ']';
    for (char c = next(); c != end; c = next()) {
      if (c == ',') c = next();
      if (value.type == '{') {
        std::string name = read_string();
        if (next() != ':') throw std::runtime_error("the schema has no colon behind " + name);
        value.members.push_back(read());
        value.members.back().name = std::move(name);
      } else {
        // What next() has taken belongs to the item; a number or a literal was not taken.
        if (std::string("{[\"").find(c) != std::string::npos) --at_;
        value.members.push_back(read());
      }
    }
  }

  std::string text_;
  std::size_t at_ = 0;
};

/// The least and the largest value of a whole number.
struct Bounds {
  std::uint64_t min = 0;
  std::uint64_t max = std::numeric_limits<std::int64_t>::max();
};

/// The keys of a mapping, in their order.
using Mapping = std::vector<std::pair<std::string, Bounds>>;

std::string camel(const std::string& name) {
  std::string text;
  bool begins = true;
  for (const char c : name) {
    if (c != '_') text += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return text;
}

/// The mappings of schemas, in the order of the files.
class Table {
 public:
  void add(const Json& schema, const std::string& root) {
    const Json& definitions = *schema.find("definitions");
    definitions_ = &definitions;
    if (schema.find("properties") != nullptr) visit(schema, root);
    for (const Json& definition : definitions.members) visit(definition, camel(definition.name));
    collect_words(schema);
  }

  void write(std::ostream& out) const {
    out << "#pragma once\n\n#include <gdsim/scenario/keys/mapping_keys.hpp>\n\n#include <array>\n\n"
        << "// Written by sim/keys/write_keys.cpp from models/device.schema.json and scenarios/scenario.schema.json: "
        << "change these.\n\n/// Every key of scenario and device files, by its mapping.\nnamespace gdsim::keys {\n\n";
    std::set<std::string> names;
    for (const auto& [name, mapping] : mappings_) {
      write_mapping(out, name, mapping);
      for (const auto& [key, bounds] : mapping) names.insert(key);
    }
    out << "/// The names of all keys, and the words that may stand as values.\n";
    write_texts(out, "kAllNames", names);
    write_texts(out, "kAllWords", words_);
    out << "\n}  // namespace gdsim::keys\n";
  }

 private:
  template <class Texts>
  static void write_texts(std::ostream& out, const std::string& name, const Texts& texts) {
    out << "inline constexpr std::array<std::string_view, " << texts.size() << "> " << name << "{\n";
    for (const std::string& text : texts) out << "    \"" << text << "\",\n";
    out << "};\n";
  }

  static void write_mapping(std::ostream& out, const std::string& name, const Mapping& mapping) {
    std::vector<std::string> names;
    for (const auto& [key, bounds] : mapping) names.push_back(key);
    write_texts(out, "k" + name + "Names", names);
    out << "inline constexpr std::array<WholeRange, " << mapping.size() << "> k" << name << "Ranges{{\n";
    for (const auto& [key, bounds] : mapping) out << "    {" << bounds.min << "U, " << bounds.max << "U},\n";
    out << "}};\ninline constexpr MappingKeys k" << name << "{k" << name << "Names, k" << name << "Ranges};\n\n";
  }

  /// Adds the mappings of a value: itself, its variants, its items, what stands under names of a user's.
  void visit(const Json& value, const std::string& name) {
    if (const Json* properties = value.find("properties")) {
      Mapping mapping;
      for (const Json& property : properties->members) mapping.emplace_back(property.name, bounds_of(property));
      if (!names_.insert(name).second) throw std::runtime_error("two mappings are called " + name);
      mappings_.emplace_back(name, std::move(mapping));
      for (const Json& property : properties->members) visit(property, name + camel(property.name));
    }
    for (const char* part : {"items", "additionalProperties"})
      if (const Json* inner = value.find(part)) visit(*inner, name);
    if (const Json* variants = value.find("anyOf")) visit_variants(*variants, name);
  }

  /// A word that can stand in the place of a mapping counts as a key of it, as `- fence` in a program.
  void visit_variants(const Json& variants, const std::string& name) {
    const std::size_t first = mappings_.size();
    for (const Json& variant : variants.members) visit(variant, name);
    if (first == mappings_.size()) return;
    for (const Json& variant : variants.members)
      if (const std::string word = variant.text_of("const"); !word.empty())
        mappings_[first].second.emplace_back(word, Bounds{});
  }

  /// Returns the bounds of a whole number, alone, in a list, or under names.
  Bounds bounds_of(const Json& value) const {
    Bounds bounds;
    narrow(value, bounds);
    return bounds;
  }

  void narrow(const Json& value, Bounds& bounds) const {
    const std::string reference = value.text_of("$ref");
    if (reference.starts_with("#"))
      if (const Json* target = definitions_->find(reference.substr(reference.rfind('/') + 1))) narrow(*target, bounds);
    if (value.text_of("type") != "number") {
      if (const Json* min = value.find("minimum"))
        bounds.min = std::max<std::uint64_t>(bounds.min, std::stoull(min->text));
      if (const Json* max = value.find("maximum"))
        bounds.max = std::min<std::uint64_t>(bounds.max, std::stoull(max->text));
    }
    if (value.find("properties") != nullptr) return;
    for (const char* part : {"items", "additionalProperties"})
      if (const Json* inner = value.find(part)) narrow(*inner, bounds);
    for (const char* part : {"allOf", "anyOf"})
      if (const Json* parts = value.find(part))
        for (const Json& inner : parts->members) narrow(inner, bounds);
  }

  void collect_words(const Json& value) {
    for (const Json& inner : value.members) {
      if (inner.name == "const" && inner.type == '"') words_.insert(inner.text);
      if (inner.name == "enum")
        for (const Json& word : inner.members)
          if (word.type == '"') words_.insert(word.text);
      if (inner.name != "examples") collect_words(inner);
    }
  }

  const Json* definitions_ = nullptr;
  std::vector<std::pair<std::string, Mapping>> mappings_;
  std::set<std::string> names_;
  std::set<std::string> words_;
};

Json read_schema(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(std::string(path) + " cannot be read");
  return JsonReader(text.str()).read();
}

}  // namespace

/// `write_keys DEVICE_SCHEMA SCENARIO_SCHEMA HEADER`.
int main(int count, char** arguments) {
  if (count != 4) return 2;
  try {
    Table table;
    const Json device = read_schema(arguments[1]);
    const Json scenario = read_schema(arguments[2]);
    table.add(device, "Device");
    table.add(scenario, "Scenario");
    std::ofstream header(arguments[3]);
    table.write(header);
    header.flush();
    return header ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_keys: %s\n", error.what());
    return 1;
  }
}
