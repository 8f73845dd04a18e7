#include <gdsim/dispatch/dispatcher.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/dispatch/admission.hpp>
#include <gdsim/dispatch/request_classes.hpp>

#include <algorithm>

namespace gdsim {

namespace {

Picoseconds length_of(const StepTime& time, const DeviceSpec& device) {
  const auto length = resolve(time, device.clock.value_or(Hertz{}), Decimal::whole(1));
  GDSIM_CHECK(length.has_value(), "a time of dispatch that cannot be told passed the checks of the device");
  return *length;
}

/// What a dispatcher's placement sees: its cores alone.
DeviceSpec device_of(const DeviceSpec& device, const DispatcherCores& cores) {
  DeviceSpec part = device;
  part.cores = static_cast<std::uint32_t>(cores.count());
  part.core_groups = cores.groups;
  part.tie_order.clear();
  return part;
}

std::vector<DispatcherCores> cores_of_dispatchers(const DeviceSpec& device, const DispatchRules& rules) {
  const auto cores = dispatcher_cores(device, rules.interval ? rules.interval->dispatchers : "device");
  GDSIM_CHECK(cores.has_value(), "dispatchers of no known level passed the checks of the rules");
  return *cores;
}

Picoseconds launch_cost(const DeviceSpec& device) {
  return device.launch_cost ? length_of(*device.launch_cost, device) : Picoseconds{};
}

}  // namespace

Dispatcher::Dispatcher(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       const FootprintTable& footprints, const PlacementMaker& make_placement, CoreBank& bank)
    : rules_(rules),
      workload_(workload),
      bank_(bank),
      progress_(workload, footprints),
      selections_(workload, bank.cores.size()),
      classes_(request_classes(workload, selections_, progress_, rules.admission)),
      claims_(rules, workload.launches.size(), bank.cores.size()),
      idle_(bank.cores.size()),
      chooser_(make_kernel_chooser(rules, workload, selections_)),
      kinds_(asking_alike(workload, selections_)),
      waits_(workload.launches.size()),
      begins_(workload, launch_cost(device)),
      ports_(rules.ports),
      changed_(bank.cores.size()) {
  const SearchSetting setting{device, rules, workload, bank, progress_, claims_, selections_, classes_};
  for (const DispatcherCores& cores : cores_of_dispatchers(device, rules)) {
    const bool has_all = cores.count() == device.cores;
    units_.emplace_back(setting, cores, make_placement(has_all ? device : device_of(device, cores)), idle_);
    unit_of_core_.resize(cores.last, static_cast<std::uint32_t>(units_.size() - 1));
  }
  if (!rules.interval) return;
  per_work_group_ = length_of(rules.interval->per_work_group, device);
  per_thread_ = length_of(rules.interval->per_thread, device);
}

std::span<const Grant> Dispatcher::turn(Picoseconds now) {
  grants_.clear();
  next_turns_.clear();
  waits_.settle(now);
  for (DispatchUnit& unit : units_)
    if (unit.busy_until && *unit.busy_until <= now) unit.busy_until.reset();
  note_changes();
  begins_.take_paid(now, [this](LaunchId launch) { chooser_->paid(launch); });
  for (const LaunchId launch : begins_.paying()) waits_.block(launch, WaitReason::launch_cost, now);
  wait_for_remainders(now);
  while (visit_units(now) && units_.size() > 1) {
  }
  end_turn(now);
  return grants_;
}

/// A core that holds no partial work-group may be free for others now.
void Dispatcher::note_changes() {
  if (const auto first = changed_.next(0)) last_changed_ = first;
  for (auto core = changed_.next(0); core; core = changed_.next(*core + 1)) {
    changed_.erase(*core);
    const auto id = static_cast<CoreId>(*core);
    DispatchUnit& unit = unit_of(id);
    if (unit.partials.contains(*core)) {
      unit.note_gain(id);
    } else {
      release_if_empty(unit, id);
      unit.search.gained(id);
    }
  }
}

/// Every dispatcher that is not busy, once, beginning behind the last one that had placed something. True if one placed
/// something.
bool Dispatcher::visit_units(Picoseconds now) {
  bool placed = false;
  const std::size_t first = next_unit_;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const std::size_t index = (first + i) % units_.size();
    if (units_[index].is_busy() || !visit(units_[index], now)) continue;
    next_unit_ = (index + 1) % units_.size();
    placed = true;
  }
  return placed;
}

/// First the partial work-groups of the dispatcher, then new ones, until it is busy or nothing more fits. True if it
/// placed something.
bool Dispatcher::visit(DispatchUnit& unit, Picoseconds now) {
  const std::size_t before = grants_.size();
  chooser_->begin_turn();
  complete_partials(unit, now);
  const bool may_go_on = !unit.is_busy() && (!unit.partials.spread() || go_on_spreading(unit, now));
  if (may_go_on) {
    place_new(unit, now);
  } else if (!unit.is_busy()) {
    block(unit.partials.spread()->launch, why_no_core(unit), now);
  }
  return grants_.size() > before;
}

void Dispatcher::place_new(DispatchUnit& unit, Picoseconds now) {
  while (!unit.is_busy() && !unit.partials.spread()) {
    const auto launch = next_launch(now);
    if (!launch) return;
    if (!may_place(*launch, now)) {
      chooser_->pays(*launch);
      waits_.block(*launch, WaitReason::launch_cost, now);
    } else if (!ports_.has_free()) {
      block(*launch, WaitReason::ports, now);
    } else if (place_next(unit, *launch, now)) {
      chooser_->placed(*launch);
    } else {
      if (unit.partials.spread()) chooser_->placed(*launch);
      if (!unit.is_busy()) block(*launch, why_no_core(unit), now);
    }
  }
}

/// What waits, and why, until the next turn.
void Dispatcher::end_turn(Picoseconds now) {
  const bool one_is_busy =
      std::any_of(units_.begin(), units_.end(), [](const DispatchUnit& unit) { return unit.is_busy(); });
  if (one_is_busy) {
    chooser_->begin_turn();
    if (const auto launch = next_launch(now); launch && !may_place(*launch, now)) {
      chooser_->pays(*launch);
      waits_.block(*launch, WaitReason::launch_cost, now);
    } else if (launch) {
      waits_.block(*launch, WaitReason::dispatch_interval, now);
    }
  }
  if (units_.size() > 1) waits_.drop_if([this](LaunchId launch) { return progress_.is_fully_placed(launch); });
  for (DispatchUnit& unit : units_) {
    const auto& request = unit.search.last();
    const bool waits = request && (progress_.has_next(request->launch) || unit.partials.spread());
    const WaitReason held_up = unit.is_busy()     ? WaitReason::dispatch_interval
                               : ports_.has_free() ? WaitReason::contexts
                                                   : WaitReason::ports;
    unit.idle.turn_is_over(waits, held_up, now);
  }
}

/// The next that has a work-group to place, and may.
std::optional<LaunchId> Dispatcher::next_launch(Picoseconds now) {
  while (const auto launch = chooser_->next(may_begin())) {
    if (progress_.has_next(*launch)) return launch;
    dismiss(*launch, now);
  }
  return std::nullopt;
}

/// Where launches cost time, one that is named begins, and its work-groups can be placed once it has paid.
bool Dispatcher::may_place(LaunchId launch, Picoseconds now) {
  if (!begins_.takes_time()) return true;
  if (!begins_.has_begun(launch)) {
    begins_.begin(launch, now);
    next_turns_.push_back(begins_.placeable(launch));
  }
  return begins_.placeable(launch) <= now;
}

MayBegin Dispatcher::may_begin() const {
  const auto most = rules_.concurrent_kernels.count;
  return !most || begins_.count() < *most ? MayBegin::yes : MayBegin::no;
}

void Dispatcher::block(LaunchId launch, WaitReason reason, Picoseconds now) {
  waits_.block(launch, reason, now);
  chooser_->blocked(launch);
}

/// Why no core of the dispatcher takes the requested work-group: seen on the core that was last given something back, if
/// it is one of its cores and the launch may be there, else on the first where it may be.
WaitReason Dispatcher::why_no_core(const DispatchUnit& unit) const {
  const IndexSet& allowed = selections_.of(unit.search.last()->launch);
  const auto is_right = [&](std::size_t core) {
    return allowed.contains(core) && unit.cores.contains(static_cast<CoreId>(core));
  };
  if (last_changed_ && is_right(*last_changed_)) return unit.search.stall_reason(static_cast<CoreId>(*last_changed_));
  const auto first = allowed.next(unit.cores.first);
  if (!first || !is_right(*first)) return WaitReason::other_launches;  // it may only be with other dispatchers
  return unit.search.stall_reason(static_cast<CoreId>(*first));
}

/// Only where something was given back can there be room for more threads of a partial work-group.
void Dispatcher::complete_partials(DispatchUnit& unit, Picoseconds now) {
  for (auto core = unit.gained.next(0); core && !unit.is_busy(); core = unit.gained.next(*core + 1)) {
    unit.gained.erase(*core);
    const auto id = static_cast<CoreId>(unit.cores.first + *core);
    complete(unit, id, *unit.partials.on(index_of(id)), now);
    release_if_empty(unit, id);
    unit.search.gained(id);
  }
}

void Dispatcher::complete(DispatchUnit& unit, CoreId core, PartialGroup& partial, Picoseconds now) {
  const Footprint& footprint = progress_.full_footprint(partial.launch);
  const std::uint32_t room = bank_.cores[index_of(core)].thread_room(footprint);
  const std::uint32_t threads = std::min(room, partial.remaining);
  if (threads == 0) return;
  partial.remaining -= threads;
  grant(unit, partial, core, threads, now);
  if (partial.remaining > 0) return;
  if (partial.holds_port) ports_.release();
  progress_.close_partial(partial.launch);
  unit.partials.on(index_of(core)).reset();
}

/// A core belongs to no launch once it holds nothing and nothing is still to come of what it held.
void Dispatcher::release_if_empty(DispatchUnit& unit, CoreId core) {
  const std::size_t i = index_of(core);
  if (unit.partials.contains(i) || unit.partials.is_spread_on(i) || !bank_.cores[i].is_empty()) return;
  if (const auto launch = claims_.release(core)) chooser_->left_its_cores(*launch);
}

/// It has no further work-group to be placed.
void Dispatcher::dismiss(LaunchId launch, Picoseconds now) {
  const bool filled = progress_.is_fully_placed(launch);
  if (!filled) waits_.block(launch, WaitReason::contexts, now);
  if (chooser_->exhausted(launch, filled) && !filled) remainders_.push_back(launch);
}

/// Threads left over lack contexts turn by turn, although the chooser no longer names their launch.
void Dispatcher::wait_for_remainders(Picoseconds now) {
  std::erase_if(remainders_, [this](LaunchId launch) { return progress_.is_fully_placed(launch); });
  for (const LaunchId launch : remainders_) waits_.block(launch, WaitReason::contexts, now);
}

/// False if the launch's next work-group, or a part of it that was begun, has to wait.
bool Dispatcher::place_next(DispatchUnit& unit, LaunchId launch, Picoseconds now) {
  const Footprint& footprint = progress_.next_footprint(launch);
  unit.search.request(launch, footprint);
  if (unit.search.is_refused()) {
    unit.search.note_refusal();
    return false;
  }
  if (unit.search.last()->admission != Admission::spread) return place_on_one_core(unit, launch, footprint, now);
  begin_spread(unit, launch, footprint, now);
  return go_on_spreading(unit, now);
}

/// The core for a work-group that was requested: that of the batch, or one that the placement chooses.
std::optional<CoreId> Dispatcher::choose(DispatchUnit& unit, LaunchId launch) {
  if (!rules_.batch) return unit.search.choose();
  if (const auto core = unit.batch.core_for(launch); core && unit.search.offers(*core)) {
    unit.batch.go_on();
    return core;
  }
  const auto core = unit.search.choose();
  if (!core) return core;
  const std::uint64_t left = progress_.undispatched(launch);
  unit.batch.begin(*rules_.batch, launch, *core, progress_.next_number(launch) + left, left, bank_.cores.size());
  return core;
}

bool Dispatcher::place_on_one_core(DispatchUnit& unit, LaunchId launch, const Footprint& footprint, Picoseconds now) {
  const auto core = choose(unit, launch);
  if (!core) return false;
  Core& place = bank_.cores[index_of(*core)];
  if (!begins_.has_begun(launch)) begins_.begin(launch, now);
  claims_.claim(*core, launch, footprint);
  place.take_group(footprint);
  const std::uint32_t threads = std::min(place.thread_room(footprint), footprint.threads);
  PartialGroup group{launch, progress_.take_next(launch), footprint.threads, footprint.threads - threads, false};
  Grant& answer = grant(unit, group, *core, threads, now);
  answer.opens_core = answer.opens_group = true;
  if (group.remaining > 0) {
    group.holds_port = !hands_over(launch);
    if (group.holds_port) ports_.hold();
    progress_.open_partial(launch);
    unit.partials.on(index_of(*core)) = group;
  }
  unit.search.evaluate(*core);
  return true;
}

/// The next work-group becomes the one whose threads go wherever there is room.
void Dispatcher::begin_spread(DispatchUnit& unit, LaunchId launch, const Footprint& footprint, Picoseconds now) {
  if (!begins_.has_begun(launch)) begins_.begin(launch, now);
  unit.partials.spread() =
      PartialGroup{launch, progress_.take_next(launch), footprint.threads, footprint.threads, false};
  progress_.open_partial(launch);
}

/// Places threads of the spread work-group while some core has room. True once all are placed; the dispatcher places
/// nothing else before.
bool Dispatcher::go_on_spreading(DispatchUnit& unit, Picoseconds now) {
  PartialGroup& group = *unit.partials.spread();
  const Footprint& footprint = *unit.search.last()->footprint;
  while (group.remaining > 0) {
    if (unit.is_busy() || unit.search.is_refused()) return false;
    const auto core = unit.search.choose();
    if (!core) return false;
    Core& place = bank_.cores[index_of(*core)];
    const bool opens_group = group.remaining == group.group_threads;
    const bool opens_core = !unit.partials.is_spread_on(index_of(*core));
    if (opens_core) {
      claims_.claim(*core, group.launch, footprint);
      place.take_group(footprint);
    }
    unit.partials.spread_onto(index_of(*core));
    const std::uint32_t threads = std::min(place.thread_room(footprint), group.remaining);
    group.remaining -= threads;
    Grant& answer = grant(unit, group, *core, threads, now);
    answer.opens_core = opens_core;
    answer.opens_group = opens_group;
    unit.search.evaluate(*core);
  }
  progress_.close_partial(group.launch);
  for (const CoreId core : unit.partials.close_spread()) {
    release_if_empty(unit, core);
    unit.search.evaluate(core);
  }
  return true;
}

/// Takes the places of `threads` threads of `group`, of which `remaining` no longer counts them. That keeps the dispatcher
/// busy.
Grant& Dispatcher::grant(DispatchUnit& unit, const PartialGroup& group, CoreId core, std::uint32_t threads,
                         Picoseconds now) {
  const EngineSet engines =
      bank_.cores[index_of(core)].take_threads(progress_.full_footprint(group.launch), threads, now, bank_.engine_sets);
  Grant answer;
  answer.launch = group.launch;
  answer.work_group = group.work_group;
  answer.core = core;
  answer.threads = threads;
  answer.group_threads = group.group_threads;
  answer.engines = engines;
  answer.fills_group = group.remaining == 0;
  grants_.push_back(answer);
  const Picoseconds busy{std::max(per_work_group_.count, per_thread_.count * threads)};
  if (busy.count > 0) {
    unit.busy_until = now + busy;
    next_turns_.push_back(now + busy);
  }
  return grants_.back();
}

bool Dispatcher::hands_over(LaunchId launch) const {
  if (rules_.handover != Handover::barrier_or_slm) return rules_.handover == Handover::always;
  return binds_to_core(workload_.kernel_of(workload_.launches[index_of(launch)]));
}

std::uint64_t Dispatcher::evaluations() const {
  std::uint64_t sum = 0;
  for (const DispatchUnit& unit : units_) sum += unit.search.evaluations();
  return sum;
}

/// A slot is not reused at the instant at which it comes free.
bool Dispatcher::takes_time() const {
  const bool recovers = rules_.recovery && !rules_.recovery->amount.is_zero();
  return recovers || per_work_group_.count > 0 || per_thread_.count > 0;
}

bool Dispatcher::only_reuses_slots(LaunchId launch, std::uint32_t threads, std::span<const CoreId> cores) const {
  // The last turn ended when no core took the next work-group of this launch; a further one is left to be refused so.
  const bool one_by_one =
      rules_.kernel_choice == KernelChoice::head_only || rules_.kernel_choice == KernelChoice::priority;
  if (!one_by_one || units_.size() > 1 || rules_.batch || takes_time()) return false;
  const DispatchUnit& unit = units_.front();
  const auto& request = unit.search.last();
  if (!unit.search.placement_is_described() || !changed_.empty() || !unit.search.is_refused()) return false;
  if (!request || request->launch != launch || request->footprint->threads != threads) return false;
  if (request->admission == Admission::spread || unit.partials.spread() || !waits_.waits_alone(launch)) return false;
  if (!unit.idle.waiting() || unit.idle.waiting()->reason == WaitReason::ports) return false;
  if (progress_.undispatched(launch) <= 1 || !progress_.is_uniform(launch)) return false;
  return std::all_of(cores.begin(), cores.end(), [&](CoreId core) {
    return !unit.partials.contains(index_of(core)) && waits_.waits_for(launch, unit.search.stall_reason(core));
  });
}

bool Dispatcher::visit_state(StateVisitor& visitor, std::span<const LaunchId> present, Picoseconds now) {
  if (!changed_.empty()) return false;
  progress_.visit_state(visitor, present);
  claims_.visit_state(visitor);
  for (DispatchUnit& unit : units_)
    if (!unit.visit_state(visitor)) return false;
  idle_.visit_state(visitor);
  chooser_->visit_state(visitor);
  waits_.visit_state(visitor, present, now);
  begins_.visit_state(visitor, present, now);
  ports_.visit_state(visitor);
  visitor.shape(remainders_.size());
  for (LaunchId& launch : remainders_) visitor.plain(launch);
  visitor.shape(last_changed_ ? *last_changed_ + 1 : 0);
  visitor.plain(next_unit_);
  return true;
}

}  // namespace gdsim
