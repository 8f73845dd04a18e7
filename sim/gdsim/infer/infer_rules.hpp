#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/infer/decision_store.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <cstdint>
#include <filesystem>
#include <span>

namespace gdsim {

/// What rules are inferred from, and what with.
struct InferenceTask {
  const SourceText& source;  ///< of the log, for the places of its problems
  PlacementLog log;
  const DeviceSpec& model;  ///< of the device that made it
  const PolicyCatalog& policies;
  Jobs jobs;
};

/// Finds the combinations of dispatch rules that explain the log on this device. Each combination predicts, decision by
/// decision and with all earlier work-groups where the log has them, the core that takes the next work-group. It fits
/// if it is right in 9 of 10 open decisions, before and after the first end, and if chance would give as much with a
/// probability of less than one in a thousand, the number of combinations considered. The device's own rules have no
/// influence. Problems with the log and the device, such as work-groups that no core holds, are added with their
/// places; then the result is not usable. It is the same with any number of jobs and from any number of shards.
Inference infer_rules(InferenceTask task, Diagnostics& problems);

/// Computes the part of one shard: decides every N-th choice of cores, unless `file` has it already. Returns the number
/// of all choices; nothing is written if there are problems.
std::uint64_t infer_shard(InferenceTask task, const Shard& shard, const std::filesystem::path& file,
                          const InferenceIdentity& identity, Diagnostics& problems);

/// infer_rules() with the decisions of the shards in these files.
Inference infer_from_shards(InferenceTask task, std::span<const std::filesystem::path> files,
                            const InferenceIdentity& identity, Diagnostics& problems);

}  // namespace gdsim
