#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/record/launch_record.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// What the cores answer to a request: candidates take its work-group, each at a cost, and others refuse it for a
/// reason. The candidates of the lowest cost are found without a search. Each core has a position, by index or by the
/// order that breaks ties.
class Candidates {
 public:
  /// For `cores` cores, from `first` on. `order` must have every core of the device once, or be empty: by index.
  Candidates(std::size_t first, std::size_t cores, const std::vector<CoreId>& order);

  bool empty() const { return occupied_costs_.empty(); }
  bool contains(CoreId core) const { return answer_of(core).is_candidate; }
  /// Makes the core a candidate of this cost, or changes its cost to this.
  void put(CoreId core, std::size_t cost) {
    Answer& answer = answer_of(core);
    answer.known_in = epoch_;
    answer.refusal.reset();
    if (answer.is_candidate && answer.cost == cost) return;
    if (answer.is_candidate) leave(core, answer);
    if (cost >= by_cost_.size()) grow(cost);
    by_cost_[cost].insert(position_of(core));
    occupied_costs_.insert(cost);
    answer.cost = static_cast<std::uint32_t>(cost);
    answer.is_candidate = true;
  }
  /// Makes the core refuse for this reason; nullopt: the launch may not use it.
  void refuse(CoreId core, std::optional<WaitReason> reason) {
    erase(core);
    answer_of(core).known_in = epoch_;
    answer_of(core).refusal = reason;
  }
  /// Makes the core no candidate. Its answer is not known.
  void erase(CoreId core) {
    Answer& answer = answer_of(core);
    answer.known_in = 0;
    if (answer.is_candidate) leave(core, answer);
    answer.is_candidate = false;
  }
  /// Must be called when the contents of the core have changed: until the next answer, its reason is not known.
  void forget(CoreId core) { answer_of(core).known_in = 0; }
  /// Removes all candidates. No answer is known.
  void clear() {
    while (!empty()) erase(core_at(*best().next(0)));
    ++epoch_;
  }
  bool knows(CoreId core) const { return answer_of(core).known_in == epoch_; }
  /// Returns the reason of a known answer; nullopt: the core is a candidate, or the launch may not use it.
  std::optional<WaitReason> refusal(CoreId core) const { return answer_of(core).refusal; }
  /// Returns the positions of the candidates of the lowest cost. There must be a candidate.
  const IndexSet& best() const { return by_cost_[*occupied_costs_.next(0)]; }
  CoreId core_at(std::size_t position) const { return order_[position]; }
  std::size_t position_of(CoreId core) const { return position_of_[index_of(core) - first_]; }

 private:
  struct Answer {
    std::uint64_t known_in = 0;  ///< the epoch in which the core gave this answer; 0: it has changed since
    std::uint32_t cost = 0;
    bool is_candidate = false;
    std::optional<WaitReason> refusal;
  };

  Answer& answer_of(CoreId core) { return answers_[index_of(core) - first_]; }
  const Answer& answer_of(CoreId core) const { return answers_[index_of(core) - first_]; }
  /// Removes a candidate from those of its cost.
  void leave(CoreId core, const Answer& answer) {
    IndexSet& cost = by_cost_[answer.cost];
    cost.erase(position_of(core));
    if (cost.empty()) occupied_costs_.erase(answer.cost);
  }
  void grow(std::size_t cost);

  std::size_t first_;
  std::vector<CoreId> order_;             ///< by position
  std::vector<std::size_t> position_of_;  ///< by core
  std::vector<Answer> answers_;           ///< by core
  std::vector<IndexSet> by_cost_;         ///< grows to the highest cost seen
  IndexSet occupied_costs_;
  std::uint64_t epoch_ = 1;  ///< counts the calls of clear()
};

/// A cache of the candidates of the last few requests that differed from the current one. If a few kernels are placed
/// in turn, only cores that have changed since a kernel's last request are evaluated, instead of all cores.
class RememberedCandidates {
 public:
  static constexpr std::size_t kMax = 64;
  using Requested = std::vector<const Footprint*>;

  /// Stores the candidates of a request of the class for `footprint`, as of the change `at`, by a swap: `candidates`
  /// must be filled again afterwards. `requested` has the requests by partition, if launches are in partitions.
  void keep(std::size_t request_class, const Footprint& footprint, std::uint64_t at, Candidates& candidates,
            const Requested& requested) {
    Kept& kept = place_for(candidates);
    kept.request_class = request_class;
    kept.footprint = &footprint;
    kept.at = at;
    kept.requested = requested;
    std::swap(kept.candidates, candidates);
  }
  /// Removes the candidates of a request of the class for the same footprint object from the cache, into `candidates`.
  /// Returns the change as of which they were stored, or nullopt if there are none.
  std::optional<std::uint64_t> take(std::size_t request_class, const Footprint& footprint, Candidates& candidates,
                                    Requested& requested) {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
      return kept.request_class == request_class && kept.footprint == &footprint;
    });
    if (found == kept_.end()) return std::nullopt;
    const std::uint64_t at = found->at;
    std::swap(candidates, found->candidates);
    std::swap(requested, found->requested);
    spare_.push_back(std::move(*found));
    if (found != std::prev(kept_.end())) *found = std::move(kept_.back());
    kept_.pop_back();
    return at;
  }

 private:
  struct Kept {
    std::size_t request_class = 0;
    const Footprint* footprint = nullptr;
    std::uint64_t at = 0;
    Candidates candidates;
    Requested requested;
  };

  /// Returns a new entry, or the oldest one if the cache is full. Reuses removed entries, because they hold large
  /// vectors.
  Kept& place_for(const Candidates& like) {
    if (kept_.size() == kMax)
      return *std::min_element(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.at < b.at; });
    if (spare_.empty()) return kept_.emplace_back(Kept{0, nullptr, 0, like, {}});
    kept_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    return kept_.back();
  }

  std::vector<Kept> kept_;
  std::vector<Kept> spare_;  ///< removed entries, for reuse
};

/// The numbering of cores by a placement: by index, or in the device's order of ties.
enum class Positions : std::uint8_t { by_index, by_tie_order };

/// Chooses the candidate core that takes the next work-group. It reserves no resources.
class Placement {
 public:
  virtual ~Placement() = default;

  virtual Positions positions() const { return Positions::by_index; }

  /// Returns the cost of the core for a kernel whose full work-groups need `full`. Only candidates of the lowest cost
  /// are offered. The cost must depend only on the arguments.
  virtual std::size_t cost(const Core& core, const Footprint& full) const;

  /// Returns the position of one of the offered cores; there is at least one. The caller places the next work-group
  /// there. Returns nullopt to choose only after a further release. By default, returns the first position.
  virtual std::optional<std::size_t> choose(const IndexSet& offered);
  /// Returns true if choose() never returns nullopt, as in all placements but a caller's own.
  virtual bool always_chooses() const { return true; }

  /// Returns a placement in the same state, so that its choices can be queried. Returns null, the default, if it can
  /// never be copied; then it is omitted when rules are inferred from a log.
  virtual std::unique_ptr<Placement> copy() const { return nullptr; }
};

/// Makes a new placement for the cores of one dispatcher, which it sees as a separate device, numbered from 0.
using PlacementMaker = std::function<std::unique_ptr<Placement>(const DeviceSpec&)>;

/// Chooses the candidate of the lowest index.
class FillFirst : public Placement {
 public:
  std::unique_ptr<Placement> copy() const override { return std::make_unique<FillFirst>(*this); }
};

// Rule, to the picosecond: least loaded.
//
// `least_loaded` counts threads that hold a context, not the contexts that they hold.

/// Chooses the core with the fewest threads that hold a context. The device's tie order breaks ties, else the lowest
/// index.
class LeastLoaded : public Placement {
 public:
  Positions positions() const override { return Positions::by_tie_order; }
  std::size_t cost(const Core& core, const Footprint& full) const override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<LeastLoaded>(*this); }
};

// Rule, to the picosecond: most room.
//
// `most_room` counts full work-groups of the kernel, also where a smaller one at the edge is placed.

/// Chooses the core on which the most further full work-groups of the kernel fit. The device's tie order breaks ties,
/// else the lowest index.
class MostRoom : public Placement {
 public:
  Positions positions() const override { return Positions::by_tie_order; }
  std::size_t cost(const Core& core, const Footprint& full) const override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<MostRoom>(*this); }
};

/// Chooses the first candidate at or cyclically after a cursor, which then moves past it. The cursor starts at core 0
/// and persists across turns and launches.
class RoundRobin : public Placement {
 public:
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<RoundRobin>(*this); }

 private:
  std::size_t cursor_ = 0;
};

/// Round robin over the device's groups of cores, level by level. Chooses the first group with a candidate, at or
/// cyclically after the level's cursor, then a group of the next level within it, and finally a core. Every group has
/// its own cursor, which persists. On a device without groups, this equals round_robin.
class GroupRoundRobin : public Placement {
 public:
  explicit GroupRoundRobin(const DeviceSpec& device);
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<GroupRoundRobin>(*this); }

 private:
  /// The cores [first, last), and the position of its first child in nodes_. A leaf is a single core.
  struct Node {
    std::size_t first;
    std::size_t last;
    std::size_t children;
    std::size_t child_count;
    std::size_t cursor;
  };

  void split(std::size_t node, const CoreGroups& levels, std::size_t level);

  std::vector<Node> nodes_;  ///< the root first
};

/// Adapts a caller's OwnPlacement to Placement.
class OwnPlacementAdapter : public Placement {
 public:
  explicit OwnPlacementAdapter(const OwnPlacement& own) : name_(own.name()), policy_(own.policy().copy()) {}

  std::size_t cost(const Core& core, const Footprint& full) const override;
  /// Returns the choice of the caller's own policy, or nullopt. Throws InputError if it is not among the offered
  /// positions.
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  bool always_chooses() const override { return false; }
  std::unique_ptr<Placement> copy() const override;

 private:
  OwnPlacementAdapter(std::string name, std::unique_ptr<OwnPlacement::Policy> policy)
      : name_(std::move(name)), policy_(std::move(policy)) {}

  std::string name_;
  std::unique_ptr<OwnPlacement::Policy> policy_;
  std::vector<CoreId> offered_;  ///< used within choose() only
};

// Rule, to the picosecond: clusters.
//
// The N work-groups of a cluster are consecutive, and are placed in one go, which counts as one work-group for kernel
// choice. They lie on N distinct cores of one group of the level `within`, of one dispatcher, and of one partition.
// Candidates are the cores where one work-group fits, if at least N such cores are together. The placement chooses
// among the candidates for the first work-group, then, for each further one, among those cores of the same group,
// partition and dispatcher where it fits and which have no other work-group of this cluster. The dispatcher is busy N
// times as long as with one work-group. A cluster ends a `batch` and has none. A partition deals out clusters: N and
// the numbers above count them.
//
// A kernel may prefer clusters of P work-groups, a multiple of N. Numbers kP to (k + 1)P - 1 are placed as one cluster
// of P if, when number kP is next, the dispatcher has room for it, by the rule above with P instead of N. Otherwise N
// of them are placed as above, and so are the rest of these P.

/// The cores where a requested work-group fits, and their number in each group of cores on which a cluster may be. Such
/// a group is within one group of the device's level for clusters, one dispatcher and, where launches are partitioned,
/// one partition.
class ClusterRoom {
 public:
  /// For the cores of one dispatcher.
  ClusterRoom(const DeviceSpec& device, const DispatchRules& rules, const CoreBlock& cores);

  /// Returns true if the device has clusters.
  bool is_on() const { return !groups_.empty(); }
  /// Sets whether a work-group fits on the core. Returns true if this changes can_take() of its group.
  bool set(CoreId core, bool has_room, std::uint64_t size);
  bool has_room(CoreId core) const { return has_room_[index_of(core) - first_]; }
  /// Returns true if a cluster of `size` work-groups fits on the cores together() with this one.
  bool can_take(CoreId core, std::uint64_t size) const { return counts_[group_of(core)] >= size; }
  /// Returns the cores on which the work-groups of a cluster may be if one is on this core, which is included.
  std::span<const CoreId> together(CoreId core) const { return groups_[group_of(core)]; }

 private:
  std::size_t group_of(CoreId core) const { return groups_of_[index_of(core) - first_]; }

  std::size_t first_;
  std::vector<std::uint32_t> groups_of_;  ///< by core
  std::vector<std::vector<CoreId>> groups_;
  std::vector<bool> has_room_;         ///< by core
  std::vector<std::uint64_t> counts_;  ///< by group: its cores with room
};

/// A placement by its name in device and scenario files.
struct PlacementEntry {
  std::string name;
  PlacementMaker make;
};

/// The placements that files may name. with_own_placements() adds those of the caller.
struct PlacementCatalog {
  std::vector<PlacementEntry> placements;

  /// Returns a new placement with its cursor at the start, or null if no entry has this name or the entry makes none.
  std::unique_ptr<Placement> make_placement(std::string_view name, const DeviceSpec& device) const;
  /// Returns a maker of placements of this name, which the catalog must have.
  PlacementMaker maker(std::string_view name) const;
  /// Returns all names. They are valid until the catalog changes.
  std::vector<std::string_view> placement_names() const;
};

/// Returns the catalog of fill_first, round_robin, least_loaded, most_room and group_round_robin.
const PlacementCatalog& built_in_placements();

/// Returns an issue for each name that is empty, occurs twice, or is that of a built-in placement.
Issues check_own_placements(std::span<const OwnPlacement> own);
/// Returns `catalog` with the caller's own placements added. check_own_placements() must have returned no issue.
PlacementCatalog with_own_placements(PlacementCatalog catalog, std::span<const OwnPlacement> own);

}  // namespace gdsim
