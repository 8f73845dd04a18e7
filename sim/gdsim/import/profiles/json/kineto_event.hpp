#pragma once

#include <gdsim/workload/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

/// What matters of one event of a trace, as it was written. Texts keep their memory from event to event.
struct KinetoEvent {
  std::string phase, category, name, start, duration, device, stream, registers, shared_memory, bytes, correlation;
  std::string collective, elements_in, elements_out, data_type, group_size;  ///< of a kernel that is one
  std::string process, lane;  ///< `pid` and `tid`, which part events that begin and end
  Extent grid{};
  Extent block{};
  std::size_t grid_sizes = 0;  ///< how many were there
  std::size_t block_sizes = 0;
  std::uint64_t byte = 0;  ///< where it begins

  void clear() {
    for (std::string* text :
         {&phase, &category, &name, &start, &duration, &device, &stream, &registers, &shared_memory, &bytes,
          &correlation, &process, &lane, &collective, &elements_in, &elements_out, &data_type, &group_size})
      text->clear();
    grid = block = {};
    grid_sizes = block_sizes = 0;
  }
};

}  // namespace gdsim
