// Clusters: how many fit, where they are placed, and which cores occur in one.
#pragma once

#include <map>
#include <vector>

#include "block_tables.hpp"

namespace probe {

/// Groups of cores that were in one cluster. Groups that share a core are merged, so that groups only grow.
class CoreGroups {
 public:
  std::uint32_t root(std::uint32_t core) {
    const auto found = parent_.emplace(core, core).first;
    if (found->second == core) return core;
    return found->second = root(found->second);
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }
  std::map<std::uint32_t, std::uint32_t> numbered() {
    std::map<std::uint32_t, std::uint32_t> group_of_root, groups;
    std::vector<std::uint32_t> cores;
    for (const auto& [core, parent] : parent_) cores.push_back(core);
    for (const std::uint32_t core : cores) {
      const auto next = static_cast<std::uint32_t>(group_of_root.size());
      groups[core] = group_of_root.emplace(root(core), next).first->second;
    }
    return groups;
  }

 private:
  std::map<std::uint32_t, std::uint32_t> parent_;
};

inline void measure_clusters(Session& session, std::vector<RunPlan> plan) {
  Table clusters("clusters"), groups("groups");
  CoreGroups seen;
  if (session.device.shape.clusters) {
    for (RunPlan& run : plan) {
      const LaunchPlan& one = run.launches.front();
      unsigned active = active_clusters(one.threads, one.cluster);
      const bool portable = active > 0;
      if (!portable) {
        allow_large_clusters();
        active = active_clusters(one.threads, one.cluster);
      }
      clusters.row({text(one.cluster), text(active), portable ? "1" : "0"});
      if (active == 0) run.skip = "the device has no clusters of this size";
    }
    session.write(clusters);
  }
  bool any = false;
  for (const RunPlan& run : plan) any = any || run.skip.empty();
  if (!any) {
    session.skip("all", plan.front().skip);
    return;
  }
  measure_blocks(session, plan, [&](const RunPlan& run, const LaunchLog& log) {
    const unsigned cluster = run.launches.front().cluster;
    for (std::size_t i = 0; i < log.blocks.size(); ++i) {
      seen.join(log.blocks[i].core, log.blocks[i / cluster * cluster].core);
    }
  });
  for (const auto& [core, group] : seen.numbered()) groups.row({text(core), text(group)});
  session.write(groups);
}

}  // namespace probe
