#include <gdsim/scenario/workload/read_variation.hpp>

#include <gdsim/check/check_kernel.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

using Word = std::string_view;

constexpr std::array<std::pair<Word, Distribution>, 3> kDistributions{
    {{"normal", Distribution::normal}, {"lognormal", Distribution::lognormal}, {"uniform", Distribution::uniform}}};
constexpr std::array<std::pair<Word, DrawPer>, 3> kDrawPer{
    {{"work_group", DrawPer::work_group}, {"thread", DrawPer::thread}, {"launch", DrawPer::launch}}};

/// Reads `1.5`, a factor, or `500 ns`, a duration; its work-group is not set yet.
std::optional<WorkGroupFactor> read_factor(const YamlNode& value, const ValueReader& values) {
  WorkGroupFactor own;
  const bool is_duration =
      value.is_scalar() && value.style == YamlNode::Style::plain && parse_step_time(value.text).value;
  if (is_duration) {
    own.duration = parse_step_time(value.text).value;
  } else if (const auto factor = values.decimal(value, "work_groups (a factor, or a duration such as 500 ns)")) {
    own.factor = *factor;
  } else {
    return std::nullopt;
  }
  return own;
}

/// Reads a work-group with its factor or duration.
std::optional<WorkGroupFactor> read_entry(const YamlEntry& entry, const ValueReader& values) {
  const auto group = values.whole(entry.key_node(), "work_groups");
  auto own = read_factor(entry.value, values);
  if (!group || !own) return std::nullopt;
  own->work_group = WorkGroupId{*group};
  return own;
}

/// Reads the values of an expression, each different value once.
void read_factors_by_group(const YamlNode& node, const GroupValues& group_values, std::vector<WorkGroupFactor>& factors,
                           const ValueReader& values) {
  YamlNode filled = node;
  filled.style = YamlNode::Style::plain;
  std::vector<WorkGroupFactor> read;
  for (std::size_t set = 0; set < group_values.texts.size(); ++set) {
    filled.text = group_values.texts[set].front();
    Diagnostics found;
    if (const auto own = read_factor(filled, ValueReader(found))) read.push_back(*own);
    for (Diagnostic problem : found.problems()) {
      problem.message += " (work-group " + std::to_string(group_values.first_group[set]) + ")";
      values.problems().add(std::move(problem));
    }
    if (!found.empty()) return;
  }
  factors.reserve(group_values.of_group.size());
  for (const std::uint32_t set : group_values.of_group) {
    factors.push_back(read[set]);
    factors.back().work_group = WorkGroupId{factors.size() - 1};
  }
}

void read_factors(const YamlNode& node, std::vector<WorkGroupFactor>& factors, const ValueReader& values) {
  if (values.mapping(node, "work_groups") == nullptr) return;
  factors.reserve(node.entries.size());
  for (const YamlEntry& entry : node.entries)
    if (const auto own = read_entry(entry, values)) factors.push_back(*own);
  std::sort(factors.begin(), factors.end(),
            [](const WorkGroupFactor& a, const WorkGroupFactor& b) { return a.work_group < b.work_group; });
}

void check_cv(const YamlNode& node, const Draw& draw, const ValueReader& values) {
  for (const std::string& fault : faults_of_cv(draw))
    values.fail(node, "cv", fault.starts_with("is ") ? describe(node) + " " + fault : fault);
}

bool is_none(const YamlNode& node) { return node.is_scalar() && node.text == "none"; }

void refuse_details_of_draw(const MapReader& map, const char* why) {
  for (const char* key : {"cv", "per", "seed"})
    if (const YamlNode* node = map.find(key)) map.values().fail(*node, key, why);
}

void read_draw(const MapReader& map, Variation& read) {
  const ValueReader& values = map.values();
  const YamlNode* distribution = map.find("distribution");
  if (distribution == nullptr)
    return refuse_details_of_draw(map, "needs a `distribution`, as in `{distribution: uniform, cv: 0.02}`");
  if (is_none(*distribution)) {
    read.is_lock_step = true;
    return refuse_details_of_draw(map, "says how factors are drawn, but with `distribution: none` none are");
  }
  Draw draw;
  const std::size_t before = values.problems().size();
  map.read("distribution", draw.distribution, &ValueReader::choice<Distribution>, std::span(kDistributions));
  map.read_required("cv", draw.cv, &ValueReader::decimal);
  map.read("per", draw.per, &ValueReader::choice<DrawPer>, std::span(kDrawPer));
  map.read("seed", draw.seed, &ValueReader::whole, 0U, std::numeric_limits<std::uint64_t>::max());
  if (values.problems().size() == before && draw.cv.is_zero()) {
    read.is_lock_step = true;  // no spread: nothing to draw
    return;
  }
  if (values.problems().size() == before) check_cv(*map.find("cv"), draw, values);
  read.draw = draw;
}

}  // namespace

Variation read_variation(const YamlNode& node, const GroupValues* group_values, const ValueReader& values) {
  Variation read;
  if (is_none(node)) {
    read.is_lock_step = true;
    return read;
  }
  if (node.is_scalar() && !node.is_missing()) {
    values.fail(node, "variation",
                "is " + describe(node) + "; `none`, or a mapping as in `{distribution: uniform, cv: 0.02}`, is needed");
    return read;
  }
  const MapReader map(node, "variation", keys::kVariation, values);
  if (!map.is_usable()) return read;
  if (const YamlNode* groups = map.find("work_groups")) {
    if (group_values != nullptr && groups->group_value > 0)
      read_factors_by_group(*groups, *group_values, read.factors, values);
    else
      read_factors(*groups, read.factors, values);
  }
  map.read("first_wave", read.first_wave, &ValueReader::decimal);
  read_draw(map, read);
  return read;
}

}  // namespace gdsim
