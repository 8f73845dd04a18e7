#include <gdsim/run/ensemble/ensemble.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/run/broadcast.hpp>
#include <gdsim/run/device_run.hpp>
#include <gdsim/run/ensemble/common_critical_path.hpp>
#include <gdsim/run/ensemble/common_record.hpp>
#include <gdsim/run/ensemble/exchanges.hpp>
#include <gdsim/run/ensemble/launch_owners.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

constexpr SimTime kNever{std::numeric_limits<std::int64_t>::max()};

/// One device among those that run together.
class Member {
 public:
  Member(const CompiledParts& parts, const SwitchedRunOptions& options)
      : run_(parts, options), broadcast_(*run_.model(), run_.observers(), options.stop) {}

  Model& model() { return *run_.model(); }
  DeviceRun& run() { return run_; }
  bool is_done() { return model().is_done(); }
  /// The next time at which something happens here; kNever if nothing will, or it is done.
  SimTime next() {
    if (is_done()) return kNever;
    return model().state().events.instant_is_over() ? model().next_time().value_or(kNever) : model().now();
  }
  /// The instant `at` has come, which is next().
  void begin() {
    model().begin_instant();
    is_in_instant_ = true;
    facts_seen_ = 0;
  }
  bool has_rank() { return is_in_instant_ && !model().state().events.instant_is_over(); }
  std::size_t lowest_rank() { return model().state().events.lowest_rank(); }
  void handle() { model().handle(model().state().events.pop_rank()); }
  /// Calls `use(launch)` for each launch of the host that has ended since the last call.
  template <class Use>
  void take_ends(Use use) {
    for (; facts_seen_ < model().launch_facts().size(); ++facts_seen_) {
      const LaunchFact fact = model().launch_facts()[facts_seen_];
      if (fact.kind == LaunchFact::Kind::ends) use(fact.launch);
    }
  }
  bool is_in_instant() const { return is_in_instant_; }
  void end() {
    model().end_instant();
    for (const Fact& fact : model().facts()) {
      if (fact.kind == FactKind::placed) resident_ += fact.threads;
      if (fact.kind == FactKind::released) resident_ -= fact.threads;
    }
    broadcast_.report();
    is_in_instant_ = false;
  }
  /// Threads that hold a context.
  std::uint64_t resident() const { return resident_; }
  bool gives_up(std::uint64_t events) const { return broadcast_.gives_up(events); }

 private:
  DeviceRun run_;
  Broadcast broadcast_;
  bool is_in_instant_ = false;
  std::uint64_t resident_ = 0;
  std::size_t facts_seen_ = 0;  ///< of this instant's launch_facts()
};

/// Devices that advance together, from one instant at which something happens on some of them to the next.
class Ensemble {
 public:
  Ensemble(std::span<const CompiledParts* const> devices, const EnsembleInput& input)
      : owners_(devices),
        exchanges_(input.links, input.collectives),
        bounds_(input.options.front().bounds),
        stop_(input.options.front().stop) {
    for (std::size_t i = 0; i < devices.size(); ++i)
      members_.push_back(std::make_unique<Member>(*devices[i], input.options[i]));
    for (const auto& one : members_) next_.push_back(one->next());
  }

  RunEnd drive() {
    while (true) {
      SimTime next = next_time();
      if (next == kNever) return RunEnd::nothing_pending;
      if (bounds_.time && next > *bounds_.time) next = wait_for_bound();
      take_instant(next);
      if (stop_.stop_requested()) return RunEnd::stop_requested;
      if (has_all_events() || (bounds_.time && next >= *bounds_.time)) return RunEnd::bound_reached;
    }
  }

  EnsembleResult conclude(RunEnd reason) {
    std::vector<RunResult> results;
    for (const auto& one : members_) results.push_back(one->run().conclude(reason, {}));
    std::vector<const CompiledParts*> devices;
    for (const auto& one : members_) devices.push_back(&one->run().parts());
    find_common_critical_path(devices, owners_, results);
    RunRecord all = common_record(results, owners_, peak_resident_);
    return {std::move(results), std::move(all)};
  }

 private:
  SimTime next_time() const {
    const SimTime next = *std::min_element(next_.begin(), next_.end());
    return std::min(next, exchanges_.next().value_or(kNever));
  }

  /// What lies behind the bound does not happen: the run ends there.
  SimTime wait_for_bound() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      Member& one = *members_[i];
      if (one.is_done() || one.model().now() >= *bounds_.time) continue;
      one.model().schedule_empty_instant(*bounds_.time);
      next_[i] = *bounds_.time;
    }
    return *bounds_.time;
  }

  void begin(std::uint32_t device) {
    if (members_[device]->is_in_instant()) return;
    members_[device]->begin();
    in_instant_.push_back(device);
  }

  /// Everything that happens at this time, rank by rank, on all devices.
  void take_instant(SimTime now) {
    in_instant_.clear();
    if (exchanges_.next() == now) end_exchanges(now);
    for (std::uint32_t device = 0; device < members_.size(); ++device)
      if (next_[device] == now) begin(device);
    const std::uint64_t before = events();
    while (const auto rank = lowest_rank()) {
      if (members_.front()->gives_up(events() - before)) break;
      // Devices that come into the instant meanwhile are behind those that are in it.
      for (std::size_t i = 0; i < in_instant_.size(); ++i)
        if (Member& one = *members_[in_instant_[i]]; one.has_rank() && one.lowest_rank() == *rank) one.handle();
      for (std::size_t i = 0; i < in_instant_.size(); ++i) report_ends(in_instant_[i], now);
    }
    std::sort(in_instant_.begin(), in_instant_.end());
    for (const std::uint32_t device : in_instant_) begin_exchanges(device, now);
    for (const std::uint32_t device : in_instant_) {
      Member& one = *members_[device];
      resident_ -= one.resident();
      one.end();
      resident_ += one.resident();
      next_[device] = one.next();
    }
    peak_resident_ = std::max(peak_resident_, resident_);
  }

  /// What goes over links is done, before anything happens on a device.
  void end_exchanges(SimTime now) {
    const Exchanges::Ends ends = exchanges_.advance(now);
    for (const Exchanges::Part& copy : ends.copies) {
      members_[copy.device]->model().link_copy_ends(copy.launch, now);
      next_[copy.device] = now;
    }
    for (const Exchanges::Part& part : ends.exchanges) {
      members_[part.device]->model().exchange_ends(part.launch, now);
      next_[part.device] = now;
    }
  }

  /// Everything has happened on the devices: what this one has given to links begins.
  void begin_exchanges(std::uint32_t device, SimTime now) {
    Model& model = members_[device]->model();
    for (const LaunchId launch : model.take_link_copies()) {
      const Copy& copy = model.state().workload.launches[index_of(launch)].as_copy();
      exchanges_.begin_copy(now, {device, launch}, copy.device, copy.bytes);
    }
    for (const LaunchId launch : model.take_exchanges()) exchanges_.arrive(now, {device, launch});
  }

  std::optional<std::size_t> lowest_rank() {
    std::optional<std::size_t> lowest;
    for (const std::uint32_t device : in_instant_)
      if (Member& one = *members_[device]; one.has_rank() && (!lowest || one.lowest_rank() < *lowest))
        lowest = one.lowest_rank();
    return lowest;
  }

  /// Reports what has ended on one device to those that wait for it.
  void report_ends(std::uint32_t from, SimTime now) {
    Member& one = *members_[from];
    one.take_ends([&](LaunchId launch) {
      if (index_of(launch) >= owners_.count() || owners_.owner_of(launch) != from) return;
      const LaunchRecord& record = one.model().state().launches.record(launch);
      const SimTime begun = record.begun ? *record.begun : *record.first_dispatched;
      for (const std::uint32_t device : owners_.waiting(launch)) {
        Member& other = *members_[device];
        if (other.is_done()) continue;
        other.model().elsewhere_ends(launch, begun, now);
        begin(device);
      }
    });
  }

  std::uint64_t events() {
    std::uint64_t sum = 0;
    for (const auto& one : members_) sum += one->model().events();
    return sum;
  }
  bool has_all_events() { return bounds_.events && events() >= *bounds_.events; }

  LaunchOwners owners_;
  Exchanges exchanges_;
  RunBounds bounds_;
  StopToken stop_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<SimTime> next_;              ///< by member: its next()
  std::vector<std::uint32_t> in_instant_;  ///< members at which something happens now
  std::uint64_t resident_ = 0;             ///< threads on all of them
  std::uint64_t peak_resident_ = 0;
};

}  // namespace

EnsembleResult simulate_devices(const EnsembleInput& input) {
  GDSIM_CHECK(!input.devices.empty() && input.devices.size() == input.options.size(),
              "each device needs options of its own");
  std::vector<const CompiledParts*> parts;
  for (const Compiled& one : input.devices) parts.push_back(&CompiledParts::of(one));
  Ensemble ensemble(parts, input);
  return ensemble.conclude(ensemble.drive());
}

}  // namespace gdsim
