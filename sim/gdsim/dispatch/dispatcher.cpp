#include <gdsim/dispatch/dispatcher.hpp>

#include <gdsim/dispatch/admission.hpp>

#include <algorithm>

namespace gdsim {

Dispatcher::Dispatcher(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       std::unique_ptr<Placement> placement, CoreBank& bank)
    : rules_(rules),
      workload_(workload),
      bank_(bank),
      progress_(device, workload),
      partials_(bank.cores.size()),
      search_(device, rules, workload, std::move(placement), bank, progress_, partials_),
      idle_(device, workload, bank, partials_, search_),
      chooser_(make_kernel_chooser(rules, workload, search_.selections())),
      kinds_(asking_alike(workload, search_.selections())),
      waits_(workload.launches.size()),
      ports_(rules.ports),
      changed_(bank.cores.size()) {}

std::span<const Grant> Dispatcher::turn(Picoseconds now) {
  grants_.clear();
  waits_.settle(now);
  chooser_->begin_turn();
  complete_partials(now);
  wait_for_remainders(now);
  if (partials_.spread() && !go_on_spreading(now)) {
    block(partials_.spread()->launch, why_no_core(), now);
  } else {
    while (const auto launch = chooser_->next(may_begin())) {
      if (!progress_.has_next(*launch)) {
        dismiss(*launch, now);
      } else if (!ports_.has_free()) {
        block(*launch, WaitReason::ports, now);
      } else if (place_next(*launch, now)) {
        chooser_->placed(*launch);
      } else {
        if (partials_.spread()) chooser_->placed(*launch);
        block(*launch, why_no_core(), now);
        if (partials_.spread()) break;
      }
    }
  }
  const auto& request = search_.last();
  idle_.turn_is_over(request && (progress_.has_next(request->launch) || partials_.spread()), ports_.has_free(), now);
  return grants_;
}

MayBegin Dispatcher::may_begin() const {
  const auto most = rules_.concurrent_kernels.count;
  return !most || begun_ < *most ? MayBegin::yes : MayBegin::no;
}

void Dispatcher::block(LaunchId launch, WaitReason reason, Picoseconds now) {
  waits_.block(launch, reason, now);
  chooser_->blocked(launch);
}

/// Why no core takes the requested work-group: seen on the core that was last given something back, if the launch may
/// be there, else on its first core.
WaitReason Dispatcher::why_no_core() const {
  const IndexSet& allowed = search_.selections().of(search_.last()->launch);
  const std::size_t core =
      last_changed_ && allowed.contains(*last_changed_) ? *last_changed_ : *allowed.next(0);
  return search_.stall_reason(static_cast<CoreId>(core));
}

/// Only where something was given back can there be room for more threads of a partial work-group.
void Dispatcher::complete_partials(Picoseconds now) {
  if (const auto first = changed_.next(0)) last_changed_ = first;
  for (auto core = changed_.next(0); core; core = changed_.next(*core + 1)) {
    changed_.erase(*core);
    const auto id = static_cast<CoreId>(*core);
    if (partials_.contains(*core)) complete(id, *partials_.on(*core), now);
    release_if_empty(id);
    search_.gained(id);
  }
}

void Dispatcher::complete(CoreId core, PartialGroup& partial, Picoseconds now) {
  const Footprint& footprint = progress_.full_footprint(partial.launch);
  const std::uint32_t room = bank_.cores[index_of(core)].thread_room(footprint);
  const std::uint32_t threads = std::min(room, partial.remaining);
  if (threads == 0) return;
  partial.remaining -= threads;
  grant(partial, core, threads, now);
  if (partial.remaining > 0) return;
  if (partial.holds_port) ports_.release();
  progress_.close_partial(partial.launch);
  partials_.on(index_of(core)).reset();
}

/// A core belongs to no launch once it holds nothing and nothing is still to come of what it held.
void Dispatcher::release_if_empty(CoreId core) {
  const std::size_t i = index_of(core);
  if (partials_.contains(i) || partials_.spread_cores().contains(i) || !bank_.cores[i].is_empty()) return;
  if (const auto launch = search_.claims().release(core)) chooser_->left_its_cores(*launch);
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

void Dispatcher::begin(LaunchId launch) {
  if (!progress_.has_begun(launch) && counts(launch)) ++begun_;
}

/// False if the launch's next work-group has to wait.
bool Dispatcher::place_next(LaunchId launch, Picoseconds now) {
  const Footprint& footprint = progress_.next_footprint(launch);
  search_.request(launch, footprint);
  if (search_.is_refused()) {
    search_.note_refusal();
    return false;
  }
  if (search_.last()->admission != Admission::spread) return place_on_one_core(launch, footprint, now);
  begin_spread(launch, footprint);
  return go_on_spreading(now);
}

bool Dispatcher::place_on_one_core(LaunchId launch, const Footprint& footprint, Picoseconds now) {
  const auto core = search_.choose();
  if (!core) return false;
  Core& place = bank_.cores[index_of(*core)];
  begin(launch);
  search_.claims().claim(*core, launch, footprint);
  place.take_group(footprint);
  const std::uint32_t threads = std::min(place.thread_room(footprint), footprint.threads);
  PartialGroup group{launch, progress_.take_next(launch), footprint.threads, footprint.threads - threads, false};
  Grant& answer = grant(group, *core, threads, now);
  answer.opens_core = answer.opens_group = true;
  if (group.remaining > 0) {
    group.holds_port = !hands_over(launch);
    if (group.holds_port) ports_.hold();
    progress_.open_partial(launch);
    partials_.on(index_of(*core)) = group;
  }
  search_.evaluate(*core);
  return true;
}

/// The next work-group becomes the one whose threads go wherever there is room.
void Dispatcher::begin_spread(LaunchId launch, const Footprint& footprint) {
  begin(launch);
  partials_.spread() = PartialGroup{launch, progress_.take_next(launch), footprint.threads, footprint.threads, false};
  progress_.open_partial(launch);
}

/// Places threads of the spread work-group while some core has room. True once all are placed; nothing else is
/// dispatched before.
bool Dispatcher::go_on_spreading(Picoseconds now) {
  PartialGroup& group = *partials_.spread();
  IndexSet& cores = partials_.spread_cores();
  const Footprint& footprint = *search_.last()->footprint;
  while (group.remaining > 0) {
    if (search_.is_refused()) return false;
    const auto core = search_.choose();
    if (!core) return false;
    Core& place = bank_.cores[index_of(*core)];
    const bool opens_group = group.remaining == group.group_threads;
    const bool opens_core = !cores.contains(index_of(*core));
    if (opens_core) {
      search_.claims().claim(*core, group.launch, footprint);
      place.take_group(footprint);
    }
    cores.insert(index_of(*core));
    const std::uint32_t threads = std::min(place.thread_room(footprint), group.remaining);
    group.remaining -= threads;
    Grant& answer = grant(group, *core, threads, now);
    answer.opens_core = opens_core;
    answer.opens_group = opens_group;
    search_.evaluate(*core);
  }
  progress_.close_partial(group.launch);
  partials_.spread().reset();
  for (auto core = cores.next(0); core; core = cores.next(*core + 1)) {
    cores.erase(*core);
    release_if_empty(static_cast<CoreId>(*core));
    search_.evaluate(static_cast<CoreId>(*core));
  }
  return true;
}

/// Takes the places of `threads` threads of `group`, of which `remaining` no longer counts them.
Grant& Dispatcher::grant(const PartialGroup& group, CoreId core, std::uint32_t threads, Picoseconds now) {
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
  return grants_.back();
}

bool Dispatcher::hands_over(LaunchId launch) const {
  if (rules_.handover != Handover::barrier_or_slm) return rules_.handover == Handover::always;
  return binds_to_core(workload_.kernel_of(workload_.launches[index_of(launch)]));
}

bool Dispatcher::only_reuses_slots(LaunchId launch, std::uint32_t threads, std::span<const CoreId> cores) const {
  // The last turn ended when no core took the next work-group of this launch; a further one is left to be refused so.
  const bool one_by_one =
      rules_.kernel_choice == KernelChoice::head_only || rules_.kernel_choice == KernelChoice::priority;
  const auto& request = search_.last();
  if (!one_by_one || !search_.placement_is_described() || !changed_.empty() || !search_.is_refused()) return false;
  if (!request || request->launch != launch || request->footprint->threads != threads) return false;
  if (request->admission == Admission::spread || partials_.spread() || !waits_.waits_alone(launch)) return false;
  if (!idle_.waiting() || idle_.waiting()->reason == WaitReason::ports) return false;
  if (progress_.undispatched(launch) <= 1 || !progress_.is_uniform(launch)) return false;
  return std::all_of(cores.begin(), cores.end(), [&](CoreId core) {
    return !partials_.contains(index_of(core)) && waits_.waits_for(launch, search_.stall_reason(core));
  });
}

bool Dispatcher::visit_state(StateVisitor& visitor, std::span<const LaunchId> present) {
  if (!changed_.empty()) return false;
  progress_.visit_state(visitor, present);
  partials_.visit_state(visitor);
  if (!search_.visit_state(visitor)) return false;
  idle_.visit_state(visitor);
  chooser_->visit_state(visitor);
  waits_.visit_state(visitor, present);
  visitor.plain(begun_);
  ports_.visit_state(visitor);
  visitor.shape(remainders_.size());
  for (LaunchId& launch : remainders_) visitor.plain(launch);
  visitor.shape(last_changed_ ? *last_changed_ + 1 : 0);
  return true;
}

}  // namespace gdsim
