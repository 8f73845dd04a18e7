#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Writes the table of keys, a C++ header and its source file, from the JSON Schemas of device models and scenarios. It
// runs while gdsim is built, before the library is compiled.
//
// A mapping is named after the definition that it stands in and the keys that lead to it: `kDispatchBatch`. `least` and
// `most` are the range of a quantity, `"most": "1 s"`; those of a key go before those of its definition. What a device
// must have once the keys of its base are there stands under `required_after_base`, or in the last variant of `anyOf`.

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

/// What the schema says of a key, see KeyFacts.
struct Facts {
  std::string name;
  std::uint64_t min = 0;
  std::uint64_t max = std::numeric_limits<std::int64_t>::max();
  std::string example;
  std::string inner;  ///< the name of the mapping that its value is; empty: none
  bool is_required = false;
  bool may_be_unlimited = false;
};

/// The keys of a mapping, in their order.
using Mapping = std::vector<Facts>;

/// Returns the number of the smallest units in a quantity such as `1 TiB`.
std::uint64_t count_of(const std::string& quantity) {
  static const std::map<std::string, std::uint64_t> units{{"ps", 1},
                                                          {"s", 1'000'000'000'000},
                                                          {"B", 1},
                                                          {"KiB", 1 << 10},
                                                          {"GiB", 1 << 30},
                                                          {"B/s", 1},
                                                          {"TB/s", 1'000'000'000'000},
                                                          {"Hz", 1},
                                                          {"GHz", 1'000'000'000},
                                                          {"uW", 1},
                                                          {"MW", 1'000'000'000'000}};
  std::size_t digits = 0;
  const std::uint64_t number = std::stoull(quantity, &digits);
  return number * units.at(quantity.substr(digits + 1));
}

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
  }

  void write_header(std::ostream& out) const {
    out << "#pragma once\n\n#include <gdsim/base/mapping_keys.hpp>\n\n"
        << kOrigin << "/// Every key of scenario and device files, by its mapping.\nnamespace gdsim::keys {\n\n";
    for (const auto& [name, mapping] : mappings_) out << "extern const MappingKeys k" << name << ";\n";
    out << "\n}  // namespace gdsim::keys\n";
  }

  void write_source(std::ostream& out) const {
    out << "#include <gdsim/base/keys.hpp>\n\n" << kOrigin << "namespace gdsim::keys {\n\n";
    for (const auto& [name, mapping] : mappings_) write_mapping(out, name, mapping);
    out << "}  // namespace gdsim::keys\n";
  }

 private:
  static constexpr const char* kOrigin =
      "// Written by sim/keys/write_keys.cpp from models/device.schema.json and scenarios/scenario.schema.json: "
      "change these.\n\n";

  void write_mapping(std::ostream& out, const std::string& name, const Mapping& mapping) const {
    out << "static constexpr std::string_view " << name << "Names[]{\n";
    for (const Facts& key : mapping) out << "    \"" << key.name << "\",\n";
    out << "};\nstatic constexpr KeyFacts " << name << "Facts[]{\n";
    for (const Facts& key : mapping)
      out << "    {{" << key.min << "U, " << key.max << "U}, \"" << key.example << "\", "
          << (names_.contains(key.inner) ? "&k" + key.inner : "nullptr") << ", " << key.is_required << ", "
          << key.may_be_unlimited << "},\n";
    out << "};\nconst MappingKeys k" << name << "{" << name << "Names, " << name << "Facts};\n\n";
  }

  /// Adds the mappings of a value: itself, its variants, its items, what stands under names of a user's.
  void visit(const Json& value, const std::string& name) {
    if (const Json* properties = value.find("properties")) {
      Mapping mapping;
      for (const Json& property : properties->members)
        mapping.push_back(facts_of(property, value, name + camel(property.name)));
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
        mappings_[first].second.emplace_back().name = word;
  }

  static const Json* last_required(const Json& mapping) {
    const Json* variants = mapping.find("anyOf");
    return variants != nullptr ? variants->members.back().find("required") : nullptr;
  }

  /// Returns what `mapping` says of one of its keys. `name` is that of the mapping that may stand at the key.
  Facts facts_of(const Json& key, const Json& mapping, const std::string& name) const {
    Facts facts;
    facts.name = key.name;
    facts.inner = name_of_mapping(key, name);
    narrow(key, facts);
    for (const Json* list : {mapping.find("required"), mapping.find("required_after_base"), last_required(mapping)})
      if (list != nullptr)
        for (const Json& one : list->members) facts.is_required |= one.text == key.name;
    if (const Json* examples = key.find("examples"))
      if (const std::string& text = examples->members.front().text; text.find('"') == std::string::npos)
        facts.example = text.empty() ? text : key.name + ": " + text;
    return facts;
  }

  /// Returns the name of the mapping that a value is, or that its items are: of those that it may be, the first.
  std::string name_of_mapping(const Json& value, const std::string& name) const {
    if (value.find("properties") != nullptr) return name;
    if (const std::string reference = value.text_of("$ref"); !reference.empty()) {
      const std::string definition = reference.substr(reference.rfind('/') + 1);
      const Json* target = definitions_->find(definition);
      return target != nullptr ? name_of_mapping(*target, camel(definition)) : camel(definition);
    }
    for (const char* part : {"items", "additionalProperties"})
      if (const Json* inner = value.find(part))
        if (const std::string found = name_of_mapping(*inner, name); !found.empty()) return found;
    if (const Json* variants = value.find("anyOf"))
      for (const Json& variant : variants->members)
        if (const std::string found = name_of_mapping(variant, name); !found.empty()) return found;
    return {};
  }

  /// Narrows the range of a number or a quantity, alone, in a list, or under names.
  void narrow(const Json& value, Facts& facts) const {
    const std::string reference = value.text_of("$ref");
    if (reference.starts_with("#"))
      if (const Json* target = definitions_->find(reference.substr(reference.rfind('/') + 1))) narrow(*target, facts);
    if (value.text_of("type") != "number") {
      if (const Json* min = value.find("minimum"))
        facts.min = std::max<std::uint64_t>(facts.min, std::stoull(min->text));
      if (const Json* max = value.find("maximum"))
        facts.max = std::min<std::uint64_t>(facts.max, std::stoull(max->text));
    }
    if (const Json* words = value.find("enum"))
      for (const Json& word : words->members) facts.may_be_unlimited |= word.text == "unlimited";
    if (value.find("properties") != nullptr) return;
    for (const char* part : {"items", "additionalProperties"})
      if (const Json* inner = value.find(part)) narrow(*inner, facts);
    for (const char* part : {"allOf", "anyOf"})
      if (const Json* parts = value.find(part))
        for (const Json& inner : parts->members) narrow(inner, facts);
    if (const Json* least = value.find("least")) facts.min = count_of(least->text);
    if (const Json* most = value.find("most")) facts.max = count_of(most->text);
  }

  const Json* definitions_ = nullptr;
  std::vector<std::pair<std::string, Mapping>> mappings_;
  std::set<std::string> names_;
};

Json read_schema(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(std::string(path) + " cannot be read");
  return JsonReader(text.str()).read();
}

}  // namespace

/// `write_keys DEVICE_SCHEMA SCENARIO_SCHEMA HEADER SOURCE`.
int main(int count, char** arguments) {
  if (count != 5) return 2;
  try {
    Table table;
    const Json device = read_schema(arguments[1]);
    const Json scenario = read_schema(arguments[2]);
    table.add(device, "Device");
    table.add(scenario, "Scenario");
    std::ofstream header(arguments[3]), source(arguments[4]);
    table.write_header(header);
    table.write_source(source);
    return header.flush() && source.flush() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_keys: %s\n", error.what());
    return 1;
  }
}
