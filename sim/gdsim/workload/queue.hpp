#pragma once

#include <gdsim/workload/core_selection.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// Whether launches of a queue run one after another, or wait only for those they depend on.
enum class QueueOrder : std::uint8_t { in_order, out_of_order };

/// A queue as a program makes one. Without another word it is out of order, as SYCL's are.
struct Queue {
  std::string name;
  QueueOrder order = QueueOrder::out_of_order;
  CoreSelection cores;         ///< of its launches: a sub-device
  std::uint32_t priority = 0;  ///< of its launches that give none
};

}  // namespace gdsim
