#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <utility>

namespace gdsim {

DeviceSpec read_device_model(const std::string& name_or_path, const std::vector<std::filesystem::path>& folders) {
  SourceFiles sources;
  ModelLibrary models(folders, sources);
  YamlNode reference;
  reference.text = name_or_path;
  reference.style = YamlNode::Style::quoted;  // a name, even if it looks like a number or a path
  Diagnostics problems;
  auto device = read_device(reference, ".", models, ValueReader(problems));
  problems.throw_if_any();
  return std::move(device.value());
}

}  // namespace gdsim
