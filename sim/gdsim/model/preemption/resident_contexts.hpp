#pragma once

#include <gdsim/record/observer.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// The resources of cores that work-groups hold, computed from facts alone. They are saved when another process gets
/// the device. Each work-group must be on one core.
class ResidentContexts {
 public:
  struct OfGroup {
    CoreId core{};
    std::uint32_t threads = 0;  ///< number of threads that hold a context
    std::uint32_t running = 0;
    Bytes slm;
  };
  using Key = std::pair<LaunchId, WorkGroupId>;

  void apply(std::span<const Fact> facts) {
    for (const Fact& fact : facts) apply(fact);
  }
  /// Returns the work-groups by launch and number.
  const std::map<Key, OfGroup>& groups() const { return groups_; }
  bool empty() const { return groups_.empty(); }
  /// Appends one fact for each work-group, `saved` or `restored`.
  void add_facts(FactKind kind, std::vector<Fact>& facts) const {
    for (const auto& [key, group] : groups_) {
      Fact& fact = facts.emplace_back();
      fact.kind = kind;
      fact.core = group.core;
      fact.threads = group.threads;
      fact.launch = key.first;
      fact.running = group.running;
      fact.work_group = key.second;
      fact.slm = group.slm;
    }
  }

 private:
  void apply(const Fact& fact) {
    const Key key{fact.launch, fact.work_group};
    OfGroup& group = groups_[key];
    group.core = fact.core;
    group.slm = fact.slm;
    switch (fact.kind) {
      case FactKind::placed:
        group.threads += fact.threads;
        group.running += fact.threads;
        break;
      case FactKind::resumed: group.running += fact.threads; break;
      case FactKind::waiting:
      case FactKind::ended: group.running -= fact.threads; break;
      case FactKind::released: group.threads -= fact.threads; break;
      case FactKind::saved:
      case FactKind::restored: break;
    }
    if (fact.closes_core) groups_.erase(key);
  }

  std::map<Key, OfGroup> groups_;
};

}  // namespace gdsim
