#include <gdsim/compile/compile.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/compile/compiled_parts.hpp>

#include <utility>

namespace gdsim {

Compiled::Compiled(std::shared_ptr<const CompiledParts> parts) : parts_(std::move(parts)) {}

const DeviceSpec& Compiled::device() const { return parts_->device; }
const DispatchRules& Compiled::rules() const { return parts_->rules; }
const Workload& Compiled::workload() const { return *parts_->workload; }

Compilation::Compilation(Compiled compiled) : compiled_(std::move(compiled)) {}
Compilation::Compilation(Issues issues) : issues_(std::move(issues)) {
  GDSIM_CHECK(!issues_.empty(), "a workload is refused without a reason");
}

Issues Compilation::issues() && { return std::move(issues_); }

Compiled Compilation::value() const {
  if (!compiled_) throw_input_error(issues_);
  return *compiled_;
}

}  // namespace gdsim
