#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Rule, to the picosecond: links.
//
// A link gives each of its devices one port that sends and one that receives. A transfer takes the first link in the
// file that connects both of its devices. Its bytes begin to flow `latency` after its begin. While they flow, its rate
// is the bandwidth of a port divided by the number of transfers that flow through its sender's port or through its
// receiver's, whichever number is larger. Work is counted in 2^-32 ps: bytes / bandwidth rounded up, what has been
// served rounded down where a rate changes. A transfer ends at the first whole picosecond at which all of its work is
// served, before anything else happens on a device at that instant.

namespace gdsim {

/// The transfers in progress between devices.
class LinkTransfers {
 public:
  /// The links must outlive this.
  explicit LinkTransfers(std::span<const DeviceLink> links) : links_(links) {}

  struct Transfer {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    Bytes bytes;
    std::uint64_t of = 0;  ///< an identifier for the caller, returned at its end
  };
  /// A link must connect both devices, and `now` must not be earlier than in any previous call.
  void begin(SimTime now, const Transfer& transfer);
  /// Returns the time when the next transfer begins to flow or ends, or nullopt if there is none.
  std::optional<SimTime> next() const;
  /// Advances to `now`, which must be next(). Returns `of` of the transfers that end, in the order in which they began.
  std::vector<std::uint64_t> advance(SimTime now);

 private:
  struct Active {
    Transfer what;
    std::uint32_t link = 0;
    bool flows = false;
    SimTime since;     ///< when its present rate began; if it does not flow yet, when it will
    UInt128 left = 0;  ///< at `since`, at the bandwidth of a port, 2^-32 ps
    std::uint64_t sharers = 1;
  };

  static SimTime end_of(const Active& one);
  /// Recomputes the rates of all transfers that flow.
  void share(SimTime now);
  std::uint64_t sharers_of(const Active& one) const;

  std::span<const DeviceLink> links_;
  std::vector<Active> active_;
};

/// Returns the minimum duration of a transfer: with its ports to itself. A link must connect both devices.
Duration min_duration(std::span<const DeviceLink> links, const LinkTransfers::Transfer& transfer);

/// Returns the first link that connects both devices, or nullopt if none does.
std::optional<std::uint32_t> link_between(std::span<const DeviceLink> links, std::uint32_t from, std::uint32_t to);

}  // namespace gdsim
