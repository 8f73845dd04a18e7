#include <gdsim/import/ptx/trip_expressions.hpp>

#include <gdsim/import/ptx/group_run.hpp>
#include <gdsim/import/ptx/joined_loads.hpp>

#include <numeric>
#include <optional>

namespace gdsim {
namespace {

/// Iterations of each loop, per entry; nothing where they differ from entry to entry.
std::vector<std::optional<std::int64_t>> trips_of(const std::vector<LoopCounts>& loops) {
  std::vector<std::optional<std::int64_t>> trips;
  for (const LoopCounts& loop : loops) {
    const bool is_whole = loop.entries > 0 && loop.iterations % loop.entries == 0;
    trips.push_back(is_whole ? std::optional(static_cast<std::int64_t>(loop.iterations / loop.entries)) : std::nullopt);
  }
  return trips;
}

/// Nothing: the kernel cannot be followed with this argument.
std::optional<std::vector<std::optional<std::int64_t>>> trips_with(const PtxKernel& kernel, PtxLaunch launch,
                                                                   const PtxArgument& argument, std::uint64_t value,
                                                                   const SourceText& source) {
  launch.arguments[argument] = value;
  // The group alone in its grid: guards that compare with the argument hold for it in any case.
  try {
    const PreparedKernel prepared = prepare(kernel, launch);
    const AccessWidths none(prepared.instructions.size(), 0);
    BlockLog log(prepared, none, 0, kMaxPtxInstructions);
    OpenQuestions questions(prepared, launch, source);
    run_group(prepared, launch, {0, 0, 0}, log, questions);
    if (!questions.empty()) return std::nullopt;
    return trips_of(log.loops);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<TripExpression> line_through(std::uint32_t argument, std::int64_t value, std::int64_t whole,
                                           std::int64_t half, std::int64_t quarter) {
  if (whole == half || whole - half != 2 * (half - quarter)) return std::nullopt;
  // (whole - half) / (value / 2) per unit of the argument.
  TripExpression line;
  line.argument = argument;
  const std::int64_t rise = whole - half;
  const std::int64_t run = value / 2;
  const std::int64_t common = std::gcd(rise, run);
  line.numerator = rise / common;
  line.denominator = run / common;
  const std::int64_t rest = whole * line.denominator - line.numerator * value;
  line.addend = rest;
  return line;
}

}  // namespace

std::map<std::uint32_t, TripExpression> trip_expressions(const PtxKernel& kernel, const PtxLaunch& launch,
                                                         const BlockLog& log, const SourceText& source) {
  std::map<std::uint32_t, TripExpression> found;
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  const auto of_middle = trips_of(log.loops);
  for (const auto& [argument, value] : launch.arguments) {
    if (value == 0 || value % 4 != 0 || value > most || argument.second != 0) continue;
    const auto whole = trips_with(kernel, launch, argument, value, source);
    const auto half = trips_with(kernel, launch, argument, value / 2, source);
    const auto quarter = trips_with(kernel, launch, argument, value / 4, source);
    if (!whole || !half || !quarter) continue;
    for (std::uint32_t loop = 0; loop < whole->size(); ++loop) {
      if (!(*whole)[loop] || !(*half)[loop] || !(*quarter)[loop] || (*whole)[loop] != of_middle[loop]) continue;
      const auto line = line_through(argument.first, static_cast<std::int64_t>(value), *(*whole)[loop], *(*half)[loop],
                                     *(*quarter)[loop]);
      // A loop that two arguments change has no expression of one.
      if (line && !found.emplace(loop, *line).second) found.erase(loop);
    }
  }
  return found;
}

}  // namespace gdsim
