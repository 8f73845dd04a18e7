#include "require.hpp"
#include "small_device.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/device/read_device.hpp>

namespace gdsim::fuzz {

DeviceSpec small_device(const std::string& id) {
  SourceFiles sources;
  Diagnostics problems;
  ModelLibrary models({GDSIM_FUZZ_MODELS}, sources);
  YamlNode reference;
  reference.text = id;
  auto device = read_device(reference, ".", models, ValueReader(problems));
  require(device && problems.empty(), "a device of the fuzzers cannot be read");
  return *std::move(device);
}

}  // namespace gdsim::fuzz
