#pragma once

#include <gdsim/dispatch/placement/fit_search.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Explains why cores of a dispatcher refuse work-groups. FitSearch decides which ones do; this only reads it.
class RefusalReasons {
 public:
  /// `search` must outlive this.
  explicit RefusalReasons(const FitSearch& search) : search_(search) {}

  /// Returns why the core does not admit the work-group that was requested last. It must not admit it.
  WaitReason of_last(CoreId core) const;
  /// The same for the next work-group of a refused launch, which need not have made the last request.
  WaitReason of_next(LaunchId launch, CoreId core) const;
  /// Returns why the core rejects such a work-group of the launch, or nullopt if it does not.
  std::optional<WaitReason> of(LaunchId launch, const Footprint& footprint, CoreId core) const;
  /// The same for any request, clusters included: no dispatcher could place it there. The core would have to hold
  /// `wanted`; null: its partition is exhausted. The launch must be allowed on the core.
  std::optional<WaitReason> of(const Request& request, const Footprint* wanted, CoreId core) const;

 private:
  /// As of_last(), for any request.
  WaitReason of_refused(const Request& request, const Footprint* wanted, CoreId core) const;
  /// Returns true if the whole cluster of the request fits on this core and the others on which it may be.
  bool has_cluster_room(const Request& request, const Footprint* wanted, CoreId core) const;
  /// Returns the number of such work-groups that fit on this core and the others on which its cluster may be.
  std::uint64_t room_together(const Request& request, const Footprint* wanted, CoreId core) const;

  const FitSearch& search_;
};

}  // namespace gdsim
