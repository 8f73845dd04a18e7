#include <gdsim/import/ptx/trips/trip_probe.hpp>

#include <gdsim/import/ptx/group_run.hpp>
#include <gdsim/import/ptx/joined_loads.hpp>

#include <utility>

namespace gdsim {
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

const std::vector<SeenTrips>* TripProbe::with(const PtxArgument& argument, std::uint64_t value) {
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
      run_group(prepared, launch, {0, 0, 0}, log, unresolved, {RunWarps::first_and_last});
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
