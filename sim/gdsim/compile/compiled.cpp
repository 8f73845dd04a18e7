#include <gdsim/compile/compile.hpp>

#include <gdsim/compile/compiled_parts.hpp>

namespace gdsim {

const DeviceSpec& Compiled::device() const { return parts_->device; }
const DispatchRules& Compiled::rules() const { return parts_->rules; }
const Workload& Compiled::workload() const { return *parts_->workload; }

}  // namespace gdsim
