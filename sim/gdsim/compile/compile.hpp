#pragma once

#include <gdsim/base/issue.hpp>
#include <gdsim/compile/compiled.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>

#include <optional>
#include <utility>

namespace gdsim {

/// What compile() answers: a Compiled, or all reasons for which there is none.
class Compilation {
 public:
  Compilation(Compiled compiled) : compiled_(std::move(compiled)) {}  // NOLINT: one of the two answers
  Compilation(Issues issues) : issues_(std::move(issues)) {}          // NOLINT: the other

  explicit operator bool() const { return compiled_.has_value(); }
  /// Empty if there is a Compiled.
  const Issues& issues() const { return issues_; }
  /// Throws InputError with all issues if there is none.
  const Compiled& value() const;

 private:
  std::optional<Compiled> compiled_;
  Issues issues_;
};

/// Checks everything for which `workload`, dispatched by `rules`, could not run on `device`, and makes ready what all
/// its runs have in common. Accepts any values; whatever cannot run is an issue with the path of the field at fault.
///
/// Launches of children are added, unless add_child_launches() did so before. `policies` are the placements that
/// `rules` may name. Any number of threads may compile at the same time.
///
///     gdsim::Compilation compilation = gdsim::compile(device, device.dispatch, workload);
///     for (const gdsim::Issue& issue : compilation.issues()) std::cerr << gdsim::to_text(issue) << '\n';
///     if (compilation) std::cout << gdsim::simulate(compilation.value()).record.end.count << " ps\n";
Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload,
                    PolicyCatalog policies = built_in_policies());

}  // namespace gdsim
