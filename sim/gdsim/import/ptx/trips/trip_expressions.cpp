#include <gdsim/import/ptx/trips/trip_expressions.hpp>

#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/warp_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace gdsim {
namespace {

/// An expression with this denominator and numerator 1: the addends for which all samples are right form a range, and
/// the simplest of them is used.
std::optional<TripExpression> with_denominator(const TripSamples& samples, std::int64_t denominator) {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  for (const auto& [value, trips] : samples) {
    if (trips > 0) low = std::max(low, denominator * trips - value);
    high = std::min(high, denominator * (trips + 1) - 1 - value);
  }
  if (low > high) return std::nullopt;
  const auto is_allowed = [&](std::int64_t addend) { return low <= addend && addend <= high; };
  TripExpression line;
  line.denominator = denominator;
  line.addend = low > 0 ? low : high;
  for (const std::int64_t simple : {denominator - 1, std::int64_t{0}})
    if (is_allowed(simple)) line.addend = simple;
  return line;
}

/// An expression with the difference of the trips of two successive values as numerator.
std::optional<TripExpression> with_numerator(const TripSamples& samples) {
  for (auto at = samples.begin(); at != samples.end(); ++at) {
    const auto next = std::next(at);
    if (next == samples.end() || next->first != at->first + 1 || at->second == 0) continue;
    TripExpression line;
    line.numerator = next->second - at->second;
    line.addend = at->second - line.numerator * at->first;
    const bool is_right = std::all_of(samples.begin(), samples.end(),
                                      [&](const auto& sample) { return line.trips_at(sample.first) == sample.second; });
    return is_right && line.numerator > 1 ? std::optional(line) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t TripExpression::trips_at(std::int64_t value) const {
  const std::int64_t whole = numerator * value + addend;
  return whole <= 0 ? 0 : whole / denominator;
}

std::optional<TripExpression> line_through(const TripSamples& samples) {
  constexpr std::int64_t max_power = std::int64_t{1} << 24;
  constexpr std::int64_t max_other = 4096;
  for (std::int64_t denominator = 1; denominator <= max_power; denominator *= 2)
    if (auto line = with_denominator(samples, denominator)) return line;
  for (std::int64_t denominator = 3; denominator <= max_other; ++denominator)
    if (auto line = with_denominator(samples, denominator)) return line;
  return with_numerator(samples);
}

namespace {

constexpr std::uint64_t kMaxValue = std::uint64_t{1} << 31;

std::string name_of(const PtxArgument& argument) {
  return fmt::format("arg{}{}", argument.first, argument.second == 0 ? "" : fmt::format("+{}", argument.second));
}

/// Values around the given one.
std::set<std::uint64_t> values_beside(std::uint64_t value) {
  std::set<std::uint64_t> values{value / 4, value / 2, value + 1, (value | 1) + 2};
  if (value > 0) values.insert(value - 1);
  if (value < kMaxValue) values.insert(value * 2);
  values.erase(value);
  return values;
}

/// Finds the expressions of one kernel.
class TripFinder {
 public:
  TripFinder(const PtxKernel& kernel, const PtxLaunch& launch, const BlockLog& log, const SourceText& source)
      : kernel_(kernel),
        launch_(launch),
        probe_(kernel, launch, log, source),
        given_(probe_.as_given()),
        changes_(given_.size()) {}

  LoopTrips found() {
    for (const auto& [argument, value] : launch_.arguments) compare(argument, value);
    for (std::uint32_t loop = 0; loop < given_.size(); ++loop) {
      if (changes_[loop].empty() && unfollowed_.empty()) continue;
      if (given_[loop].trips == 0) {
        if (!changes_[loop].empty()) note_not_entered(loop);
      } else if (const std::string why = reason_for_number(loop); !why.empty()) {
        result_.fixed.emplace(loop, why);
      } else if (const auto line = verified(loop, *changes_[loop].begin())) {
        result_.expressions.emplace(loop, *line);
      } else {
        result_.fixed.emplace(
            loop, fmt::format("changes with {}, by no expression that was found", name_of(*changes_[loop].begin())));
      }
    }
    return result_;
  }

 private:
  void compare(const PtxArgument& argument, std::uint64_t value) {
    bool is_followed = false;
    for (const std::uint64_t other : values_beside(value)) {
      const auto* seen = probe_.trips_with(argument, other);
      if (seen == nullptr) continue;
      is_followed = true;
      for (std::uint32_t loop = 0; loop < seen->size(); ++loop)
        if ((*seen)[loop].is_reached && !(*seen)[loop].is_like(given_[loop])) changes_[loop].insert(argument);
    }
    if (!is_followed) unfollowed_.push_back(argument);
  }

  std::string reason_for_number(std::uint32_t loop) const {
    if (!given_[loop].trips) return "differs from entry to entry, and with an argument";
    if (!unfollowed_.empty())
      return fmt::format("the kernel was not followed with another {}", name_of(unfollowed_.front()));
    if (changes_[loop].size() > 1)
      return fmt::format("changes with {} and {}: no expression of one", name_of(*changes_[loop].begin()),
                         name_of(*changes_[loop].rbegin()));
    const PtxArgument& argument = *changes_[loop].begin();
    if (argument.second == 0 && launch_.arguments.at(argument) <= kMaxValue) return {};
    return fmt::format("changes with {}, which is no parameter here", name_of(argument));
  }

  void note_not_entered(std::uint32_t loop) {
    const PreparedKernel prepared = prepare(kernel_, launch_);
    const std::uint32_t head = prepared.flow.blocks[prepared.flow.loops[loop].head].begin;
    result_.notes.push_back(
        fmt::format("the loop of line {} is not entered with these arguments, so no step stands for it; with another "
                    "{} it is: import the kernel again with --arg",
                    kernel_.instructions[head].line, name_of(*changes_[loop].begin())));
  }

  /// Adds the loop's trips with this value; false if they are unknown, or not a single number.
  bool sample(std::uint32_t loop, const PtxArgument& argument, std::int64_t value, TripSamples& samples) {
    if (value < 0 || static_cast<std::uint64_t>(value) > 2 * kMaxValue) return false;
    const auto* seen = probe_.trips_with(argument, static_cast<std::uint64_t>(value));
    if (seen == nullptr) return false;
    if (!(*seen)[loop].is_reached) return true;
    if (!(*seen)[loop].trips) return false;
    samples[value] = *(*seen)[loop].trips;
    return true;
  }

  std::optional<TripExpression> verified(std::uint32_t loop, const PtxArgument& argument) {
    const auto value = static_cast<std::int64_t>(launch_.arguments.at(argument));
    TripSamples samples{{value, *given_[loop].trips}};
    for (const std::uint64_t other : values_beside(static_cast<std::uint64_t>(value)))
      if (probe_.trips_with(argument, other) != nullptr &&
          !sample(loop, argument, static_cast<std::int64_t>(other), samples))
        return std::nullopt;
    constexpr int max_attempts = 16;
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
      auto line = line_through(samples);
      if (!line) return std::nullopt;
      line->argument = argument.first;
      const TripSamples before = samples;
      if (!sample_steps(loop, argument, *line, *given_[loop].trips, samples)) return std::nullopt;
      bool is_right = true;
      for (const auto& [at, trips] : samples) is_right = is_right && line->trips_at(at) == trips;
      if (is_right) return line;
      if (samples == before) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Samples both sides of the next two values at which the count would step, which confirm or refute the expression.
  bool sample_steps(std::uint32_t loop, const PtxArgument& argument, const TripExpression& line, std::int64_t trips,
                    TripSamples& samples) {
    const auto first_with = [&](std::int64_t count) {
      const std::int64_t needed = count * line.denominator - line.addend;
      return (needed + line.numerator - 1) / line.numerator;
    };
    for (const std::int64_t count : {trips + 1, trips + 2})
      for (const std::int64_t at : {first_with(count) - 1, first_with(count)})
        if (!sample(loop, argument, at, samples)) return false;
    return true;
  }

  const PtxKernel& kernel_;
  const PtxLaunch& launch_;
  TripProbe probe_;
  std::vector<SeenTrips> given_;
  std::vector<std::set<PtxArgument>> changes_;  ///< by loop: arguments that change its trips
  std::vector<PtxArgument> unfollowed_;         ///< other values of these let the kernel not be followed
  LoopTrips result_;
};

}  // namespace

LoopTrips trip_expressions(const PtxKernel& kernel, const PtxLaunch& launch, const BlockLog& log,
                           const SourceText& source) {
  if (launch.arguments.empty()) return {};  // nothing that trip counts could be expressions of
  return TripFinder(kernel, launch, log, source).found();
}

namespace {

/// Returns true if the entries of the loop per iteration of the loop around it are the same in `log` and `given`.
bool is_entered_as_often(const FlowLoop& loop, std::uint32_t number, const ExecutionCounts& log,
                         const ExecutionCounts& given) {
  const std::uint64_t entries = log.loops[number].entries;
  const std::uint64_t as_given = given.loops[number].entries;
  if (as_given == 0) return true;
  if (!loop.parent) return entries == as_given;
  return entries * given.loops[*loop.parent].iterations == as_given * log.loops[*loop.parent].iterations;
}

std::vector<SeenTrips> trips_of(const FlowGraph& flow, const ExecutionCounts& log, const ExecutionCounts& given) {
  std::vector<SeenTrips> seen;
  for (std::uint32_t i = 0; i < flow.loops.size(); ++i) {
    const LoopCounts& counts = log.loops[i];
    SeenTrips trips;
    trips.counts = counts;
    if (counts.entries == 0) {
      trips.trips = 0;
      trips.is_reached = !flow.loops[i].parent || log.loops[*flow.loops[i].parent].iterations > 0;
    } else if (counts.iterations % counts.entries == 0 && is_entered_as_often(flow.loops[i], i, log, given)) {
      trips.trips = static_cast<std::int64_t>(counts.iterations / counts.entries);
    }
    seen.push_back(trips);
  }
  return seen;
}

}  // namespace

std::vector<SeenTrips> TripProbe::as_given() {
  auto seen = executed(launch_);
  return seen ? std::move(*seen) : std::vector<SeenTrips>(log_.loops.size());
}

const std::vector<SeenTrips>* TripProbe::trips_with(const PtxArgument& argument, std::uint64_t value) {
  auto [at, is_new] = seen_.try_emplace({argument, value});
  if (is_new) {
    PtxLaunch launch = launch_;
    launch.arguments[argument] = value;
    at->second = executed(launch);
  }
  return at->second ? &*at->second : nullptr;
}

std::optional<std::vector<SeenTrips>> TripProbe::executed(const PtxLaunch& launch) {
  if (instructions_ >= kMaxProbed) return std::nullopt;
  try {
    PreparedKernel prepared = prepare(kernel_, launch);
    prepared.budget = log_.budget();
    const AccessWidths none(prepared.instructions.size(), 0);
    BlockLog log(prepared, none, 0, kMaxProbed - instructions_, Followed::control);
    log.keeps_warps = true;
    UnresolvedInputs unresolved(prepared, launch, source_);
    try {
      run_group(prepared, launch, {0, 0, 0}, log, unresolved, RunWarps::first_and_last);
    } catch (const InputError&) {
      instructions_ += log.instructions;
      return std::nullopt;
    }
    instructions_ += log.instructions;
    if (!unresolved.empty()) return std::nullopt;
    if (!given_) given_ = log;
    return trips_of(prepared.flow, log, *given_);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace gdsim
