#include "devices_command.hpp"

#include "device_text.hpp"
#include "model_folders.hpp"

#include <gdsim/scenario/read_device.hpp>

namespace gdsim::cli {
namespace {

/// One call of `gdsim devices`.
class DevicesCall {
 public:
  explicit DevicesCall(CommandContext& context)
      : options_(context.options), out_(context.out), models_(model_folders(context.options), sources_) {
    if (options_.arguments().size() > 1) throw UsageError("at most one device can be named");
  }

  ExitStatus run() {
    if (!options_.arguments().empty()) {
      const YamlNode tree = tree_of(options_.arguments().front());
      out_.show(device_text(read(options_.arguments().front()), tree));
    } else if (options_.has("names")) {
      for (const std::string& name : models_.names()) out_.show(name + "\n");
    } else {
      std::vector<DeviceSpec> devices;
      for (const std::string& name : models_.names()) devices.push_back(read(name));
      out_.show(device_list(devices));
    }
    out_.flush();
    return ExitStatus::done;
  }

 private:
  static YamlNode reference(const std::string& name) {
    YamlNode node;
    node.text = name;
    return node;
  }

  DeviceSpec read(const std::string& name) {
    Diagnostics problems;
    auto device = read_device(reference(name), ".", models_, ValueReader(problems));
    problems.throw_if_any();
    return *device;
  }

  YamlNode tree_of(const std::string& name) {
    Diagnostics problems;
    auto tree = models_.resolve(reference(name), ".", ValueReader(problems));
    problems.throw_if_any();
    return *tree;
  }

  const Options& options_;
  StandardOutput& out_;
  SourceFiles sources_;
  ModelLibrary models_;
};

ExitStatus run_devices(CommandContext& context) { return DevicesCall(context).run(); }

}  // namespace

Command devices_command() {
  return {{"devices",
           "[NAME]",
           "list device models, or show one with its sources",
           "Lists every device model by vendor: products with their cores, and the families that they are based on.\n"
           "With a NAME (or a device file), shows all its numbers and where they come from.",
           "  gdsim devices\n"
           "  gdsim devices a100-80gb",
           {{"names", 0, "", "the names alone, one per line"}}},
          run_devices};
}

}  // namespace gdsim::cli
