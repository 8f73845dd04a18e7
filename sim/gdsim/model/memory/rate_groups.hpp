#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/model/memory/common_rates.hpp>
#include <gdsim/model/memory/memory_kinds.hpp>
#include <gdsim/model/memory/rate_group.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// The rate groups of a memory, and their rates. A group is in use while it has threads; unused groups are reused.
class RateGroups {
 public:
  /// `kinds` must outlive this.
  explicit RateGroups(MemoryKinds& kinds) : kinds_(kinds), common_(kinds) {}
  RateGroups(const RateGroups&) = delete;
  /// Copies the groups. They refer to the kinds of this memory, which must be equal to those of the other.
  RateGroups& operator=(const RateGroups& other);
  ~RateGroups() = default;
  /// Returns the group here that corresponds to `there`, a group of a copy of this memory; null if that is null.
  RateGroup* counterpart(const RateGroup* there) { return there == nullptr ? nullptr : &groups_[there->number]; }

  /// Returns the groups in use, by ascending cap per weight.
  std::span<RateGroup* const> in_use() const { return in_use_; }
  void advance(SimTime now) {
    for (RateGroup* group : in_use_) group->advance(now);
  }
  /// Returns the group of threads of this kind on a core with `threads_on_core` threads. It is in use from now on. It
  /// may be `known`.
  RateGroup* use(std::uint32_t kind_in_domain, std::uint64_t threads_on_core, RateGroup* known) {
    kinds_->update(kind_in_domain);
    const auto sharers =
        static_cast<std::uint32_t>(threads_on_core > (*kinds_)[kind_in_domain].max_unlimited ? threads_on_core : 0);
    const bool is_known = known != nullptr && known->kind_in_domain == kind_in_domain && known->sharers == sharers;
    return is_known ? known : find(kind_in_domain, sharers);
  }
  /// Updates caps after a change of the working sets. Returns true if threads may now belong to other groups.
  bool update_caps();
  /// Adds `more` threads to the group, or removes threads if it is negative.
  void count(RateGroup& group, std::int64_t more) {
    group.threads += static_cast<std::uint64_t>(more);
    common_.count(group, more);
  }
  /// Removes a stream without threads from the group.
  void remove_stream(RateGroup& group, std::uint32_t stream) {
    group.streams.erase(stream);
    has_empty_ = has_empty_ || group.streams.empty();
  }
  /// Ends the use of groups without threads.
  void drop_empty();
  /// Sets the rate of each group to the common rate of its domain, or to its cap if that is less.
  void set_rates();
  /// Returns the time at which the next thread is done if no rate changes, or nullopt if there is no thread.
  std::optional<SimTime> next() const;

  /// Visits the groups in use, without their streams.
  void visit_state(StateVisitor& visitor);

 private:
  RateGroup* find(std::uint32_t kind_in_domain, std::uint32_t sharers);
  void set_cap(RateGroup& group);
  void set_rate(RateGroup& group, Fraction rate, MemoryLimit limit) const;
  static bool comes_before(const RateGroup* a, const RateGroup* b);

  Bound<MemoryKinds> kinds_;        ///< from the working sets
  CommonRates common_;              ///< from the groups in use
  std::deque<RateGroup> groups_;    ///< in use and unused
  std::vector<RateGroup*> in_use_;  ///< by ascending cap per weight
  std::vector<RateGroup*> unused_;
  std::unordered_map<std::uint64_t, RateGroup*> by_key_;  ///< groups in use, by kind and sharers
  bool has_empty_ = false;                                ///< true if a group in use has lost its last stream
  bool have_caps_ = false;                                ///< true if all groups in use are served at their caps
};

}  // namespace gdsim
