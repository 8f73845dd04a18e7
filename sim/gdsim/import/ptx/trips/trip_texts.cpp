#include <gdsim/import/ptx/trips/trip_texts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace gdsim {
namespace {

/// Warps that differ have trip counts that differ by the same number in each work-group.
std::string group_text(const TripsByGroup& of, std::uint64_t trips) {
  const std::int64_t more = static_cast<std::int64_t>(trips) - of.line.trips_at(of.at);
  std::string text = of.line.numerator == 1 ? of.name : fmt::format("{} * {}", of.line.numerator, of.name);
  if (of.line.addend != 0) text += fmt::format(" {} {}", of.line.addend < 0 ? '-' : '+', std::abs(of.line.addend));
  if (of.line.denominator > 1) text = fmt::format("floor(({}) / {})", text, of.line.denominator);
  if (more != 0) text += fmt::format(" {} {}", more < 0 ? '-' : '+', std::abs(more));
  return fmt::format("= max(0, {})  # of the work-group; {} of the one followed", text, trips);
}

}  // namespace

std::string TripTexts::count_text(std::uint32_t loop, const LoopCounts& counts, std::uint64_t trips,
                                  std::uint64_t per) {
  if (const auto by_group = profile_.samples.trips.find(loop); by_group != profile_.samples.trips.end())
    return group_text(by_group->second, trips);
  const auto fixed = profile_.trips.fixed.find(loop);
  if (fixed != profile_.trips.fixed.end()) return fmt::format("{}  # {}", trips, fixed->second);
  const auto found = profile_.trips.expressions.find(loop);
  if (found == profile_.trips.expressions.end()) return std::to_string(trips);
  if (counts.entries != per) return fmt::format("{}  # changes with arg{}", trips, found->second.argument);
  const TripExpression& of = found->second;
  const std::string name = fmt::format("arg{}", of.argument);
  add_parameter(name, of);
  std::string text = of.numerator == 1 ? name : fmt::format("{} * {}", of.numerator, name);
  if (of.addend > 0) text += fmt::format(" + {}", of.addend);
  if (of.addend < 0) text += fmt::format(" - {}", -of.addend);
  if (of.denominator > 1)
    text = fmt::format("floor({} / {})", of.addend == 0 ? text : "(" + text + ")", of.denominator);
  return fmt::format("= max(0, {})  # {}", text, trips);
}

void TripTexts::add_parameter(const std::string& name, const TripExpression& of) {
  const auto same = [&](const auto& parameter) { return parameter.first == name; };
  if (std::any_of(parameters_.begin(), parameters_.end(), same)) return;
  const auto found = profile_.arguments.find({of.argument, 0});
  parameters_.emplace_back(name, found == profile_.arguments.end() ? 0 : found->second);
}

}  // namespace gdsim
