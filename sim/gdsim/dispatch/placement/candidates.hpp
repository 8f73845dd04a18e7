#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/record/launch_record.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
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

}  // namespace gdsim
