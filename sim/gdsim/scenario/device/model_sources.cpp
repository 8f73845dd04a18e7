#include <gdsim/scenario/device/models.hpp>

#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace gdsim {
namespace {

constexpr std::array<std::string_view, 8> kWords{"device", "kind", "name",    "vendor",
                                                 "terms",  "base", "sources", "alternatives"};

bool is_word(std::string_view key) { return std::find(kWords.begin(), kWords.end(), key) != kWords.end(); }

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

std::string below(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

/// Returns the name of a list entry in paths.
std::string entry_name(const YamlNode& item, std::size_t number) {
  const YamlNode* name = item.find("name");
  return name != nullptr && name->is_scalar() ? name->text : std::to_string(number);
}

bool has_mappings(const YamlNode& list) {
  return std::any_of(list.items.begin(), list.items.end(), [](const YamlNode& item) { return item.is_mapping(); });
}

void add_leaves(const YamlNode& node, const std::string& path, const std::string& by_number,
                std::vector<ModelLeaf>& leaves) {
  if (node.is_mapping()) {
    for (const YamlEntry& entry : node.entries)
      if (entry.key != "name" && entry.key != "terms")
        add_leaves(entry.value, below(path, entry.key), below(by_number, entry.key), leaves);
  } else if (node.is_sequence() && has_mappings(node)) {
    for (std::size_t i = 0; i < node.items.size(); ++i)
      add_leaves(node.items[i], below(path, entry_name(node.items[i], i)), below(by_number, std::to_string(i)), leaves);
  } else {
    leaves.push_back({path, by_number, &node});
  }
}

/// Returns true if one of the inner parts of `path` is `key`.
bool has_inner_part(std::string_view path, std::string_view key) {
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const std::string_view rest = path.substr(dot + 1);
    if (is_at_or_below(rest, key)) return true;
  }
  return false;
}

bool speaks_for(const YamlNode& model, const std::string& key, const ModelLeaf& leaf) {
  if (is_at_or_below(leaf.path, key) || is_at_or_below(leaf.path_by_number, key)) return true;
  return key.find('.') == std::string::npos && model.find(key) == nullptr && has_inner_part(leaf.path, key);
}

/// Returns the value of `base` under a key of the mapping that is merged over it, and its name in paths.
std::pair<const YamlNode*, std::string> inner_of(const YamlNode* base, const std::string& key) {
  if (base == nullptr) return {nullptr, key};
  if (base->is_mapping()) return {base->find(key), key};
  const auto number = entry_number(key);
  if (!base->is_sequence() || !number || *number >= base->items.size()) return {nullptr, key};
  return {&base->items[*number], entry_name(base->items[*number], *number)};
}

/// The paths, as `base` names them, of all values that `over` replaces or adds.
void add_replaced(const YamlNode& over, const YamlNode* base, const std::string& path,
                  std::vector<ModelLeaf>& replaced) {
  if (!over.is_mapping()) {
    replaced.push_back({path, path, &over});
    return;
  }
  for (const YamlEntry& entry : over.entries) {
    if (path.empty() && is_word(entry.key)) continue;
    // Sources of the whole device do not apply to its partitions. A clock is replaced as a whole.
    if (path.empty() && (entry.key == "partitions" || entry.key == "clock")) {
      replaced.push_back({entry.key, entry.key, &entry.value});
      continue;
    }
    const auto [inner, name] = inner_of(base, entry.key);
    add_replaced(entry.value, inner, below(path, name), replaced);
  }
}

}  // namespace

bool ModelLeaf::is_number() const {
  const auto numeric = [](const YamlNode& node) {
    return node.is_scalar() && !node.text.empty() && std::isdigit(static_cast<unsigned char>(node.text[0])) != 0;
  };
  return numeric(*value) || (value->is_sequence() && std::any_of(value->items.begin(), value->items.end(), numeric));
}

std::vector<ModelLeaf> model_leaves(const YamlNode& model) {
  std::vector<ModelLeaf> leaves;
  for (const YamlEntry& entry : model.entries)
    if (!is_word(entry.key)) add_leaves(entry.value, entry.key, entry.key, leaves);
  return leaves;
}

bool is_at_or_below(std::string_view path, std::string_view above) {
  if (path.size() < above.size() || (path.size() > above.size() && path[above.size()] != '.')) return false;
  return std::equal(above.begin(), above.end(), path.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

const YamlEntry* source_of(const YamlNode& model, const ModelLeaf& leaf) {
  const YamlNode* sources = model.find("sources");
  if (sources == nullptr) return nullptr;
  const YamlEntry* best = nullptr;
  const auto depth = [&](const YamlEntry& source) {
    const bool is_short = model.find(source.key) == nullptr && source.key.find('.') == std::string::npos;
    return (is_short ? 1 : 0) + std::count(source.key.begin(), source.key.end(), '.');
  };
  for (const YamlEntry& source : sources->entries)
    if (speaks_for(model, source.key, leaf) && (best == nullptr || depth(source) > depth(*best))) best = &source;
  return best;
}

void drop_sources(YamlNode& base, const YamlNode& over) {
  std::vector<ModelLeaf> replaced;
  add_replaced(over, &base, "", replaced);
  if (YamlNode* alternatives = base.find("alternatives"))
    std::erase_if(alternatives->entries, [&](const YamlEntry& entry) {
      return std::any_of(replaced.begin(), replaced.end(), [&](const ModelLeaf& leaf) {
        return is_at_or_below(entry.key, leaf.path) || is_at_or_below(leaf.path, entry.key);
      });
    });
  YamlNode* sources = base.find("sources");
  if (sources == nullptr) return;
  const YamlNode* own = over.find("sources");
  const auto has_own = [&](const ModelLeaf& leaf, const std::string& above) {
    return own != nullptr && std::any_of(own->entries.begin(), own->entries.end(), [&](const YamlEntry& source) {
             return speaks_for(base, source.key, leaf) && !is_at_or_below(above, source.key);
           });
  };
  std::erase_if(sources->entries, [&](const YamlEntry& source) {
    return std::any_of(replaced.begin(), replaced.end(), [&](const ModelLeaf& leaf) {
      const bool is_inner_key = base.find(source.key) == nullptr && leaf.path.ends_with("." + source.key);
      if (is_at_or_below(source.key, leaf.path) || is_inner_key) return true;
      return speaks_for(base, source.key, leaf) && !has_own(leaf, source.key);
    });
  });
}

FigureSource figure_source(const YamlNode& source) {
  const auto value_of = [&](std::string_view key) {
    const YamlNode* value = source.find(key);
    return value != nullptr ? value->text : std::string();
  };
  FigureSource read{source.is_mapping() ? value_of("text") : source.text};
  if (value_of("verified") == "false") read.text.insert(0, "not verified: ");
  if (value_of("assumed") == "true") read.text += ". ASSUMED";
  if (value_of("extrapolated") == "true") read.text += ". EXTRAPOLATED";
  if (const std::string conflict = value_of("conflict"); !conflict.empty()) read.text += ". CONFLICT: " + conflict;
  const auto has = [&](std::string_view mark) { return read.text.find(mark) != std::string::npos; };
  read.is_verified = !read.text.starts_with("not verified");
  read.is_assumed = has("ASSUMED");
  read.is_extrapolated = has("EXTRAPOLATED");
  return read;
}

}  // namespace gdsim
