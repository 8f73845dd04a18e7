#include "oracle/devices.hpp"

#include "oracle/collectives.hpp"
#include "oracle/instants.hpp"
#include "oracle/links.hpp"
#include "oracle/recording.hpp"
#include "oracle/slack.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace gdsim::oracle {
namespace {

/// The progress of a collective.
struct Progress {
  bool has_begun = false;
  std::vector<std::vector<Hop>> rounds;  ///< the remaining rounds
  std::size_t under_way = 0;             ///< transfers of the round that have not ended
};

/// All devices, and the transfers between them.
class Together {
 public:
  Together(const std::vector<OneDevice>& devices, const std::vector<DeviceLink>& links,
           const std::vector<Collective>& collectives);

  void run();
  TablesOfDevices tables();

 private:
  std::optional<Time> next() const;
  void links_come_to(Time now);
  void give_to_links(Time now);
  void begin_round(Time now, std::size_t collective);
  bool has_ended_elsewhere(World& world, Time now);
  bool one_rank_happens(const Worlds& there, Time now);
  std::string totals();

  std::deque<World> owned_;
  Worlds worlds_;
  std::vector<Collective> collectives_;
  std::vector<Progress> progress_;  ///< by collective
  Links links_;
  /// Copies in progress: device and launch. Transfers are numbered by collective, and after all collectives by position
  /// in this list.
  std::vector<std::pair<std::size_t, std::size_t>> copies_;
  std::vector<Recording> recordings_;  ///< by device
  std::uint64_t peak_ = 0;             ///< threads on all devices at once
};

Together::Together(const std::vector<OneDevice>& devices, const std::vector<DeviceLink>& links,
                   const std::vector<Collective>& collectives)
    : collectives_(collectives), progress_(collectives.size()), links_(links), recordings_(devices.size()) {
  for (const OneDevice& one : devices)
    worlds_.push_back(&owned_.emplace_back(World{one.device, one.rules, one.workload}));
  for (std::size_t i = 0; i < worlds_.size(); ++i) {
    worlds_[i]->devices = worlds_;
    worlds_[i]->number = i;
    worlds_[i]->collectives = collectives;
    prepare(*worlds_[i]);
  }
  for (std::size_t i = 0; i < collectives.size(); ++i) progress_[i].rounds = rounds_of(collectives[i]);
}

/// Returns the next instant of links, or of devices whose launches have not all ended.
std::optional<Time> Together::next() const {
  std::optional<Time> next = links_.next();
  for (World* world : worlds_)
    if (const auto time = is_over(*world) ? std::nullopt : next_instant(*world); time && (!next || *time < *next))
      next = time;
  return next;
}

void Together::begin_round(Time now, std::size_t collective) {
  Progress& progress = progress_[collective];
  if (progress.rounds.empty()) {
    const Collective& all = collectives_[collective];
    for (std::size_t i = 0; i < all.devices.size(); ++i)
      worlds_[index_of(all.devices[i])]->launches[index_of(all.launches[i])].grid_opens.push_back(now);
    return;
  }
  progress.under_way = progress.rounds.front().size();
  for (const Hop& hop : progress.rounds.front()) links_.begin(now, hop.from, hop.to, hop.bytes, collective);
  progress.rounds.erase(progress.rounds.begin());
}

/// Advances links to `now`, before any event on a device.
void Together::links_come_to(Time now) {
  for (const std::size_t what : links_.come_to(now)) {
    if (what >= collectives_.size()) {
      const auto& [device, launch] = copies_[what - collectives_.size()];
      worlds_[device]->launches[launch].landed = now;
    } else if (--progress_[what].under_way == 0) {
      begin_round(now, what);
    }
  }
}

/// Hands copies that have begun at this instant, and collectives with all threads resident, to the links.
void Together::give_to_links(Time now) {
  for (std::size_t device = 0; device < worlds_.size(); ++device)
    for (std::size_t id = 0; id < worlds_[device]->launches.size(); ++id) {
      const Launch& launch = worlds_[device]->launch(id);
      if (!launch.is_link_copy() || worlds_[device]->launches[id].first_dispatched != now) continue;
      copies_.emplace_back(device, id);
      links_.begin(now, device, number_of(launch.as_copy().device), launch.as_copy().bytes.count,
                   collectives_.size() + copies_.size() - 1);
    }
  for (std::size_t i = 0; i < collectives_.size(); ++i) {
    bool are_there = !progress_[i].has_begun;
    for (std::size_t member = 0; member < collectives_[i].devices.size(); ++member)
      are_there = are_there && worlds_[index_of(collectives_[i].devices[member])]
                                   ->launches[index_of(collectives_[i].launches[member])]
                                   .joined;
    if (!are_there) continue;
    progress_[i].has_begun = true;
    begin_round(now, i);
  }
}

/// Returns true if something on this device, or the host, waits for the end of the launch.
bool is_waited_for(const World& world, std::size_t id) {
  for (std::size_t other = 0; other < world.launches.size(); ++other) {
    const auto& waits = world.launch(other).host_waits;
    if (std::find(waits.begin(), waits.end(), static_cast<LaunchId>(id)) != waits.end()) return true;
    const auto& before = world.launches[other].predecessors;
    if (!world.launch(other).is_remote() && std::find(before.begin(), before.end(), id) != before.end()) return true;
  }
  return false;
}

/// Takes over ends of launches of other devices. Returns true at the first for which something waits here.
bool Together::has_ended_elsewhere(World& world, Time now) {
  for (std::size_t id = 0; id < world.launches.size(); ++id) {
    if (!world.launch(id).is_remote() || world.launches[id].ended) continue;
    const LaunchState& there = world.owner_of(id).launches[id];
    if (there.ended != now) continue;
    LaunchState& here = world.launches[id];
    here.ended = now;
    here.first_dispatched = there.begun ? there.begun : there.first_dispatched;
    if (is_waited_for(world, id)) return true;
  }
  return false;
}

/// Handles the lowest rank that is pending on some device, on each device that has it. Returns true if there is one.
bool Together::one_rank_happens(const Worlds& there, Time now) {
  for (World* world : there) host_submits(*world);
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    bool has_happened = false;
    for (World* world : there) {
      const bool happens =
          thing_of_rank_happens(*world, rank) || (rank == kRankOfCopies && has_ended_elsewhere(*world, now));
      if (happens) world->end = now;
      has_happened = has_happened || happens;
    }
    if (has_happened) return true;
  }
  return false;
}

void Together::run() {
  while (const auto now = next()) {
    Worlds there;
    std::copy_if(worlds_.begin(), worlds_.end(), std::back_inserter(there), [](World* one) { return !is_over(*one); });
    if (there.empty()) return;
    for (World* world : there) come_to(*world, *now);
    for (World* world : there) recordings_[world->number].time_passes(*now, {world});
    links_come_to(*now);
    while (one_rank_happens(there, *now)) continue;
    for (World* world : there) recordings_[world->number].take_down(*now, {world});
    give_to_links(*now);
    std::uint64_t threads = 0;
    for (World* world : worlds_) world->for_each_resident([&](Group&, Thread&) { ++threads; });
    peak_ = std::max(peak_, threads);
  }
}

/// Returns true if some launch waits, or may wait, for a trigger.
bool knows_triggers(const World& world) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (!world.launches[id].triggers.empty()) return true;
  return false;
}

std::string Together::totals() {
  bool are_over = true;
  std::int64_t begun = 0, start = 0, end = 0;
  for (World* world : worlds_) end = std::max(end, world->end);
  begun = start = end;
  Int128 contexts = 0;
  Int128 resident = 0;
  for (World* world : worlds_) {
    are_over = are_over && is_over(*world);
    contexts += world->device.contexts_total();
    if (world->has_begun) start = std::min(start, world->start);
    for (const LaunchState& launch : world->launches)
      if (launch.begun) begun = std::min(begun, *launch.begun);
    const std::vector<DeviceRow>& rows = recordings_[world->number].device_rows();
    for (std::size_t i = 0; i < rows.size(); ++i)
      resident +=
          Int128{rows[i].residents.threads} * ((i + 1 < rows.size() ? rows[i + 1].time : world->end) - rows[i].time);
  }
  return totals_of_devices(are_over, {std::min(begun, start), start, end, contexts, peak_, resident});
}

TablesOfDevices Together::tables() {
  TablesOfDevices all;
  all.all = totals();
  const bool knows_slack = std::all_of(worlds_.begin(), worlds_.end(),
                                       [](World* world) { return is_over(*world) && !knows_triggers(*world); });
  Time end = 0;
  for (World* world : worlds_) end = std::max(end, world->end);
  for (World* world : worlds_) world->knows_slack = knows_slack;
  for (World* world : worlds_) {
    if (knows_slack) mark_critical(*world, end);
    all.devices.push_back(recordings_[world->number].tables(*world, {world}));
  }
  return all;
}

}  // namespace

TablesOfDevices run_of_devices(const std::vector<OneDevice>& devices, const std::vector<DeviceLink>& links,
                               const std::vector<Collective>& collectives) {
  Together together(devices, links, collectives);
  together.run();
  return together.tables();
}

std::string totals_of_devices(bool has_completed, const std::vector<Int128>& numbers) {
  std::string text = has_completed ? "completed" : "stalled";
  for (const Int128 number : numbers) text += "," + to_text(number);
  return text + "\n";
}

}  // namespace gdsim::oracle
