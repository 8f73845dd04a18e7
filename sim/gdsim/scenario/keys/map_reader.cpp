#include <gdsim/scenario/keys/map_reader.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/synonyms.hpp>

#include <string>

namespace gdsim {

void require_plain_name(std::string_view name, std::string_view what, const SourceMark& where, Diagnostics& problems) {
  if (!begins_as_formula(name)) return;
  problems.add(where, std::string(what) + ": " + in_quotes(name) +
                          " begins as a formula does in a spreadsheet that opens the tables (= + - @, tab, carriage "
                          "return); begin it with a letter, a digit or '_'");
}

MapReader::MapReader(const YamlNode& node, std::string_view name, const MappingKeys& known, const ValueReader& values,
                     std::string_view lacking)
    : node_(node), name_(name), known_(known), values_(values) {
  if (values_.mapping(node, name) == nullptr) return;
  for (const YamlEntry& entry : node.entries) {
    if (known.contains(entry.key)) continue;
    std::string hint = foreign_key_hint(entry, node, known, lacking);
    if (hint.empty()) hint = did_you_mean(entry.key, known);
    values_.problems().add(entry.key_mark,
                           std::string(name) + ": unknown key " + describe(entry.key_node()) + ";" +
                               (hint.empty() ? "" : hint + ";") + " known: " + join(known),
                           kUnknownKey);
  }
}

const YamlNode* MapReader::require(std::string_view key) const {
  const YamlNode* value = find(key);
  if (value == nullptr && node_.is_mapping())
    values_.problems().add(node_.mark, std::string(name_) + ": the key " + in_quotes(key) + " is missing");
  return value;
}

}  // namespace gdsim
