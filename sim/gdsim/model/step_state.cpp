#include <gdsim/model/step_state.hpp>

#include <gdsim/model/draws.hpp>
#include <gdsim/model/steps/loads.hpp>
#include <gdsim/model/time_ledger.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>

namespace gdsim {

std::size_t Programs::max_barriers() const {
  std::size_t max = 0;
  for (const ProgramPlan& plan : plans_.all()) max = std::max(max, plan.barrier_count());
  return max;
}

void Programs::prepare(ResidentGroup& group) const {
  const ProgramPlan& plan = plans_.plan_of(group.kernel, group.number);
  group.plan = &plan;
  group.amounts = plan.amounts(group.number, group.wave);
  const auto& draw = draw_of(group.kernel);
  if (draw && plan.has_precedence()) group.serving_parity = draw->is_first(group.launch, group.number) ? 1 : 0;
  if (draw && !draws_by_thread(group.kernel, group.threads))
    group.factor = plan.is_declared(group.number) ? kNoFactor : draw->factor({group.launch, group.number, 0});
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

LoadHandle Loads::begin(LoadHandle older, SimTime isolated_until) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(loads_.size()));
    loads_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  Load& load = loads_[slot] = {.older = {}, .isolated_until = isolated_until, .generation = loads_[slot].generation};
  if (is_outstanding(older)) {
    load.older = older;
    Load& before = loads_[older.slot];
    (before.newer == kNoSlot ? before.newer : loads_[before.last_newer].sibling) = slot;
    before.last_newer = slot;
  }
  return in_slot(slot);
}

LoadHandle Loads::awaited(LoadHandle last, std::uint64_t outstanding) const {
  LoadHandle load = if_outstanding(last);
  for (std::uint64_t i = 0; i < outstanding && is_outstanding(load); ++i) load = loads_[load.slot].older;
  return if_outstanding(load);
}

namespace {

/// The maximum number of pages: their table takes 8 MiB.
constexpr std::size_t kMaxPages = std::size_t{1} << 20U;

}  // namespace

TimeLedger::TimeLedger(std::size_t cores, std::size_t kernels) : cores_(cores), kernels_(kernels) {
  const auto pages = [&] { return ((kernels - 1) >> page_bits_) + 1; };
  if (kernels > 0)
    while (pages() > 1 && cores * pages() > kMaxPages) ++page_bits_;
  pages_per_core_ = kernels == 0 ? 0 : pages();
  shifts_.assign(cores * pages_per_core_, kNoPage);
}

std::int64_t TimeLedger::add_page(std::size_t kernel) {
  const auto offset = static_cast<std::int64_t>(uses_.size());
  uses_.resize(uses_.size() + (std::size_t{1} << page_bits_));
  return offset - static_cast<std::int64_t>(kernel >> page_bits_ << page_bits_);
}

TimeUse TimeLedger::total_of(CoreId core, KernelId kernel) const {
  const std::int64_t shift = shifts_[page_of(index_of(core), index_of(kernel))];
  return shift == kNoPage ? TimeUse{} : uses_[place_of(shift, index_of(kernel))];
}

template <class Visit>
void TimeLedger::visit_uses(Visit visit) const {
  for (std::size_t core = 0; core < cores_; ++core)
    for (std::size_t page = 0; page < pages_per_core_; ++page) {
      if (shifts_[core * pages_per_core_ + page] == kNoPage) continue;
      const std::size_t first = page << page_bits_;
      const std::size_t last = std::min(kernels_, first + (std::size_t{1} << page_bits_));
      for (std::size_t kernel = first; kernel < last; ++kernel) {
        const CoreTimeUse core_use{static_cast<CoreId>(core), static_cast<KernelId>(kernel),
                                   total_of(static_cast<CoreId>(core), static_cast<KernelId>(kernel))};
        if (core_use.use.sum() != 0) visit(core_use);
      }
    }
}

std::vector<CoreTimeUse> TimeLedger::take_uses() {
  std::size_t count = 0;
  visit_uses([&count](const CoreTimeUse&) { ++count; });
  std::vector<CoreTimeUse> all;
  all.reserve(count);
  visit_uses([&all](const CoreTimeUse& core_use) { all.push_back(core_use); });
  uses_ = {};
  std::fill(shifts_.begin(), shifts_.end(), kNoPage);
  return all;
}

StepState::StepState(const ModelInput& input)
    : device(input.device),
      workload(input.workload),
      graph(input.graph),
      clocks(input.device),
      programs(input.plans, make_factor_draws(input.workload, input.seed_offset)),
      residents(input.device.cores),
      engine_sets(input.device.engines_per_core),
      cohorts(engine_sets),
      barriers(programs.max_barriers()),
      grids(input.workload, input.graph),
      flags(input.workload, input.plans),
      tile_lists(input.workload),
      tile_log(input.tile_log),
      stores(input.device.cores, input.workload.launches.size(), input.device.contexts_per_core()),
      resources(input.device, clocks, input.workload, input.plans),
      children(input.workload),
      time_use(input.device.cores, input.workload.kernels.size()),
      waits(input.wait_series) {}

}  // namespace gdsim
