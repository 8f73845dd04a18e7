#include <gdsim/model/booking.hpp>

namespace gdsim {

void log_wait(StepState& state, SimTime since, std::int64_t waited, std::uint32_t threads, WaitColumn column) {
  state.waits.add({since, state.now(), waited, threads, column});
}

}  // namespace gdsim
