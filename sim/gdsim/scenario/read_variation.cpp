#include <gdsim/scenario/read_variation.hpp>

#include <gdsim/scenario/keys.hpp>
#include <gdsim/scenario/map_reader.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

using Word = std::string_view;

constexpr std::array<std::pair<Word, Distribution>, 3> kDistributions{
    {{"normal", Distribution::normal}, {"lognormal", Distribution::lognormal}, {"uniform", Distribution::uniform}}};
constexpr std::array<std::pair<Word, DrawPer>, 2> kDrawPer{
    {{"work_group", DrawPer::work_group}, {"thread", DrawPer::thread}}};

void read_factors(const YamlNode& node, std::vector<WorkGroupFactor>& factors, const ValueReader& values) {
  if (values.mapping(node, "work_groups") == nullptr) return;
  for (const YamlEntry& entry : node.entries) {
    YamlNode key;
    key.text = entry.key;
    key.mark = entry.key_mark;
    const auto group = values.whole(key, "work_groups");
    const auto factor = values.decimal(entry.value, "work_groups");
    if (group && factor) factors.push_back({WorkGroupId{*group}, *factor});
  }
  std::sort(factors.begin(), factors.end(),
            [](const WorkGroupFactor& a, const WorkGroupFactor& b) { return a.work_group < b.work_group; });
}

/// Beyond these, factors of 0 or less would have to be cut away, and the mean would not be 1.
void check_cv(const YamlNode& node, const Draw& draw, const ValueReader& values) {
  const auto above = [&](std::uint64_t thousandths) { return compare(draw.cv, Decimal{thousandths, -3}) > 0; };
  if (draw.cv.is_zero()) values.fail(node, "cv", "must be more than 0");
  if (draw.distribution == Distribution::normal && above(300))
    values.fail(node, "cv", describe(node) + " is more than 0.3: a normal factor could be 0 or less; use lognormal");
  if (draw.distribution == Distribution::uniform && above(577))
    values.fail(node, "cv", describe(node) + " is more than 0.577: a uniform factor could be 0 or less; use lognormal");
  if (above(10'000)) values.fail(node, "cv", describe(node) + " is more than 10");
}

void read_draw(const MapReader& map, Variation& variation) {
  const ValueReader& values = map.values();
  if (map.find("distribution") == nullptr) {
    for (const char* key : {"cv", "per", "seed"})
      if (const YamlNode* node = map.find(key)) values.fail(*node, key, "needs a `distribution`");
    return;
  }
  Draw draw;
  const std::size_t before = values.problems().size();
  map.read("distribution", draw.distribution, &ValueReader::choice<Distribution>, std::span(kDistributions));
  map.read_required("cv", draw.cv, &ValueReader::decimal);
  map.read("per", draw.per, &ValueReader::choice<DrawPer>, std::span(kDrawPer));
  map.read("seed", draw.seed, &ValueReader::whole, 0U, std::numeric_limits<std::uint64_t>::max());
  if (values.problems().size() == before) check_cv(*map.find("cv"), draw, values);
  variation.draw = draw;
}

}  // namespace

void read_variation(const YamlNode& node, Variation& variation, const ValueReader& values) {
  const MapReader map(node, "variation", keys::kVariation, values);
  if (!map.is_usable()) return;
  if (const YamlNode* groups = map.find("work_groups")) read_factors(*groups, variation.factors, values);
  read_draw(map, variation);
}

}  // namespace gdsim
