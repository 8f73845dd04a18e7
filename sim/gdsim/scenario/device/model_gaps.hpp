#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// A value that a product's model should have and this model lacks.
struct ModelGap {
  std::string key;   ///< the path of the missing value: `memory.levels.GDDR6.latency`
  std::string cost;  ///< the consequence for users of the model, a clause
  std::string line;  ///< how to write it, with the value of some GPU: `latency: 400 ns`
};

/// Returns the values that a model lacks, in the order of the parts of a GPU: names, clock, cores, limits of
/// work-groups, dispatch, memory, arithmetic, atomics, copies, sources. `tree` is the file from which `device` was
/// read, its bases merged in. A family need not have the values of products: clock, number of cores, memory, latencies,
/// copies.
std::vector<ModelGap> model_gaps(const DeviceSpec& device, const YamlNode& tree);

/// The number of values whose source begins with `not verified`, and of values that have a source or should.
struct SourceCount {
  std::size_t not_verified = 0;
  std::size_t values = 0;
};
SourceCount count_sources(const YamlNode& tree);

}  // namespace gdsim
