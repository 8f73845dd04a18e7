#include <gdsim/model/steps/tiles.hpp>

#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>

namespace gdsim {
namespace {

TileRecord tile_of(const StepState& state, const Cohort& cohort, const TileStep& step) {
  const ResidentGroup& group = state.residents[cohort.group];
  return {group.launch, group.number, step.number, cohort.tiles.tile, cohort.on_core.core, state.now(), {}};
}

}  // namespace

void log_end_of_tile(StepState& state, const Cohort& cohort, const TileStep& step) {
  state.tile_log->end(tile_of(state, cohort, step), cohort.on_core.threads, state.now());
}

void begin_tile(StepState& state, Cohort& cohort, const TileStep& step, std::optional<std::uint64_t> tile) {
  if (!tile) {
    leave_tiles(state, cohort, step);
    cohort.at = step.leave_op;
    return;
  }
  const ResidentGroup& group = state.residents[cohort.group];
  cohort.tiles.tile = *tile;
  if (state.tile_log != nullptr) state.tile_log->begin(tile_of(state, cohort, step), cohort.on_core.threads);
  ++cohort.tiles.taken;
  cohort.at = step.first_ops[step.body_of(*tile)];
  cohort.factor = state.programs.factor_of_tile(group, step, *tile, cohort.first_thread);
  cohort.serving_parity = state.programs.serving_parity_of_tile(group, step, *tile);
}

void leave_tiles(StepState& state, Cohort& cohort, const TileStep& step) {
  const ResidentGroup& group = state.residents[cohort.group];
  cohort.tiles.tile = TilePosition::kNone;
  cohort.tiles.taken = 0;
  cohort.factor = group.factor;
  if (state.programs.draws_by_part(group)) cohort.factor = state.programs.factor_of_part(group, step.first_of_part);
  if (state.programs.draws_by_thread(group))
    cohort.factor = state.programs.factor_of_thread(group, cohort.first_thread);
  cohort.serving_parity = group.serving_parity;
}

void give_tiles(StepState& state) {
  for (const TileLists::Request& request : state.tile_lists.take_requests()) {
    std::optional<std::uint64_t> tile;
    bool is_first = true;
    for (CohortIndex index = request.waiting; index != kNoCohort;) {
      Cohort& cohort = state.cohorts[index];
      const ProgramPlan& plan = state.programs.plan_of(state.residents[cohort.group]);
      const TileStep& step = plan.tile_step(plan.op(cohort.at));
      if (std::exchange(is_first, false)) tile = state.tile_lists.take(request.launch, step.number, step.count);
      const CohortIndex next = cohort.next;
      begin_tile(state, cohort, step, tile);
      schedule_step_end(state, index, op_of(state, cohort), end_of_constant_cost(state, cohort));
      index = next;
    }
  }
}

namespace {

/// Represents all launches of the kernels that share a list.
constexpr std::uint64_t kAllLaunches = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TileLists::TileLists(const Workload& workload) : workload_(workload) {
  const std::set<std::string> shared = shared_tile_lists(workload);
  for (std::size_t kernel = 0; kernel < workload.kernels.size(); ++kernel) {
    std::uint32_t number = 0;
    for (const Step& step : workload.kernels[kernel].program) {
      const auto* tiles = std::get_if<Tiles>(&step);
      if (tiles == nullptr) continue;
      if (const auto list = shared.find(tiles->list); list != shared.end())
        shared_[{static_cast<KernelId>(kernel), number}] =
            static_cast<std::uint32_t>(std::distance(shared.begin(), list));
      ++number;
    }
  }
}

bool TileLists::request(const Request& request, bool is_shared, CohortIndex& next) {
  if (is_shared && !requests_.empty() && requests_.back().group == request.group &&
      requests_.back().step == request.step) {
    next = std::exchange(requests_.back().waiting, request.waiting);
    return false;
  }
  next = kNoCohort;
  requests_.push_back(request);
  return requests_.size() == 1;
}

std::vector<TileLists::Request> TileLists::take_requests() {
  std::vector<Request> requests = std::exchange(requests_, {});
  std::sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
    return std::tie(a.launch, a.work_group, a.thread) < std::tie(b.launch, b.work_group, b.thread);
  });
  return requests;
}

std::optional<std::uint64_t> TileLists::take(LaunchId launch, std::uint32_t step, std::uint64_t count) {
  const KernelId kernel = workload_.launches[index_of(launch)].as_kernel().kernel;
  const auto shared = shared_.find({kernel, step});
  std::uint64_t& taken =
      shared == shared_.end() ? taken_[{index_of(launch), step}] : taken_[{kAllLaunches, shared->second}];
  return taken < count ? std::optional(taken++) : std::nullopt;
}

}  // namespace gdsim
