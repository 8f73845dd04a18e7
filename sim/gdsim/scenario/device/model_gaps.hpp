#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Something that a model of a product should have, and this one does not.
struct ModelGap {
  std::string key;   ///< the path of the value that is missing: `memory.levels.GDDR6.latency`
  std::string cost;  ///< what users of the model get instead, a clause
  std::string line;  ///< how it is written, with the value of some GPU: `latency: 400 ns`
};

/// What is missing of a model, in the order of the parts of a GPU: names, clock, cores, what limits work-groups,
/// dispatch, memory, arithmetic, atomics, copies, sources. `tree` is the file that `device` was read from, its bases
/// merged in. Of a family, what only products have is not missed: clock, number of cores, memory, latencies, copies.
std::vector<ModelGap> model_gaps(const DeviceSpec& device, const YamlNode& tree);

/// How many values of a model have a source that begins with `not verified`, and how many have any or should.
struct SourceCount {
  std::size_t not_verified = 0;
  std::size_t values = 0;
};
SourceCount count_sources(const YamlNode& tree);

}  // namespace gdsim
