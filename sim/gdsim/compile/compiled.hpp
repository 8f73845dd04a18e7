#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <memory>

namespace gdsim {

struct CompiledParts;

/// A workload that can run on a device: checked, its programs flattened, its launches in order. Made by compile().
/// Immutable and shared: a copy costs nothing, any number of threads may read one and run it at the same time.
class Compiled {
 public:
  /// For compile() alone: the parts belong together.
  explicit Compiled(std::shared_ptr<const CompiledParts> parts) : parts_(std::move(parts)) {}
  // There is no empty one, so it cannot be moved from: moving copies.
  Compiled(const Compiled&) = default;
  Compiled& operator=(const Compiled&) = default;
  ~Compiled() = default;

  const DeviceSpec& device() const;
  const DispatchRules& rules() const;
  /// With the launches of children, which stand behind those of the host.
  const Workload& workload() const;

  /// For gdsim's own rooms.
  const CompiledParts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const CompiledParts> parts_;
};

}  // namespace gdsim
