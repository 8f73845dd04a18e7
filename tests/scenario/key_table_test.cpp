#include "scenario/schemas.hpp"
#include "support/scenarios.hpp"

#include <reference/key_reference.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// The table of keys and the readers agree: every key that the schemas list is read, where they say, up to the largest
// value that they give.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Contains;
using gdsim::cli::KeyEntry;
using gdsim::cli::KeySection;
using nlohmann::json;

namespace {

/// Stands in a document where a value is tried.
const std::string kHere = "@";

struct Key {
  std::string root;  ///< where its file stands in a scenario: `device`, or nothing
  const std::vector<KeySection>* sections;
  const KeySection* section;
  const KeyEntry* entry;

  std::string path() const { return section->path + "." + entry->name; }
};

json scenario() {
  return {{"scenario", "S"},
          {"device", {{"base", "tiny"}, {"memory", {{"levels", {{{"name", "M"}}}}}}}},
          {"kernels", {{"k", {{"global", 8}, {"local", 8}, {"sub_group", 8}, {"program", {{{"compute", "1 us"}}}}}}}},
          {"launches", {{{"kernel", "k"}}}}};
}

json on_two_devices() {
  json document = scenario();
  document.erase("device");
  document["devices"] = {{"a", {{"base", "tiny"}}}, {"b", {{"base", "tiny"}}}};
  document["links"] = {{{"between", {"a", "b"}}, {"bandwidth", "1 GB/s"}, {"latency", "1 us"}}};
  document["launches"][0]["device"] = "a";
  return document;
}

/// Gives a mapping the keys that it cannot do without, with the values of their examples.
void complete(json& mapping, const std::string& path, const std::vector<KeySection>& sections) {
  for (const KeySection& section : sections)
    for (const KeyEntry& entry : section.keys)
      if (section.path == path && entry.is_required && !mapping.contains(entry.name))
        mapping[entry.name] = json_of_text(entry.example)[entry.name];
}

/// Returns the mapping at a path such as `kernels.NAME.program[].issue`. What is missing on the way is made; a step and
/// the work of a launch stand alone.
json& mapping_at(json& root, const std::string& path, const std::vector<KeySection>& sections) {
  json* place = &root;
  std::istringstream parts(path);
  std::string walked;
  for (std::string part; std::getline(parts, part, '.');) {
    walked += (walked.empty() ? "" : ".") + part;
    const bool is_list = part.ends_with("[]");
    if (is_list) part.resize(part.size() - 2);
    if (part == "NAME") part = place->empty() ? "k" : place->begin().key();
    const bool is_work = part == "collective" || (part == "copy" && walked.starts_with("launches"));
    if (is_work || place->contains("compute")) place->clear();
    json& child = (*place)[part];
    if (is_list && !child.is_array()) child = json::array({json::object()});
    if (is_list && !child[0].is_object()) child[0] = json::object();
    if (!is_list && !child.is_object()) child = json::object();
    place = is_list ? &child[0] : &child;
    if (!walked.ends_with("program[]")) complete(*place, walked, sections);
  }
  return *place;
}

/// A scenario in which `kHere` is the value of the key.
json document_with(const Key& key) {
  const std::string path = key.path();
  const bool needs_two = key.root.empty() && (path.starts_with("links") || path.find("collective") != path.npos ||
                                              path == ".devices" || path == "launches[].device" ||
                                              path == "launches[].copy.from" || path == "launches[].copy.to");
  json document = needs_two ? on_two_devices() : scenario();
  json& root = key.root.empty() ? document : document[key.root];
  json& mapping = mapping_at(root, key.section->path, *key.sections);
  if (key.section->path == "kernels.NAME.program[]") mapping.clear();
  if (path.starts_with("modes.")) document["kernels"]["k"]["mode"] = "k";
  if (path == "expect[].within" || path == "expect[].source" || path == "expect[].status") mapping["duration"] = "1 us";
  mapping[key.entry->name] = kHere;
  return document;
}

/// Keys of models whose values are read where others use them: a partition, a mode, a file of
/// terms, a device that copies. Only the names of these keys are tried here.
bool is_read_elsewhere(const Key& key) {
  static const std::set<std::string> paths{"defaults.copy.engines",
                                           "modes.NAME.sources",
                                           "partitions.NAME.atomics",
                                           "partitions.NAME.copy",
                                           "partitions.NAME.core_groups",
                                           "partitions.NAME.dispatch",
                                           "terms.terms"};
  return !key.root.empty() && paths.contains(key.path());
}

/// Returns what the reader says of the lines of the value, which replaces `kHere`.
std::string problems_at(const json& document, const std::string& value) {
  std::string text = document.dump(1);
  const std::size_t at = text.find("\"" + kHere + "\"");
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  text.replace(at, kHere.size() + 2, value);
  const auto last = line + std::count(value.begin(), value.end(), '\n');
  std::istringstream problems(read_text(text).problems);
  std::string found;
  for (std::string problem; std::getline(problems, problem);)
    if (const auto place = std::stol(problem); place >= line && place <= last) found += problem + "\n";
  return found;
}

std::vector<Key> all_keys() {
  static const std::vector<KeySection> scenario = cli::scenario_keys(), device = cli::device_keys();
  std::vector<Key> keys;
  for (const KeySection& section : scenario)
    for (const KeyEntry& entry : section.keys) keys.push_back({"", &scenario, &section, &entry});
  for (const KeySection& section : device)
    for (const KeyEntry& entry : section.keys) keys.push_back({"device", &device, &section, &entry});
  return keys;
}

/// Of cores, launches or work-groups, more than these take seconds to be made.
constexpr std::uint64_t kQuicklyRead = 10'000;

/// The largest value that the reference gives for a number or a quantity, or 0.
struct Largest {
  std::uint64_t number = 0;
  std::string unit;  ///< with the space before it; empty for a number

  std::string value(std::uint64_t more) const {
    const std::string text = std::to_string(number + more) + unit;
    return unit.empty() ? text : "\"" + text + "\"";
  }
};

Largest largest(const KeyEntry& entry) {
  std::string range = entry.allowed.substr(0, entry.allowed.find(" | "));
  const std::size_t to = range.find(" to ");
  if (to == std::string::npos) return {};
  range.erase(0, to + 4);
  range.erase(std::remove(range.begin(), range.end(), ','), range.end());
  std::size_t digits = 0;
  const std::uint64_t number = std::stoull(range, &digits);
  return {number, range.substr(digits)};
}

}  // namespace

TEST_CASE("every key that the table lists is read: nonsense in its place is refused there") {
  const std::string nonsense = "[\n{\"nonsense\": \"here\"}\n]";
  for (const Key& key : all_keys()) {
    INFO(key.root << " " << key.path());
    CHECK(problems_at(document_with(key), nonsense).empty() == is_read_elsewhere(key));
  }
}

TEST_CASE("the largest value of each number is that of the table: one more is refused") {
  std::size_t numbers = 0, quantities = 0;
  for (const Key& key : all_keys()) {
    const Largest max = largest(*key.entry);
    if (max.number == 0) continue;
    INFO(key.root << " " << key.path());
    const json document = document_with(key);
    if (!is_read_elsewhere(key)) CHECK_FALSE(problems_at(document, max.value(1)).empty());
    ++(max.unit.empty() ? numbers : quantities);
    if (max.unit.empty() && max.number > kQuicklyRead) continue;
    // Other rules may stand against so large a value, but not its range.
    const std::string problems = problems_at(document, max.value(0));
    CHECK_THAT(problems, !Contains("too large") && !Contains("it must be from") && !Contains("is more than 1"));
  }
  CHECK(numbers > 60);
  CHECK(quantities > 30);
}
