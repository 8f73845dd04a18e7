#include <gdsim/run/ensemble/ensemble.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/ensemble/lookahead.hpp>
#include <gdsim/run/ensemble/member.hpp>
#include <gdsim/run/governed_clock.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of instants that a device advances alone before the others follow. Its changes of resident
/// threads are kept in memory until then.
constexpr std::uint64_t kMaxStretch = 262'144;
/// Each device gets its own thread if at least two devices advanced this number of instants alone.
constexpr std::uint64_t kMinStretchOfThread = 2'048;
/// The maximum number of devices that a Lookahead supports.
constexpr std::size_t kMaxApart = 64;

/// Devices that advance together: each alone as far as no other can affect it, else all through one instant.
class Ensemble {
 public:
  Ensemble(std::span<const CompiledParts* const> devices, const EnsembleInput& input)
      : owners_(devices),
        collectives_(input.collectives),
        exchanges_(input.links, input.collectives),
        bounds_(input.options.front().bounds),
        jobs_(input.jobs),
        instant_(members_, owners_),
        resident_(devices.size()) {
    for (std::uint32_t i = 0; i < devices.size(); ++i)
      members_.push_back(std::make_unique<Member>(*devices[i], input.options[i], owners_, i));
    // A bound on events counts the events of all devices, instant by instant.
    if (input.pace == Pace::apart && !bounds_.events && devices.size() <= kMaxApart)
      lookahead_.emplace(devices, owners_, input.links, input.collectives);
  }

  /// Advances each device alone, or else all through one instant.
  bool advance() {
    take_what_links_do();
    SimTime next = next_time();
    if (next == kEndOfTime) return false;
    if (bounds_.time && next > *bounds_.time) {
      next = wait_for_bound();
    } else if (go_apart()) {
      return true;
    }
    take_instant(next);
    now_ = next;
    return true;
  }
  bool is_done() const {
    return std::all_of(members_.begin(), members_.end(), [](const auto& member) { return member->is_done(); });
  }
  /// The last instant that all devices took together.
  SimTime now() const { return now_; }
  std::uint64_t events() const {
    std::uint64_t sum = 0;
    for (const auto& member : members_) sum += member->model().events();
    return sum;
  }

  EnsembleResult conclude(RunEnd reason) {
    // A stop may be requested while devices are within an instant.
    for (const auto& member : members_)
      if (member->is_in_instant()) member->end();
    take_residents(kEndOfTime);
    std::vector<RunResult> results;
    for (const auto& member : members_) results.push_back(member->run().conclude(reason));
    std::vector<const CompiledParts*> devices;
    for (const auto& member : members_) devices.push_back(&member->run().parts());
    find_common_critical_path(devices, owners_, collectives_, results);
    RunRecord common = common_record(results, owners_, resident_.peak());
    return {std::move(results), std::move(common)};
  }

 private:
  /// A copy, or a part of a collective, that a device has handed to the links.
  struct Departure {
    SimTime at;
    Exchanges::Part part;
    bool is_copy = false;
  };

  SimTime next_of_members() const {
    SimTime next = kEndOfTime;
    for (const auto& member : members_) next = std::min(next, member->next());
    return next;
  }
  SimTime next_of_links() const { return exchanges_.next().value_or(kEndOfTime); }
  SimTime next_time() const { return std::min(next_of_members(), next_of_links()); }

  /// Adds an empty instant at the bound, after which the run ends.
  SimTime wait_for_bound() {
    for (const auto& member : members_) {
      if (member->is_done() || member->model().now() >= *bounds_.time) continue;
      member->model().schedule_empty_instant(*bounds_.time);
      member->find_next();
    }
    return *bounds_.time;
  }

  /// Advances the links as far as all devices are. Within one instant, ends on links come before all events of devices,
  /// and new departures after these.
  void take_what_links_do() {
    SimTime devices = next_of_members();
    while (true) {
      const SimTime links = next_of_links();
      const SimTime departure = departures_.empty() ? kEndOfTime : departures_.front().at;
      if (links != kEndOfTime && links <= devices && links <= departure && !is_behind_bound(links)) {
        end_exchanges(links);
        devices = next_of_members();
      } else if (departure < devices) {
        depart(departures_.front());
        departures_.erase(departures_.begin());
      } else {
        return;
      }
    }
  }
  bool is_behind_bound(SimTime time) const { return bounds_.time && time > *bounds_.time; }

  void end_exchanges(SimTime now) {
    const Exchanges::Ends ends = exchanges_.advance(now);
    const auto land = [&](const Exchanges::Part& part) {
      GDSIM_CHECK(members_[part.device]->model().now() < now, "a device went past what reached it over a link");
      members_[part.device]->find_next();
      if (lookahead_) lookahead_->on_transfers_ended(part.launch);
    };
    for (const Exchanges::Part& copy : ends.copies) {
      members_[copy.device]->model().schedule_link_copy_end(copy.launch, now);
      land(copy);
    }
    for (const Exchanges::Part& part : ends.exchanges) {
      members_[part.device]->model().end_exchange(part.launch, now);
      land(part);
    }
  }

  void depart(const Departure& departure) {
    if (departure.is_copy) {
      const Workload& workload = members_[departure.part.device]->model().state().workload;
      const Copy& copy = workload.launches[index_of(departure.part.launch)].as_copy();
      exchanges_.begin_copy(departure.at, departure.part, number_of(copy.device), copy.bytes);
    } else {
      exchanges_.arrive(departure.at, departure.part);
    }
    if (lookahead_) lookahead_->on_handed_to_links(departure.part.launch);
  }

  /// Takes the copies and exchanges that a device handed to the links in its last instant.
  void take_departures(Member& member) {
    if (!member.model().has_work_for_links()) return;
    const SimTime now = member.model().now();
    const auto add = [&](LaunchId launch, bool is_copy) {
      const Departure departure{now, {member.number(), launch}, is_copy};
      const auto before = [](const Departure& a, const Departure& b) {
        return std::tuple(a.at, a.part.device) < std::tuple(b.at, b.part.device);
      };
      departures_.insert(std::upper_bound(departures_.begin(), departures_.end(), departure, before), departure);
      if (lookahead_) lookahead_->on_begun(launch, now);
    };
    for (const LaunchId launch : member.model().take_link_copies()) add(launch, true);
    for (const LaunchId launch : member.model().take_exchanges()) add(launch, false);
  }

  /// Handles everything that happens at this time on all devices.
  void take_instant(SimTime now) {
    instant_.take(now);
    ++instants_;
    for (const auto& member : members_) take_departures(*member);
    take_residents();
  }

  /// Advances each device alone as far as no other can affect it, unless that does not pay. Returns true if any
  /// advanced.
  bool go_apart() {
    if (!lookahead_ || instants_ < lookahead_->size()) return false;
    instants_ = 0;
    std::vector<SimTime> next;
    for (const auto& member : members_) next.push_back(member->next());
    const auto has_ended = [this](LaunchId launch) {
      if (!owners_.waiting(launch).empty()) return instant_.is_reported(launch);
      return members_[owners_.owner_of(launch)]->model().state().launches.record(launch).ended.has_value();
    };
    const std::vector<SimTime>& horizons = lookahead_->horizons({next, next_of_links(), has_ended});
    std::vector<std::pair<Member*, SimTime>> ready;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const SimTime horizon = bounds_.time ? std::min(horizons[i], *bounds_.time) : horizons[i];
      if (next[i] < horizon && !members_[i]->is_in_instant()) ready.emplace_back(members_[i].get(), horizon);
    }
    if (ready.empty()) return false;
    go(ready);
    return true;
  }

  /// Advances these devices, each on its own thread if that would have paid the last time.
  void go(const std::vector<std::pair<Member*, SimTime>>& ready) {
    std::vector<std::uint64_t> counts(ready.size());
    const std::uint64_t stretch = had_long_stretches_ ? kMaxStretch : kMinStretchOfThread;
    const auto work = [&](std::size_t i) { counts[i] = ready[i].first->run_until(ready[i].second, stretch); };
    parallel_for_in_order(ready.size(), had_long_stretches_ ? jobs_ : Jobs{}, work,
                          [](std::size_t) { return Proceed::yes; });
    const auto is_long = [](std::uint64_t count) { return count >= kMinStretchOfThread; };
    had_long_stretches_ = std::count_if(counts.begin(), counts.end(), is_long) > 1;
    for (const std::uint64_t count : counts) instants_ += count;
    for (const auto& [member, horizon] : ready) take_departures(*member);
    take_residents();
  }

  /// Takes the devices' numbers of resident threads. An arrival over a link may precede a device's own next event.
  void take_residents() {
    const SimTime departure = departures_.empty() ? kEndOfTime : departures_.front().at;
    take_residents(std::min(next_time(), departure));
  }
  void take_residents(SimTime until) {
    std::vector<std::vector<ResidentChange>*> changes;
    for (const auto& member : members_) changes.push_back(&member->changes());
    resident_.take(changes, until);
  }

  LaunchOwners owners_;
  std::span<const Collective> collectives_;
  Exchanges exchanges_;
  RunBounds bounds_;
  Jobs jobs_;
  CommonInstant::Members members_;
  CommonInstant instant_;
  std::optional<Lookahead> lookahead_;  ///< nullopt: no device goes alone
  std::vector<Departure> departures_;   ///< unknown to the links yet, by time, then by device
  /// Instants since the lookahead was last evaluated.
  std::uint64_t instants_ = std::numeric_limits<std::uint32_t>::max();
  bool had_long_stretches_ = false;
  SimTime now_;
  ResidentSum resident_;
};

EnsembleResult simulate_under_clocks(const EnsembleInput& input) {
  std::vector<const CompiledParts*> parts;
  for (const Compiled& device : input.devices) parts.push_back(&CompiledParts::parts_of(device));
  Ensemble ensemble(parts, input);
  const RunOptions& common = input.options.front();
  return ensemble.conclude(run_to_end(ensemble, common.bounds, common.stop));
}

/// Finds the clocks of all devices, some of which have `power`, and runs the devices under these clocks.
EnsembleResult simulate_governed_devices(EnsembleInput input) {
  std::vector<InternalRunOptions> quiet;
  for (const InternalRunOptions& device_options : input.options) quiet.push_back(unobserved(device_options));
  EnsembleInput unseen = input;
  unseen.options = quiet;
  unseen.pace = Pace::apart;
  const GovernedDevices governed = govern_clocks(input.devices, [&](std::span<const Compiled> devices) {
    unseen.devices = devices;
    return simulate_under_clocks(unseen).devices;
  });
  const RunBounds bounds = input.options.front().bounds;
  std::vector<InternalRunOptions> options(input.options.begin(), input.options.end());
  for (InternalRunOptions& device_options : options) governed.limit(device_options);
  input.devices = governed.devices;
  input.options = options;
  EnsembleResult result = simulate_under_clocks(input);
  for (std::size_t i = 0; i < result.devices.size(); ++i) governed.conclude(i, bounds, result.devices[i]);
  result.all.outcome = common_outcome(result.devices);
  return result;
}

}  // namespace

EnsembleResult simulate_devices(const EnsembleInput& input) {
  GDSIM_CHECK(!input.devices.empty() && input.devices.size() == input.options.size(),
              "each device needs options of its own");
  const auto has_power = [](const Compiled& device) { return device.device().power.has_value(); };
  if (std::any_of(input.devices.begin(), input.devices.end(), has_power)) return simulate_governed_devices(input);
  return simulate_under_clocks(input);
}

}  // namespace gdsim
