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

/// Which combinations of dispatch rules explain the log on this device. Each is asked, decision by decision and with
/// everything before where the log has it, which core takes the next work-group. It fits if it is right in 9 of 10
/// decisions that are open, before and behind the first end, and if chance would give as much with a probability of
/// less than one in a thousand, the number of combinations considered. What the device's own rules are has no
/// influence. Problems with the log and the device, such as work-groups that no core holds, are added with their
/// places; then the answer is not usable. The same with any number of jobs, and from any number of shards.
Inference infer_rules(const SourceText& source, PlacementLog log, const DeviceSpec& model,
                      const PolicyCatalog& policies, Jobs jobs, Diagnostics& problems);

/// The part of one shard: decides every N-th of the choices of cores, unless `file` has it already. Answers how many
/// there are in all; nothing is written if there are problems.
std::uint64_t infer_shard(const SourceText& source, PlacementLog log, const DeviceSpec& model,
                          const PolicyCatalog& policies, Jobs jobs, const Shard& shard,
                          const std::filesystem::path& file, const InferenceIdentity& identity, Diagnostics& problems);

/// infer_rules() of what the shards in these files have decided.
Inference infer_from_shards(const SourceText& source, PlacementLog log, const DeviceSpec& model,
                            const PolicyCatalog& policies, Jobs jobs, std::span<const std::filesystem::path> files,
                            const InferenceIdentity& identity, Diagnostics& problems);

}  // namespace gdsim
