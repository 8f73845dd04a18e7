#include <gdsim/scenario/workload/read_workload.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {
namespace {

constexpr std::uint64_t kMinSpillAccesses = 2;  ///< a store and a load

/// Reads registers by sub-group size, each of them, and takes those of the kernel's size.
void read_registers_by_size(const YamlNode& node, Kernel& kernel, bool is_known, const ValueReader& values) {
  std::string sizes;
  bool is_found = false;
  for (const YamlEntry& entry : node.entries) {
    const auto size = values.whole(entry.key_node(), "registers (a sub-group size)", 1);
    const auto count = values.whole32(entry.value, "registers");
    sizes += (sizes.empty() ? "" : ", ") + printable(entry.key);
    if (!size || *size != kernel.sub_group) continue;
    is_found = true;
    kernel.needs.registers = count.value_or(0);
  }
  if (is_found || !is_known) return;
  const std::string size = std::to_string(kernel.sub_group);
  const std::string own = "{" + size + ": 64}`";
  if (node.entries.empty())
    values.fail(node, "registers", "is empty; write a number for each sub-group size, as in `registers: " + own);
  else if (kernel.sub_group_is_chosen)
    values.fail(node, "registers",
                "has only " + sizes + ", none of which fits the device and the work-group; add " +
                    "another size, as in `registers: " + own);
  else
    values.fail(node, "registers",
                "has no number for sub_group " + size + ", only for " + sizes + "; add it, as in `registers: " + own);
}

}  // namespace

void read_registers(const MapReader& map, Kernel& kernel, bool is_known) {
  const YamlNode* registers = map.find("registers");
  if (registers != nullptr && registers->is_mapping())
    read_registers_by_size(*registers, kernel, is_known, map.values());
  else
    map.read("registers", kernel.needs.registers);
}

void read_spill(const YamlNode& node, const DeviceSpec* device, const ValueReader& values, Kernel& kernel) {
  const MapReader map(node, "spill", keys::kKernelSpill, values);
  if (!map.is_usable()) return;
  if (device != nullptr && !device->memory) {
    values.fail(node, "spill", "goes to memory, and " + device->id + " has no `memory`; leave `spill` out");
    return;
  }
  const YamlNode* written = map.require("bytes");
  const auto bytes =
      written != nullptr ? values.quantity<Bytes>(*written, "bytes", parse_bytes) : std::optional<Bytes>();
  std::uint64_t accesses = kMinSpillAccesses;
  map.read("accesses", accesses);
  if (!bytes || bytes->count == 0) return;
  const auto add = [&, bytes = *bytes, accesses](Program& program) {
    program.push_back(Memory{.bytes = bytes, .is_posted = true});
    program.insert(program.end(), accesses - 1, Memory{.bytes = bytes});
  };
  add(kernel.program);
  for (Program& other : kernel.group_programs.others) add(other);
}

}  // namespace gdsim
