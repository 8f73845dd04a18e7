#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <memory>
#include <optional>

namespace gdsim {

struct CompiledParts;

/// A workload that can run on a device: checked, its programs flattened, its launches in order. Made by compile().
/// Immutable and shared: a copy costs nothing, and any number of threads may read one and run it concurrently.
///
///     const gdsim::Compiled compiled = gdsim::compile(device, workload).value();
///     const gdsim::Workload& all = compiled.workload();
///     std::cout << all.launches.size() << " launches, children included\n";
class Compiled {
 public:
  // Never empty: a move is a copy.
  Compiled(const Compiled& other) = default;
  Compiled& operator=(const Compiled& other) = default;
  ~Compiled() = default;

  const DeviceSpec& device() const;
  const DispatchRules& rules() const;
  /// Returns the workload with the launches of children, which come after those of the host.
  const Workload& workload() const;

 private:
  friend struct CompiledParts;
  explicit Compiled(std::shared_ptr<const CompiledParts> parts);

  std::shared_ptr<const CompiledParts> parts_;  ///< never null
};

/// The result of compile(): a Compiled, or at least one reason why there is none. A value: several threads may read
/// one.
class Compilation {
 public:
  explicit operator bool() const { return compiled_.has_value(); }
  /// Returns the issues; empty if there is a Compiled.
  const Issues& issues() const& { return issues_; }
  Issues issues() &&;
  /// Throws InputError with all issues if there is no Compiled.
  Compiled value() const;

 private:
  friend struct CompiledParts;
  explicit Compilation(Compiled compiled);
  explicit Compilation(Issues issues);

  std::optional<Compiled> compiled_;
  Issues issues_;
};

/// Finds all reasons why `workload`, dispatched by `rules`, could not run on `device`, and prepares all that its runs
/// share. Accepts any values: each unusable one is an issue with the path of its field.
///
/// Launches of children are added. Thread-safe: any number of threads may compile at the same time.
///
///     gdsim::Compilation compilation = gdsim::compile(device, workload);
///     for (const gdsim::Issue& issue : compilation.issues()) std::cerr << gdsim::to_text(issue) << '\n';
///     if (compilation) std::cout << gdsim::simulate(compilation.value()).record.end.count << " ps\n";
Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload);
/// As above, with the device's own rules.
Compilation compile(DeviceSpec device, Workload workload);
/// As above, without a copy of the workload, unless launches of children must be added: for millions of launches. The
/// workload must outlive every Compiled of it, and must not change.
Compilation compile_in_place(DeviceSpec device, DispatchRules rules, const Workload& workload);
Compilation compile_in_place(DeviceSpec device, DispatchRules rules, const Workload&& workload) = delete;

}  // namespace gdsim
