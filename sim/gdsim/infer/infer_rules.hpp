#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/log/placement_log.hpp>

namespace gdsim {

/// Which combinations of dispatch rules explain the log on this device. Each is asked, decision by decision and with
/// everything before where the log has it, which core takes the next work-group. It fits if it is right in 9 of 10
/// decisions that are open, before and behind the first end, and if chance would give as much with a probability of
/// less than one in a thousand, the number of combinations considered. What the device's own rules are has no
/// influence. Problems with the log and the device, such as work-groups that no core holds, are added with their
/// places; then the answer is not usable. The same with any number of jobs.
Inference infer_rules(const SourceText& source, PlacementLog log, const DeviceSpec& model,
                      const PolicyCatalog& policies, Jobs jobs, Diagnostics& problems);

}  // namespace gdsim
