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

/// Finds the combinations of dispatch rules that explain the log on this device. Each combination predicts, decision by
/// decision, the core that takes the next work-group, with all earlier work-groups on the log's cores. It fits if it is
/// right in 9 of 10 open decisions, before and after the first end, and if the probability that chance gives as much is
/// less than one in a thousand, the number of combinations considered. The device's own rules have no influence.
/// Problems with the log and the device, such as work-groups that no core holds, are added with their places; then the
/// result is not usable. The result depends neither on the number of jobs nor on the number of shards.
Inference infer_rules(const SourceText& source, PlacementLog log, const DeviceSpec& model,
                      const PolicyCatalog& policies, Jobs jobs, Diagnostics& problems);

/// Computes the part of one shard: decides every N-th choice of cores, unless `file` has it already. Returns the number
/// of all choices. Writes no file if there are problems.
std::uint64_t infer_shard(const SourceText& source, PlacementLog log, const DeviceSpec& model,
                          const PolicyCatalog& policies, Jobs jobs, const Shard& shard,
                          const std::filesystem::path& file, const InferenceIdentity& identity, Diagnostics& problems);

/// infer_rules() with the decisions of the shards in these files.
Inference infer_from_shards(const SourceText& source, PlacementLog log, const DeviceSpec& model,
                            const PolicyCatalog& policies, Jobs jobs, std::span<const std::filesystem::path> files,
                            const InferenceIdentity& identity, Diagnostics& problems);

}  // namespace gdsim
