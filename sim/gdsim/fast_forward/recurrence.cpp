#include <gdsim/fast_forward/recurrence.hpp>

#include <gdsim/fast_forward/shift_visitor.hpp>
#include <gdsim/fast_forward/totals_reader.hpp>
#include <gdsim/model/visit_model.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

/// If several launches are present, which may begin and end quickly, states are examined only after this number of
/// events per launch, core and work-group in a state.
constexpr std::uint64_t kEventsBefore = 8;

constexpr std::uint64_t kNoGroup = std::numeric_limits<std::uint64_t>::max();

/// Returns the number of the launch's first work-group with its own factor, from `from` on; kNoGroup if there is none.
std::uint64_t first_declared(const ModelState& state, LaunchId launch, std::uint64_t from) {
  const auto& factors = state.kernel_of(launch).variation.factors;
  const auto first = std::lower_bound(
      factors.begin(), factors.end(), from,
      [](const WorkGroupFactor& factor, std::uint64_t number) { return number_of(factor.work_group) < number; });
  return first == factors.end() ? kNoGroup : number_of(first->work_group);
}

}  // namespace

Recurrence::Recurrence(Model& model, FastForwardSink& sink, SimTime bound) : model_(model), sink_(sink), bound_(bound) {
  const ModelState& state = model.state();
  for (std::size_t i = 0; i < state.workload.kernels.size(); ++i)
    kernels_recur_.push_back(recurs(static_cast<KernelId>(i)));
}

Recurrence::Recurs Recurrence::recurs(KernelId id) const {
  const ModelState& state = model_.state();
  if (has_step<Tiles>(state.workload.kernels[index_of(id)].program)) return Recurs::never;
  if (can_repeat(id)) return Recurs::ever;
  if (!has_loop(id)) return Recurs::never;
  return state.programs.draw_of(id) ? Recurs::alone : Recurs::ever;
}

/// Returns true if some work-groups of the kernel have a loop.
bool Recurrence::has_loop(KernelId id) const {
  const auto plans = model_.state().programs.plans().all(id);
  return std::any_of(plans.begin(), plans.end(), [](const ProgramPlan& plan) { return plan.has_loop(); });
}

void Recurrence::look(std::uint64_t events) {
  if (changes_ != model_.state().launches.changes()) on_launches_changed();
  if (is_settling_ && !settle(events)) return follow_waits();
  if (may_recur() != finder_.is_looking()) {
    restart_detection();
    return follow_waits();
  }
  if (!finder_.is_looking()) return follow_waits();
  const auto take = [this](StateImage& image) { return take_image(image); };
  switch (finder_.on_instant_end(model_.now(), events, model_.facts(), take)) {
    case RecurrenceFinder::Found::nothing:
      if (!finder_.is_looking()) back_off();  // the period that was being recorded did not recur
      break;
    case RecurrenceFinder::Found::period_found:
      if (can_repeat(finder_.period())) {
        began_with_ = totals();
        model_.state().waits.record();
      } else {
        back_off();
        restart_detection();
      }
      break;
    case RecurrenceFinder::Found::period_recorded: fast_forward(skippable_periods()); break;
  }
  follow_waits();
  if (!finder_.is_looking()) restart_detection();
}

/// Restarts the search: earlier observations are no longer valid.
void Recurrence::on_launches_changed() {
  changes_ = model_.state().launches.changes();
  is_settling_ = true;
  events_since_change_ = 0;
  min_events_ = 0;
  recurs_ = Recurs::never;
  finder_.give_up();
}

/// Counts the events since launches have changed. Once they are at least as many as the present launches, examines each
/// of these, and returns true: examined at every arrival and end, their cost would be linear in the number of launches.
bool Recurrence::settle(std::uint64_t events) {
  events_since_change_ += events;
  if (events_since_change_ < model_.state().launches.present().size()) return false;
  is_settling_ = false;
  recurs_ = present_recur();
  return true;
}

Recurrence::Recurs Recurrence::present_recur() const {
  const ModelState& state = model_.state();
  auto recurs = Recurs::never;
  for (const LaunchId launch : state.launches.present()) {
    recurs = std::max(recurs, kernels_recur_[index_of(state.workload.launches[index_of(launch)].as_kernel().kernel)]);
    if (recurs == Recurs::ever) break;
  }
  return recurs;
}

/// Keeps waits only while their period is recorded. Stops recording if there are too many.
void Recurrence::follow_waits() {
  WaitLog& waits = model_.state().waits;
  if (!waits.is_on()) return;
  if (waits.is_too_long()) finder_.give_up();
  if (!finder_.is_recording()) waits.drop();
}

/// Doubles the number of events, at least 64, before the next search, because a period saved little or did not recur.
void Recurrence::back_off() { min_events_ = std::max<std::uint64_t>(64, 2 * min_events_); }

void Recurrence::restart_detection() {
  if (!may_recur()) return finder_.give_up();
  const ModelState& state = model_.state();
  const std::uint64_t present = state.launches.present().size();
  const std::uint64_t parts = present + state.bank.cores.size() + state.residents.count();
  finder_.restart(std::max(min_events_, present == 1 ? 0 : kEventsBefore * parts));
}

/// Returns true if a present launch has a loop or an undispatched work-group; otherwise, no state recurs.
bool Recurrence::can_anything_recur() const {
  const ModelState& state = model_.state();
  const auto& present = state.launches.present();
  return std::any_of(present.begin(), present.end(), [&](LaunchId launch) {
    return state.dispatching.progress().has_next(launch) || kernel_has_loop(launch);
  });
}

bool Recurrence::kernel_has_loop(LaunchId launch) const {
  const ModelState& state = model_.state();
  return has_loop(state.workload.launches[index_of(launch)].as_kernel().kernel);
}

bool Recurrence::take_image(StateImage& image) {
  if (!can_anything_recur()) {
    recurs_ = Recurs::never;  // until a launch arrives or ends
    return false;
  }
  ImageVisitor visitor(model_.now(), image);
  return visit_model(model_.state(), visitor);
}

std::vector<Int128> Recurrence::totals() {
  TotalsReader reader(model_.now());
  visit_model(model_.state(), reader);
  return reader.take();
}

/// Returns true if the launch's work-groups behave alike: all have the same size and program, none draws random factors
/// or launches children.
bool Recurrence::can_repeat(LaunchId launch) const {
  return can_repeat(model_.state().workload.launches[index_of(launch)].as_kernel().kernel);
}

bool Recurrence::can_repeat(KernelId id) const {
  const Kernel& kernel = model_.state().workload.kernels[index_of(id)];
  return !model_.state().programs.draw_of(id) && kernel.edge_groups == EdgeGroups::refused &&
         !kernel.differs_by_group() && !has_step<LaunchChild>(kernel.program) && !has_step<Tiles>(kernel.program);
}

/// Returns true if the work-groups that succeed each other in the period behave alike.
bool Recurrence::can_repeat(const Period& period) const {
  const ModelState& state = model_.state();
  for (const GroupCount& count : period.shift.work_groups)
    if (count.work_groups > 0 && !can_repeat(count.launch)) return false;
  const std::vector<GroupIndex> residents = state.residents.in_order();
  return std::none_of(residents.begin(), residents.end(), [&](GroupIndex index) {
    const ResidentGroup& group = state.residents[index];
    return count_of(period.shift.work_groups, group.launch) > 0 &&
           state.programs.plan_of(group).is_declared(group.number);
  });
}

/// Returns the maximum number of the launch's work-groups that may be dispatched in skipped periods. One must be left,
/// and none may have its own factor. They must all be placed in batches or all one by one, as in the recorded period;
/// if that period has both, the maximum is 0.
std::uint64_t Recurrence::max_groups(const GroupCount& in_one) const {
  const LaunchProgress& progress = model_.state().dispatching.progress();
  if (progress.is_partitioned()) return max_groups_in_partitions(in_one);
  const std::uint64_t next = progress.dispatched(in_one.launch);
  const std::uint64_t declared = first_declared(model_.state(), in_one.launch, next - in_one.work_groups);
  if (declared < next) return 0;
  const std::uint64_t left = progress.undispatched(in_one.launch);
  return groups_in_batches(in_one, std::min(left - 1, declared - next));
}

/// Returns `max`, reduced such that all are placed in batches or all one by one.
std::uint64_t Recurrence::groups_in_batches(const GroupCount& in_one, std::uint64_t max) const {
  const std::uint64_t left = model_.state().dispatching.progress().undispatched(in_one.launch);
  const auto for_batches = model_.state().dispatching.left_for_batches();
  if (!for_batches || left + in_one.work_groups < *for_batches) return max;
  return left < *for_batches ? 0 : std::min(max, left - *for_batches);
}

/// As max_groups(), for a launch in partitions. All of them that are not exhausted advance in step and must
/// keep a work-group.
std::uint64_t Recurrence::max_groups_in_partitions(const GroupCount& in_one) const {
  const LaunchProgress& progress = model_.state().dispatching.progress();
  if (!model_.state().kernel_of(in_one.launch).variation.factors.empty()) return 0;
  std::uint64_t continuing = 0;
  std::uint64_t min = kNoGroup;
  for (std::size_t i = 0; i < progress.partition_count(in_one.launch); ++i) {
    const std::uint64_t left = progress.left(in_one.launch, i);
    if (left == 0) continue;
    ++continuing;
    min = std::min(min, left);
  }
  return continuing == 0 ? 0 : groups_in_batches(in_one, (min - 1) * continuing);
}

/// Returns the number of periods for which there are enough work-groups and iterations, that end before the next
/// arrival and the bound of the run, and whose times fit into 64 bits.
std::uint64_t Recurrence::skippable_periods() const {
  const Period& period = finder_.period();
  if (!can_repeat(period)) return 0;
  const SimTime now = model_.now();
  SimTime last = now;
  SimTime bound = bound_;
  model_.state().events.visit_pending([&](SimTime time, const Event& event) {
    if (event.is_of_launch() || keeps_its_time(model_.state(), event)) {
      bound = std::min(bound, time);
    } else {
      last = std::max(last, time);
    }
  });
  const std::int64_t before_bound = std::max<std::int64_t>((bound - now).count - 1, 0);
  const std::int64_t before_overflow = std::numeric_limits<std::int64_t>::max() - last.count;
  auto count = static_cast<std::uint64_t>(std::min(before_bound, before_overflow) / period.shift.time.count);
  count = std::min(count, period.max_repetitions);
  for (const GroupCount& one : period.shift.work_groups)
    if (one.work_groups > 0) count = std::min(count, max_groups(one) / one.work_groups);
  return count;
}

/// Skips `count` periods. Observers may limit the repetitions per report: the run may be stopped between reports.
void Recurrence::fast_forward(std::uint64_t count) {
  const Period period = finder_.period();
  // A period that saves little is given up: perhaps a longer one saves more.
  constexpr std::uint64_t worthwhile = 16;
  if (count < worthwhile)
    back_off();
  else
    min_events_ = 0;
  constexpr std::uint64_t many = 1'000'000;
  finder_.credit_saved_events(std::min(count, many) * std::min(finder_.period_events(), many));
  std::vector<Int128> growth = totals();
  for (std::size_t i = 0; i < growth.size(); ++i) growth[i] -= began_with_[i];
  Segment& segment = finder_.segment();
  while (count > 0 && !sink_.stop_requested()) {
    const std::uint64_t some = segment.size() == 0 ? count : std::min(count, sink_.max_repetitions(segment));
    fast_forward(period, some, growth);
    model_.state().waits.repeat(some, period.shift.time);
    if (segment.size() > 0) {
      sink_.on_repeated(segment, some);
      segment.move(some);
    }
    count -= some;
  }
}

void Recurrence::fast_forward(const Period& period, std::uint64_t count, std::span<const Int128> growth) {
  ModelState& state = model_.state();
  ShiftVisitor visitor(period, count, growth);
  visit_model(state, visitor);
  state.events.fast_forward(times(period.shift.time, count),
                            [&](const Event& event) { return !event.is_of_launch() && !keeps_its_time(state, event); });
}

}  // namespace gdsim
