#include <gdsim/scenario/read_launches.hpp>

#include <gdsim/scenario/keys.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>

namespace gdsim {
namespace {

/// Names of kernels or launches and their positions.
using Index = std::unordered_map<std::string, std::size_t>;

/// Adds that there is no such name, and which there are if they are few.
void fail_unknown(const YamlNode& node, std::string_view key, const char* what, const Index& known,
                  const ValueReader& values) {
  constexpr std::size_t few = 100;
  std::vector<std::string_view> names;
  if (known.size() <= few)
    for (const auto& [name, position] : known)
      if (!name.empty()) names.push_back(name);
  std::sort(names.begin(), names.end());
  const std::string hint = did_you_mean(node.text, names);
  values.fail(node, key,
              "there is no " + std::string(what) + " " + describe(node) +
                  (names.empty() ? "" : "; known: " + join(names)) + (hint.empty() ? "" : ";" + hint));
}

/// Reads launch by launch; `after:` waits until all names are known.
class LaunchReader {
 public:
  LaunchReader(Workload& workload, const ValueReader& values) : workload_(workload), values_(values) {
    for (std::size_t i = 0; i < workload.kernels.size(); ++i) kernels_.emplace(workload.kernels[i].name, i);
  }

  void read(const YamlNode& node) {
    const MapReader map(node, "launch", keys::kLaunch, values_);
    Launch launch;
    const YamlNode* kernel = map.require("kernel");
    const bool has_kernel = kernel != nullptr && read_kernel_name(*kernel, launch);
    if (map.find("name") != nullptr) {
      map.read("name", launch.name, &ValueReader::text);
    } else if (has_kernel) {
      launch.name = default_name(kernel->text);
    }
    map.read("at", launch.at, &ValueReader::quantity<Picoseconds>, parse_time);
    if (const YamlNode* queue = map.find("queue"))
      values_.fail(*queue, "queue", "queues are not modelled yet; say the order with `after:`");
    add(map, std::move(launch));
  }

  void link(const YamlNode& list) {
    for (std::size_t i = 0; i < list.items.size() && i < workload_.launches.size(); ++i)
      if (const YamlNode* after = list.items[i].find("after")) read_after(*after, workload_.launches[i]);
  }

 private:
  bool read_kernel_name(const YamlNode& node, Launch& launch) {
    if (!values_.text(node, "kernel")) return false;
    const auto kernel = kernels_.find(node.text);
    if (kernel == kernels_.end()) {
      if (kernels_.empty()) return false;  // that there are no kernels is said already
      fail_unknown(node, "kernel", "kernel", kernels_, values_);
      return false;
    }
    launch.kernel = static_cast<KernelId>(kernel->second);
    return true;
  }

  /// The kernel's name, with `#2`, `#3` when a launch has it already.
  std::string default_name(const std::string& kernel) {
    const std::size_t count = ++unnamed_[kernel];
    return count == 1 ? kernel : kernel + "#" + std::to_string(count);
  }

  void add(const MapReader& map, Launch launch) {
    const bool is_new = launches_.emplace(launch.name, workload_.launches.size()).second;
    if (!is_new && !launch.name.empty()) {
      const YamlNode* name = map.find("name");
      values_.fail(name != nullptr ? *name : map.node(), "name",
                   "two launches are called '" + launch.name + "'; give one another `name:`");
    }
    workload_.launches.push_back(std::move(launch));
  }

  void read_after(const YamlNode& node, Launch& launch) {
    if (values_.list(node, "after") == nullptr) return;
    for (const YamlNode& item : node.items) {
      if (!values_.text(item, "after")) continue;
      if (const auto before = launches_.find(item.text); before != launches_.end()) {
        launch.after.push_back(static_cast<LaunchId>(before->second));
      } else {
        fail_unknown(item, "after", "launch", launches_, values_);
      }
    }
  }

  Workload& workload_;
  const ValueReader& values_;
  Index kernels_;
  Index launches_;
  std::unordered_map<std::string, std::size_t> unnamed_;
};

}  // namespace

void read_launches(const YamlNode& node, Workload& workload, const ValueReader& values) {
  if (values.list(node, "launches") == nullptr) return;
  if (node.items.empty()) values.fail(node, "launches", "is empty; at least one launch is needed");
  LaunchReader reader(workload, values);
  for (const YamlNode& item : node.items) reader.read(item);
  reader.link(node);
}

}  // namespace gdsim
