#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/index_set.hpp>
#include <gdsim/record/launch_record.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
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

}  // namespace gdsim
