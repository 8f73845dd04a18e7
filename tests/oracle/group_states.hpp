#pragma once

#include "oracle/world.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

// The state of each work-group on each of its cores, with a row for each change.

namespace gdsim::oracle {

class GroupStates {
 public:
  /// Records the instant `now`, which is over, in the worlds of the processes.
  void take_down(Time now, const std::vector<World*>& worlds);
  std::string csv() const;

 private:
  struct Held {
    std::uint64_t threads = 0;  ///< that hold a context
    std::uint64_t waiting = 0;
    std::uint64_t ended = 0;
    std::string placed = "full";  ///< or `partial`, or `saved` while another process has the device

    friend bool operator==(const Held&, const Held&) = default;
  };
  using Key = std::tuple<std::size_t, std::uint64_t, std::size_t>;  ///< launch, work-group, core

  void add_row(Time now, const World& world, const Key& key, const std::string& change, const Held& held);

  std::map<Key, Held> written_;
  std::string rows_;
};

}  // namespace gdsim::oracle
