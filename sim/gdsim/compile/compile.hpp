#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace gdsim {

struct CompiledParts;

/// A workload that can run on a device: checked, its programs flattened, its launches in order. Made by compile().
/// Immutable and shared: a copy costs nothing, any number of threads may read one and run it at the same time.
///
///     const gdsim::Compiled compiled = gdsim::compile(device, device.dispatch, workload).value();
///     const gdsim::Workload& all = compiled.workload();
///     std::cout << all.launches.size() << " launches, children included\n";
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

struct PolicyCatalog;

/// What compile() answers: a Compiled, or all reasons for which there is none. A value: threads may read one at once.
class Compilation {
 public:
  Compilation(Compiled compiled) : compiled_(std::move(compiled)) {}  // NOLINT: one of the two answers
  Compilation(Issues issues) : issues_(std::move(issues)) {}          // NOLINT: the other

  explicit operator bool() const { return compiled_.has_value(); }
  /// Empty if there is a Compiled.
  const Issues& issues() const& { return issues_; }
  Issues issues() && { return std::move(issues_); }
  /// Throws InputError with all issues if there is none.
  Compiled value() const;

 private:
  std::optional<Compiled> compiled_;
  Issues issues_;
};

/// Checks everything for which `workload`, dispatched by `rules`, could not run on `device`, and makes ready what all
/// its runs have in common. Accepts any values; whatever cannot run is an issue with the path of the field at fault.
///
/// Launches of children are added. Thread-safe: any number of threads may compile at the same time.
///
///     gdsim::Compilation compilation = gdsim::compile(device, device.dispatch, workload);
///     for (const gdsim::Issue& issue : compilation.issues()) std::cerr << gdsim::to_text(issue) << '\n';
///     if (compilation) std::cout << gdsim::simulate(compilation.value()).record.end.count << " ps\n";
Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload);
/// The same with placements of another catalog. Thread-safe.
Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload, const PolicyCatalog& policies);
/// The same without a copy: for millions of launches. The workload is copied only if launches of children are to be
/// added. Nobody may change it while a Compiled of it is there.
Compilation compile(DeviceSpec device, DispatchRules rules, std::shared_ptr<const Workload> workload);
Compilation compile(DeviceSpec device, DispatchRules rules, std::shared_ptr<const Workload> workload,
                    const PolicyCatalog& policies);

}  // namespace gdsim
