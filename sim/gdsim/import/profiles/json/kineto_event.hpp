#pragma once

#include <gdsim/workload/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

/// The relevant fields of one event of a trace, as written. Texts keep their memory from event to event.
struct KinetoEvent {
  std::string phase, category, name, start, duration, device, stream, registers, shared_memory, bytes, correlation;
  std::string collective, elements_in, elements_out, data_type, group_size;  ///< of a kernel that is a collective
  std::string process, lane;  ///< `pid` and `tid`, which pair events that begin and end
  Extent grid{};
  Extent block{};
  std::size_t grid_sizes = 0;  ///< number of sizes in the trace
  std::size_t block_sizes = 0;
  std::uint64_t byte = 0;     ///< offset of its begin
  bool is_on_device = false;  ///< its arguments name a device

  void clear() {
    for (std::string* text :
         {&phase, &category, &name, &start, &duration, &device, &stream, &registers, &shared_memory, &bytes,
          &correlation, &process, &lane, &collective, &elements_in, &elements_out, &data_type, &group_size})
      text->clear();
    grid = block = {};
    grid_sizes = block_sizes = 0;
    is_on_device = false;
  }
};

}  // namespace gdsim
