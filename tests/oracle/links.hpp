#pragma once

#include "oracle/world.hpp"

#include <cstddef>
#include <optional>
#include <vector>

// Transfers over links from device to device. Each device has one port of a link that sends and one that receives.
// Bytes begin to flow after the latency; while they flow, they have the bandwidth of a port divided by the number of
// transfers through the busier of their two ports. Remaining work is counted in 2^-32 of a picosecond at the full
// bandwidth: it is rounded up at first, and work that was served before a rate changes is rounded down.

namespace gdsim::oracle {

class Links {
 public:
  explicit Links(std::vector<DeviceLink> links) : links_(std::move(links)) {}

  void begin(Time now, std::size_t from, std::size_t to, std::int64_t bytes, std::size_t what);
  /// Returns the time when something flows or ends next.
  std::optional<Time> next() const;
  /// Advances to `now`. Returns the transfers that end then, in the order in which they began.
  std::vector<std::size_t> come_to(Time now);

 private:
  struct Transfer {
    std::size_t link = 0;
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t what = 0;
    Time flows_from = 0;
    UInt128 left = 0;         ///< at `since`
    Time since = 0;           ///< when the transfer got its rate
    std::uint64_t parts = 0;  ///< it has one of this number of equal parts of the bandwidth; 0: it does not flow
  };

  static Time end_of(const Transfer& one);
  /// Sets the rates of all transfers that flow.
  void share(Time now);

  std::vector<DeviceLink> links_;
  std::vector<Transfer> transfers_;
};

}  // namespace gdsim::oracle
