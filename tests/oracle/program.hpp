#pragma once

#include <gdsim/workload/program.hpp>

#include <cstdint>
#include <vector>

// A thread's way through its program: loops and divergent parts opened as it comes to them.

namespace gdsim::oracle {

/// The steps of one thread, one after the other.
class Walk {
 public:
  Walk() = default;
  /// At the beginning of `program`, which must live on, for this thread of its work-group.
  Walk(const Program& program, std::uint32_t thread);

  /// The next step that is no loop and no divergent part; null: the program is over.
  const Step* next();
  /// No step follows.
  bool is_over() const { return Walk(*this).next() == nullptr; }

 private:
  struct Place {
    const Program* body;
    std::size_t step;
    std::uint64_t iterations_left;
  };
  std::vector<Place> places_;  ///< from the program inwards
  std::uint32_t thread_ = 0;
};

bool takes_part(const Only& only, std::uint32_t thread);

}  // namespace gdsim::oracle
