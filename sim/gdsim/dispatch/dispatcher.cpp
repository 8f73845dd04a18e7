#include <gdsim/dispatch/dispatcher.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/dispatch/admission.hpp>
#include <gdsim/dispatch/questions.hpp>
#include <gdsim/dispatch/shortage.hpp>

#include <algorithm>

namespace gdsim {
namespace {

std::vector<CoreId> order_of_ties(const Placement& placement, const DeviceSpec& device) {
  return placement.positions() == Positions::by_tie_order ? device.tie_order : std::vector<CoreId>{};
}

}  // namespace

Dispatcher::Dispatcher(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       std::unique_ptr<Placement> placement, CoreBank& bank)
    : rules_(rules),
      workload_(workload),
      placement_(std::move(placement)),
      bank_(bank),
      selections_(workload, bank.cores.size()),
      claims_(rules, workload.launches.size(), bank.cores.size()),
      chooser_(make_kernel_chooser(rules, workload, selections_)),
      progress_(device, workload),
      kinds_(asking_alike(workload, selections_)),
      questions_(equal_questions(workload, selections_, progress_, rules.admission)),
      refusals_(question_count(), bank.cores.size()),
      waits_(workload.launches.size()),
      ports_(rules.ports),
      partials_(bank.cores.size()),
      spread_over_(bank.cores.size()),
      candidates_(bank.cores.size(), order_of_ties(*placement_, device)),
      changed_(bank.cores.size()),
      judged_(bank.cores.size()),
      idle_(bank.cores.size()),
      contexts_per_core_(device.contexts_per_core()),
      has_plain_order_(rules.kernel_choice == KernelChoice::head_only ||
                       rules.kernel_choice == KernelChoice::priority) {
  StateWords state;
  has_plain_order_ &= placement_->tell_state(state);
  placement_remembers_ = state.size() > 0;
  for (std::size_t core = 0; core < bank.cores.size(); ++core) judged_.insert(core);
}

void Dispatcher::place_what_fits(Picoseconds now) {
  grants_.clear();
  waits_.settle(now);
  chooser_->begin_turn();
  complete_partials(now);
  wait_for_rests(now);
  if (spreading_ && !go_on_spreading(now)) {
    block(spreading_->launch, why_no_core(spreading_->launch), now);
    return;
  }
  while (const auto launch = chooser_->next(may_begin())) {
    if (!progress_.has_next(*launch)) {
      dismiss(*launch, now);
    } else if (!ports_.has_free()) {
      block(*launch, WaitReason::ports, now);
    } else if (place_next(*launch, now)) {
      chooser_->placed(*launch);
    } else {
      if (spreading_) chooser_->placed(*launch);
      block(*launch, why_no_core(*launch), now);
      if (spreading_) break;
    }
  }
}

/// Contexts that are free after a turn stay so until the next.
void Dispatcher::note_idle(Picoseconds now) {
  std::optional<IdleCause> waiting;
  if (asker_ && (progress_.has_next(*asker_) || spreading_))
    waiting = IdleCause{workload_.launches[index_of(*asker_)].kernel,
                        ports_.has_free() ? WaitReason::contexts : WaitReason::ports};
  if (waiting != waiting_ || asker_ != idle_asker_ || asked_of_ != idle_of_)
    for (std::size_t core = 0; core < bank_.cores.size(); ++core) judged_.insert(core);
  waiting_ = waiting;
  idle_asker_ = asker_;
  idle_of_ = asked_of_;
  for (auto core = judged_.next(0); core; core = judged_.next(*core + 1)) {
    judged_.erase(*core);
    const std::uint64_t free = contexts_per_core_ - bank_.cores[*core].held_contexts();
    idle_.set(static_cast<CoreId>(*core), free, free > 0 ? why_idle(*core) : std::nullopt, now);
  }
}

/// What keeps the work-group that was asked for last from this core. Nothing if none waits that may come here.
std::optional<IdleCause> Dispatcher::why_idle(std::size_t core) const {
  const auto id = static_cast<CoreId>(core);
  if (!waiting_ || !selections_.allows(*asker_, id)) return std::nullopt;
  const Core& place = bank_.cores[core];
  if (partials_[core]) return IdleCause{waiting_->kernel, WaitReason::contexts};
  if (const auto bar = claims_.bar(id, place, *asker_, asked_)) return IdleCause{waiting_->kernel, *bar};
  if (admits_asked(id)) return IdleCause{waiting_->kernel, WaitReason::ports};
  return IdleCause{waiting_->kernel, shortage(place, asked_, asked_admission_)};
}

MayBegin Dispatcher::may_begin() const {
  const auto most = rules_.concurrent_kernels.count;
  return !most || begun_ < *most ? MayBegin::yes : MayBegin::no;
}

void Dispatcher::block(LaunchId launch, WaitReason reason, Picoseconds now) {
  waits_.block(launch, reason, now);
  chooser_->blocked(launch);
}

/// Why no core takes the work-group that was asked for last: seen on the core that was last given something back, if
/// the launch may be there, else on its first core.
WaitReason Dispatcher::why_no_core(LaunchId launch) const {
  const IndexSet& allowed = selections_.of(launch);
  return why_not_there(launch, last_changed_ && allowed.contains(*last_changed_) ? *last_changed_ : *allowed.next(0));
}

WaitReason Dispatcher::why_not_there(LaunchId launch, std::size_t core) const {
  if (partials_[core]) return WaitReason::contexts;
  const Core& place = bank_.cores[core];
  if (const auto bar = claims_.bar(static_cast<CoreId>(core), place, launch, asked_)) return *bar;
  return shortage(place, asked_, asked_admission_);
}

/// Only where something was given back can there be room for more threads of a partial work-group.
void Dispatcher::complete_partials(Picoseconds now) {
  if (const auto first = changed_.next(0)) last_changed_ = first;
  for (auto core = changed_.next(0); core; core = changed_.next(*core + 1)) {
    changed_.erase(*core);
    const auto id = static_cast<CoreId>(*core);
    if (partials_[*core]) complete(id, *partials_[*core], now);
    release_if_empty(id);
    refusals_.gained(id);
    judge(id);
  }
}

void Dispatcher::complete(CoreId core, Unfinished& partial, Picoseconds now) {
  const Footprint& footprint = progress_.full_footprint(partial.launch);
  const std::uint32_t room = bank_.cores[index_of(core)].thread_room(footprint);
  const std::uint32_t threads = std::min(room, partial.remaining);
  if (threads == 0) return;
  partial.remaining -= threads;
  grant(partial, core, threads, now);
  if (partial.remaining > 0) return;
  if (partial.holds_port) ports_.release();
  progress_.close_partial(partial.launch);
  partials_[index_of(core)].reset();
}

/// A core belongs to nobody once it holds nothing and nothing is still to come of what it held.
void Dispatcher::release_if_empty(CoreId core) {
  const std::size_t i = index_of(core);
  if (partials_[i] || spread_over_.contains(i) || !bank_.cores[i].is_empty()) return;
  if (const auto launch = claims_.release(core)) chooser_->left_its_cores(*launch);
}

/// It has no further work-group to be asked for.
void Dispatcher::dismiss(LaunchId launch, Picoseconds now) {
  const bool filled = progress_.is_fully_placed(launch);
  if (!filled) waits_.block(launch, WaitReason::contexts, now);
  if (chooser_->exhausted(launch, filled) && !filled) rests_.push_back(launch);
}

/// Threads left over lack contexts turn by turn, although nobody is asked for them.
void Dispatcher::wait_for_rests(Picoseconds now) {
  std::erase_if(rests_, [this](LaunchId launch) { return progress_.is_fully_placed(launch); });
  for (const LaunchId launch : rests_) waits_.block(launch, WaitReason::contexts, now);
}

void Dispatcher::begin(LaunchId launch) {
  if (!progress_.has_begun(launch) && counts(launch)) ++begun_;
}

/// False if the launch's next work-group has to wait.
bool Dispatcher::place_next(LaunchId launch, Picoseconds now) {
  const Footprint& footprint = progress_.next_footprint(launch);
  ask_for(launch, footprint);
  if (candidates_.empty()) {
    refusals_.refused(question_of(launch), footprint);
    return false;
  }
  if (asked_admission_ != Admission::spread) return place_on_one_core(launch, footprint, now);
  begin_spread(launch, footprint);
  return go_on_spreading(now);
}

bool Dispatcher::place_on_one_core(LaunchId launch, const Footprint& footprint, Picoseconds now) {
  const auto core = choose();
  if (!core) return false;
  Core& place = bank_.cores[index_of(*core)];
  begin(launch);
  claims_.claim(*core, launch, footprint);
  place.take_group(footprint);
  const std::uint32_t threads = std::min(place.thread_room(footprint), footprint.threads);
  Unfinished group{launch, progress_.take_next(launch), footprint.threads, footprint.threads - threads, false};
  Grant& answer = grant(group, *core, threads, now);
  answer.opens_core = answer.opens_group = true;
  if (group.remaining > 0) {
    group.holds_port = !hands_over(launch);
    if (group.holds_port) ports_.hold();
    progress_.open_partial(launch);
    partials_[index_of(*core)] = group;
  }
  judge(*core);
  return true;
}

/// The next work-group becomes the one whose threads go wherever there is room.
void Dispatcher::begin_spread(LaunchId launch, const Footprint& footprint) {
  begin(launch);
  spreading_ = Unfinished{launch, progress_.take_next(launch), footprint.threads, footprint.threads, false};
  progress_.open_partial(launch);
}

/// Places threads of the spread work-group while some core has room. True once all are placed; nothing else is
/// dispatched before.
bool Dispatcher::go_on_spreading(Picoseconds now) {
  Unfinished& group = *spreading_;
  while (group.remaining > 0) {
    if (candidates_.empty()) return false;
    const auto core = choose();
    if (!core) return false;
    Core& place = bank_.cores[index_of(*core)];
    const bool opens_group = group.remaining == group.group_threads;
    const bool opens_core = !spread_over_.contains(index_of(*core));
    if (opens_core) {
      claims_.claim(*core, group.launch, asked_);
      place.take_group(asked_);
    }
    spread_over_.insert(index_of(*core));
    const std::uint32_t threads = std::min(place.thread_room(asked_), group.remaining);
    group.remaining -= threads;
    Grant& answer = grant(group, *core, threads, now);
    answer.opens_core = opens_core;
    answer.opens_group = opens_group;
    judge(*core);
  }
  progress_.close_partial(group.launch);
  spreading_.reset();
  for (auto core = spread_over_.next(0); core; core = spread_over_.next(*core + 1)) {
    spread_over_.erase(*core);
    release_if_empty(static_cast<CoreId>(*core));
    judge(static_cast<CoreId>(*core));
  }
  return true;
}

std::optional<CoreId> Dispatcher::choose() {
  const auto position = placement_->choose(candidates_.best());
  if (!position) return std::nullopt;
  GDSIM_CHECK(*position < bank_.cores.size() && candidates_.best().contains(*position),
              "a placement chose a core that it was not offered");
  return candidates_.core_at(*position);
}

/// Takes the places of `threads` threads of `group`, of which `remaining` no longer counts them.
Grant& Dispatcher::grant(const Unfinished& group, CoreId core, std::uint32_t threads, Picoseconds now) {
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

std::size_t Dispatcher::question_count() const {
  const auto highest = std::max_element(questions_.begin(), questions_.end());
  const std::size_t questions = highest == questions_.end() ? 0 : std::size_t{*highest} + 1;
  return rules_.core_sharing == CoreSharing::exclusive ? questions_.size() + questions : questions;
}

/// Launches that ask the same are answered alike, but for one that has cores of its own.
std::size_t Dispatcher::question_of(LaunchId launch) const {
  if (claims_.owns_cores(launch)) return index_of(launch);
  return questions_[index_of(launch)] + (rules_.core_sharing == CoreSharing::exclusive ? questions_.size() : 0);
}

/// Candidates are judged anew only when the question changes (whoever asks it), and if it is known that all cores
/// refused it, only those that have gained since; afterwards core by core.
void Dispatcher::ask_for(LaunchId launch, const Footprint& footprint) {
  if (launch == asker_ && &footprint == asked_of_) return;
  const std::size_t question = question_of(launch);
  const bool is_same = &footprint == asked_of_ && question == question_of(*asker_);
  asker_ = launch;
  if (is_same) return;
  asked_of_ = &footprint;
  asked_ = footprint;
  asked_admission_ = admission_for(kernel_of(launch), rules_.admission);
  if (refusals_.knows(question, footprint)) {
    candidates_.clear();
    refusals_.visit_changed(question, [this](CoreId core) { judge(core); });
  } else {
    for (std::size_t core = 0; core < bank_.cores.size(); ++core) judge(static_cast<CoreId>(core));
  }
}

void Dispatcher::judge(CoreId core) {
  ++judgements_;
  judged_.insert(index_of(core));
  if (asker_ && admits_asked(core)) {
    candidates_.put(core, placement_->level(bank_.cores[index_of(core)], progress_.full_footprint(*asker_)));
  } else {
    candidates_.erase(core);
  }
}

bool Dispatcher::admits_asked(CoreId core) const {
  const Core& place = bank_.cores[index_of(core)];
  if (partials_[index_of(core)]) return false;
  // Where threads of the spread work-group already are, its group resources are taken.
  if (spread_over_.contains(index_of(core))) return place.thread_room(asked_) > 0;
  return selections_.allows(*asker_, core) && !claims_.bar(core, place, *asker_, asked_) &&
         admits(asked_admission_, place, asked_);
}

bool Dispatcher::hands_over(LaunchId launch) const {
  if (rules_.handover != Handover::barrier_or_slm) return rules_.handover == Handover::always;
  return binds_to_core(kernel_of(launch));
}

const Kernel& Dispatcher::kernel_of(LaunchId launch) const {
  return workload_.kernel_of(workload_.launches[index_of(launch)]);
}

}  // namespace gdsim
