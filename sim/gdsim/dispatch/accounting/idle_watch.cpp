#include <gdsim/dispatch/accounting/idle_watch.hpp>

#include <gdsim/dispatch/shares/partitioning.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace gdsim {
namespace {

/// Returns a key whose order is by kernel, then reason; 0 without a reason.
std::uint64_t key_of(const std::optional<IdleReason>& reason) {
  if (!reason) return 0;
  return ((static_cast<std::uint64_t>(index_of(reason->kernel)) + 1) << 8U) |
         static_cast<std::uint64_t>(reason->reason);
}

}  // namespace

std::size_t IdleLedger::find(const std::optional<IdleReason>& reason) {
  const auto [place, is_new] = places_.try_emplace(key_of(reason), reasons_.size());
  if (is_new) {
    reasons_.push_back(reason);
    times_.emplace_back(cores_, 0);
  }
  return place->second;
}

std::vector<std::size_t> IdleLedger::in_order() const {
  std::vector<std::size_t> numbers(reasons_.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::sort(numbers.begin(), numbers.end(),
            [&](std::size_t a, std::size_t b) { return key_of(reasons_[a]) < key_of(reasons_[b]); });
  return numbers;
}

IdleUses IdleLedger::take() {
  std::vector<IdleUses::Row> rows;
  rows.reserve(reasons_.size());
  for (const std::size_t number : in_order()) {
    const std::optional<IdleReason>& reason = reasons_[number];
    IdleUses::Row& row = rows.emplace_back();
    row.context_times = std::move(times_[number]);
    if (reason) row.kernel = reason->kernel;
    if (reason) row.reason = reason->reason;
  }
  return IdleUses(std::move(rows));
}

namespace {

/// Returns true if the reason why a core rejects a work-group may depend on other cores: on where the rest of its
/// cluster fits, or where threads of the spread work-group are.
bool depends_on_other_cores(const DispatchState& state) {
  const auto& launches = state.workload.launches;
  return std::any_of(launches.begin(), launches.end(), [&](const Launch& launch) {
    if (!launch.is_kernel()) return false;
    const Kernel& kernel = state.workload.kernel_of(launch);
    return kernel.preferred_cluster_size() > 1 || admission_for(kernel, state.rules.admission) == Admission::spread;
  });
}

}  // namespace

IdleWatch::IdleWatch(const DeviceSpec& device, const DispatchState& state, const Dispatcher& dispatcher,
                     IdleLedger& ledger)
    : state_(state),
      dispatcher_(dispatcher),
      ledger_(ledger),
      contexts_per_core_(device.contexts_per_core()),
      looks_at_all_(depends_on_other_cores(state)),
      cores_(dispatcher.cores.count()) {}

void IdleWatch::on_turn_end(const LastRequest* request, std::optional<WaitReason> held_up, SimTime now) {
  std::optional<Waiting> waiting;
  if (request != nullptr)
    waiting = Waiting{state_.workload.launches[index_of(request->request.launch)].as_kernel().kernel, held_up};
  const bool is_same = current_ && waiting == waiting_ && (request == nullptr || *request == request_);
  if (is_same && !looks_at_all_) return;
  if (!is_same) {
    waiting_ = waiting;
    if (request != nullptr) request_ = *request;
  }
  wait_for(looks_at_all_ ? 0 : kind_of_waiting(), now);
  if (looks_at_all_) look_at_cores(!is_same, now);
}

/// Returns the number of the kind of work that waits now.
std::uint32_t IdleWatch::kind_of_waiting() {
  if (previous_ && is_of(kinds_[*previous_])) return *previous_;
  KindKey key{};
  if (waiting_) {
    const Request& request = request_.request;
    const std::size_t held_up = waiting_->held_up ? static_cast<std::size_t>(*waiting_->held_up) + 2 : 1;
    const bool is_of_launch = state_.rules.core_sharing == CoreSharing::exclusive || !request_.by_partition.empty();
    const LaunchId owner = is_of_launch ? request.launch : LaunchId{};
    const std::uint32_t request_class = state_.classes_by_request[request.launch];
    key = {waiting_->kernel, held_up, request_class, owner, request.footprint, request_.by_partition};
  }
  return known_kinds_.try_emplace(key, static_cast<std::uint32_t>(kinds_.size())).first->second;
}

/// Sets the kind of work that waits from now on.
void IdleWatch::wait_for(std::uint32_t kind, SimTime now) {
  if (current_ == kind) return;
  if (current_) {
    kinds_[*current_].time = kinds_[*current_].time + (now - since_);
    kinds_[*current_].until = now;
  }
  previous_ = current_;
  current_ = kind;
  since_ = now;
  recent_.touch(kind);
  if (kind == kinds_.size()) kinds_.push_back({waiting_, request_, Duration{}, now});
}

void IdleWatch::look_at_cores(bool all, SimTime now) {
  const auto look_at = [&](CoreId core) {
    settle(core, now);
    state_of(core).free = free_on(core);
    state_of(core).reason = free_on(core) > 0 ? reason_on(core, waiting_, request_) : std::nullopt;
  };
  const CoreChanges& changes = dispatcher_.search.changes();
  if (!all) changes.visit_since(seen_, look_at);
  for (std::size_t core = dispatcher_.cores.first; all && core < dispatcher_.cores.last; ++core)
    look_at(static_cast<CoreId>(core));
  seen_ = changes.clock();
}

/// Adds the core's free time to the ledger. Kinds that have waited since its last settlement come first in recent_.
void IdleWatch::settle(CoreId core, SimTime now) {
  CoreState& state = state_of(core);
  const std::uint64_t free = looks_at_all_ ? state.free : free_on(core);
  if (state.counted.size() < kinds_.size()) state.counted.resize(kinds_.size());
  for (const std::uint32_t number : recent_) {
    const WaitingWork& kind = kinds_[number];
    if (number != current_ && kind.until <= state.settled_at) break;
    const Duration waited = number == current_ ? kind.time + (now - since_) : kind.time;
    const Duration uncounted = waited - state.counted[number];
    state.counted[number] = waited;
    if (free == 0 || uncounted.count == 0) continue;
    ledger_.add(core, looks_at_all_ ? state.reason : reason_on(core, kind.waiting, kind.request),
                static_cast<Int128>(free) * uncounted.count);
  }
  state.settled_at = now;
}

/// Returns why the requested work-group is not placed on this core, or nullopt if none waits that may be placed there.
std::optional<IdleReason> IdleWatch::reason_on(CoreId core, const std::optional<Waiting>& waiting,
                                               const LastRequest& request) const {
  if (!waiting || !state_.selections.allows(request.request.launch, core)) return std::nullopt;
  const auto refusal = dispatcher_.search.refusal(request.request, request.wanted_of(dispatcher_, core), core);
  return IdleReason{waiting->kernel, refusal ? *refusal : waiting->held_up.value_or(WaitReason::ports)};
}

void IdleWatch::settle_all(SimTime now) {
  for (std::size_t i = 0; i < cores_.size(); ++i) settle(static_cast<CoreId>(dispatcher_.cores.first + i), now);
  if (!current_) return;
  kinds_[*current_].time = kinds_[*current_].time + (now - since_);
  since_ = now;
}

}  // namespace gdsim
