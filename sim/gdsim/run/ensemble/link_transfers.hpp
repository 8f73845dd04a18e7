#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/event/heaps.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
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

/// The transfers in progress between devices. The cost of each begin, start and end is logarithmic in their number, and
/// linear in the number of devices.
class LinkTransfers {
 public:
  /// The links must outlive this.
  explicit LinkTransfers(std::span<const DeviceLink> links) : links_(links) {}

  struct Transfer {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    Bytes bytes;
    std::uint64_t tag = 0;  ///< an identifier for the caller, returned at its end
  };
  /// A link must connect both devices, and `now` must not be earlier than in any previous call.
  void begin(SimTime now, const Transfer& transfer);
  /// Returns the time when the next transfer begins to flow or ends, or nullopt if there is none. Throws
  /// TimeOverflowError if one that flows would not end within 64 bits.
  std::optional<SimTime> next() const;
  /// Advances to `now`, which must be next(). Returns the tags of the transfers that end, in the order in which they
  /// began.
  std::vector<std::uint64_t> advance(SimTime now);

 private:
  /// Identifies a transfer for the caller, and by the order of begins.
  struct TransferId {
    std::uint64_t number = 0;  ///< transfers that began before it
    std::uint64_t tag = 0;
  };

  /// A transfer whose bytes do not flow yet, in a heap.
  struct Waiting {
    SimTime finish;  ///< when they begin to flow
    TransferId id;
    std::uint32_t lane = 0;
    UInt128 work = 0;  ///< 2^-32 ps
  };

  /// The transfers that flow from one device to another. All of them have the same number of sharers, and hence the
  /// same rate. A stretch is the time between two changes of that number. At its end, what a transfer was served in it
  /// is rounded down. That is the same for all transfers that were there from its begin on, so one clock
  /// adds it up for them. A transfer that came in the middle of a stretch is young until its end, and rounds for
  /// itself.
  class Lane {
   public:
    Lane(std::uint32_t link, std::uint32_t sender, std::uint32_t receiver)
        : link_(link), sender_(sender), receiver_(receiver) {}

    std::uint32_t link() const { return link_; }
    std::uint32_t sender() const { return sender_; }      ///< an index of ports_
    std::uint32_t receiver() const { return receiver_; }  ///< an index of ports_

    /// Adds a transfer that begins to flow. `set_sharers` must have been called for this instant.
    void add(SimTime now, const Waiting& transfer);
    /// Begins another stretch if the number of sharers changes. No transfer may end before `now`.
    void set_sharers(SimTime now, std::uint64_t sharers);

    /// When transfers end if the number of sharers stays as it is, in picoseconds; beyond 64 bits, too.
    struct Ends {
      UInt128 first = 0;
      UInt128 last = 0;
    };
    /// Returns nullopt if nothing flows.
    std::optional<Ends> ends() const;
    /// Removes the transfers that end until `now`, and appends them to `ended`.
    void take_ended(SimTime now, std::vector<TransferId>& ended);

   private:
    /// A transfer that was there when the present stretch began, in a heap.
    struct Settled {
      UInt128 finish = 0;  ///< the value of the clock at its end
      TransferId id;
    };
    /// A transfer that came in the middle of the present stretch, in a heap.
    struct Young {
      UInt128 finish = 0;  ///< its end, in picoseconds
      TransferId id;
      SimTime since;
      UInt128 left = 0;  ///< at `since`
    };

    void settle(const TransferId& id, UInt128 left);
    void add_young(SimTime now, const Waiting& transfer);
    /// Returns what a transfer is served until `now`, 2^-32 ps, rounded down.
    UInt128 served_in(SimTime since, SimTime now) const;
    /// Returns the end of a transfer to which `left` is left at `since`.
    UInt128 end_of(SimTime since, UInt128 left) const;
    /// Returns the end of a settled transfer.
    UInt128 end_of(UInt128 finish) const { return end_of(since_, finish - std::min(finish, clock_)); }

    std::uint32_t link_;
    std::uint32_t sender_;
    std::uint32_t receiver_;
    std::uint64_t sharers_ = 1;
    SimTime since_;      ///< when the present stretch began
    UInt128 clock_ = 0;  ///< what a transfer was served in all stretches before it
    std::vector<Settled> settled_;
    UInt128 last_finish_ = 0;  ///< the greatest in `settled_`, which leaves it last
    std::vector<Young> young_;
    UInt128 last_end_ = 0;  ///< the greatest in `young_`, which leaves it last
  };

  /// Where a device sends over a link, or where it receives.
  struct Port {
    std::uint64_t flowing = 0;  ///< transfers
    std::vector<std::uint32_t> lanes;
    bool has_changed = false;  ///< since the last share()
  };
  enum class Direction : std::uint8_t { send, receive };
  using PortName = std::tuple<std::uint32_t, std::uint32_t, Direction>;  ///< link, device

  /// Returns the lane between two devices, which is made for the first transfer.
  std::uint32_t lane_between(std::uint32_t from, std::uint32_t to);
  std::uint32_t port_of(const PortName& name);
  /// Changes the number of transfers that flow through the ports of a lane, modulo 2^64.
  void change_flowing(const Lane& lane, std::uint64_t by);
  /// Makes the transfers flow, and recomputes the rates of all that have changed since the last call.
  void share(SimTime now, std::span<const Waiting> starting);
  void set_sharers(SimTime now, Lane& lane) const;
  /// Finds anew when the first transfer of a lane ends.
  void find_end(std::uint32_t lane);
  std::vector<TransferId> take_ended(SimTime now);
  std::vector<Waiting> take_starting(SimTime now);

  std::span<const DeviceLink> links_;
  std::uint64_t begun_ = 0;  ///< transfers so far
  std::vector<Waiting> waiting_;
  std::vector<Lane> lanes_;
  IndexedHeap<SimTime> ends_;  ///< by lane, where something flows: the first end
  std::vector<Port> ports_;
  std::vector<std::uint32_t> changed_;                                        ///< ports
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> lane_of_;  ///< by sender and receiver
  std::map<PortName, std::uint32_t> port_of_;
};

/// Returns the minimum duration of a transfer: with its ports to itself. A link must connect both devices.
Duration min_duration(std::span<const DeviceLink> links, const LinkTransfers::Transfer& transfer);

/// Returns the first link that connects both devices, or nullopt if none does.
std::optional<std::uint32_t> link_between(std::span<const DeviceLink> links, std::uint32_t from, std::uint32_t to);

}  // namespace gdsim
