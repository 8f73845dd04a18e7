#include <gdsim/scenario/device/models.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include "devices/device_text.hpp"
#include "options/command.hpp"
#include "options/options.hpp"
#include "output/sinks.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gdsim::cli {
namespace {

/// One call of `gdsim devices`.
class DevicesCall {
 public:
  explicit DevicesCall(CommandContext& context)
      : options_(context.options), out_(context.out), models_(model_folders(context.options), sources_) {
    if (options_.arguments().size() > 1) throw UsageError("at most one device can be named");
    if (options_.has("check") && options_.arguments().empty())
      throw UsageError("--check needs a device file, as in `gdsim devices --check my-card.yaml`");
    if (options_.has("aliases") && (!options_.has("names") || !options_.arguments().empty()))
      throw UsageError("--aliases adds to the list of all names, as in `gdsim devices --names --aliases`");
    if (options_.has("check") && options_.has("names"))
      throw UsageError("--check lists no names: leave one of them out");
  }

  ExitStatus run() {
    if (options_.has("check")) return check();
    if (options_.arguments().empty() && models_.names().empty()) throw UsageError(no_models_text(models_.folders()));
    const auto some = options_.arguments().empty() ? std::vector<DeviceSpec>() : several(options_.arguments().front());
    if (!some.empty()) {
      if (options_.has("names")) {
        for (const DeviceSpec& device : some) out_.show(device.id + "\n");
      } else {
        out_.show(device_list(some, families_of(some)));
      }
    } else if (!options_.arguments().empty()) {
      const YamlNode tree = tree_of(options_.arguments().front());
      const DeviceSpec device = read(options_.arguments().front());
      out_.show(device_text(device, tree) + trust_in(device));
    } else if (options_.has("names")) {
      for (const std::string& name : models_.names()) out_.show(name + "\n");
      if (options_.has("aliases"))
        for (const std::string& name : other_names()) out_.show(name + "\n");
    } else {
      std::vector<DeviceSpec> devices;
      for (const std::string& name : models_.names()) devices.push_back(read(name));
      out_.show(device_list(devices, families_of(devices)));
    }
    out_.flush();
    return ExitStatus::done;
  }

 private:
  /// Returns what `accuracy.csv` of the first folder that has it says of the device, or nothing if no folder has it.
  std::string trust_in(const DeviceSpec& device) {
    for (const std::filesystem::path& folder : models_.folders()) {
      const std::filesystem::path file = folder / kAccuracyFile;
      if (!is_there(file)) continue;
      Diagnostics problems;
      const CsvDocument accuracy = read_csv(sources_.read(file, "accuracy of models"), problems);
      CsvCells cells(accuracy, problems);
      std::string text = trust_text(accuracy, cells, {device.id, models_.family_of(device.id)});
      problems.throw_if_any();
      return text;
    }
    return {};
  }

  /// Prints what the named model lacks. Returns status 1 if it lacks anything.
  ExitStatus check() {
    const std::string& name = options_.arguments().front();
    const DeviceSpec device = read(name);
    const YamlNode tree = tree_of(name);
    const std::vector<ModelGap> gaps = model_gaps(device, tree);
    out_.show(gaps_text(device, gaps, count_sources(tree)));
    out_.flush();
    return gaps.empty() ? ExitStatus::done : ExitStatus::expectation_missed;
  }

  /// Returns the models that a word means if it is a vendor's name or matches more than one model.
  std::vector<DeviceSpec> several(const std::string& word) {
    const std::vector<std::string> names = models_.names();
    const bool is_path = word.find('/') != std::string::npos || word.ends_with(".yaml") || word.ends_with(".yml");
    if (is_path || std::find(names.begin(), names.end(), word) != names.end()) return {};
    std::string vendor = word;
    for (char& c : vendor) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::vector<DeviceSpec> devices;
    for (const std::string& name : names)
      if (DeviceSpec device = read(name); device.vendor == vendor) devices.push_back(std::move(device));
    if (!devices.empty()) return devices;
    const ModelMatch match = models_.match(word);
    if (match.fit == NameFit::part && match.names.size() > 1)
      for (const std::string& name : match.names) devices.push_back(read(name));
    return devices;
  }

  /// Returns the other names of models, as one word each.
  std::vector<std::string> other_names() const {
    std::vector<std::string> names;
    for (const DeviceName& row : models_.device_names()) {
      if (row.cores) continue;
      std::string& name = names.emplace_back(row.name);
      std::replace(name.begin(), name.end(), ' ', '-');
    }
    return names;
  }

  std::map<std::string, std::string> families_of(const std::vector<DeviceSpec>& devices) {
    std::map<std::string, std::string> families;
    for (const DeviceSpec& device : devices) families[device.id] = models_.family_of(device.id);
    return families;
  }

  static YamlNode reference(const std::string& name) {
    YamlNode node;
    node.text = name;
    node.style = YamlNode::Style::quoted;  // a name even if it looks like a number
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
           "[NAME|VENDOR]",
           "the GPUs there are, each number with its source",
           "Lists every device model by vendor and generation: each family, and below it the products based on it.\n"
           "With a NAME (or a device file), shows all its values and their sources, and how far off the model is on\n"
           "measurements. `not verified` marks a source that nobody can look up.\n"
           "A vendor, or a part of a name, lists all models of that vendor or with that part. Names may be written\n"
           "in any case, without their series (4090), or as drivers, compilers and generations write them (NVIDIA\n"
           "A100-SXM4-80GB, sm_89, hopper). Ti, SUPER, D, Laptop, PCIe and SXM are parts of a name.\n"
           "Exit status of --check: 0 nothing is missing, 1 something is, 2 the file cannot be read.",
           "  gdsim devices\n"
           "  gdsim devices nvidia\n"
           "  gdsim devices a100-80gb\n"
           "  gdsim devices --check my-card.yaml",
           {{"check", 0, "", "what is missing of the model, and what that costs its users"},
            {"names", 0, "", "the names alone, one per line"},
            {"aliases", 0, "", "with --names: also the other names that models have"}}},
          run_devices};
}

}  // namespace gdsim::cli
