#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Selects launches of equal shape (name, grid, block, registers, shared memory) that share a kernel in the scenario.
enum class Merging : std::uint8_t {
  one_by_one,  ///< none: each launch has its own kernel
  close,       ///< those whose durations differ by no more than 0.5 %
  by_shape,    ///< all: their spread becomes a draw per launch
};

/// Launches that share a kernel. Indices are those of Profile::launches, ascending.
struct LaunchClass {
  std::vector<std::size_t> launches;
  std::int64_t shortest = 0;  ///< picoseconds, as all; 0 without durations
  std::int64_t longest = 0;
  std::int64_t median = 0;
};

/// Launches of equal shape.
struct LaunchShape {
  std::size_t first = 0;  ///< a launch with this shape
  std::vector<LaunchClass> classes;
};

/// The kernels of a profile by shape, in order of first appearance. Copies have no shape.
std::vector<LaunchShape> launch_shapes(const Profile& profile, Merging merging);

}  // namespace gdsim
