#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/recorder.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The recorder and the observers of one run. Each observer receives the detail that it asks for.
class Listeners {
 public:
  /// No observer is null; the recorder, which comes first, may be. All must outlive this.
  explicit Listeners(std::span<Observer* const> observers, Recorder* recorder = nullptr);

  /// Reports everything that happened at this instant.
  void instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches);

 private:
  void tell(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches);

  Recorder* recorder_;
  std::vector<Observer*> everything_;
  std::vector<Observer*> launches_;
  std::uint64_t instants_ = 0;
  std::uint64_t work_groups_ended_ = 0;
  std::uint64_t facts_ = 0;
};

}  // namespace gdsim
