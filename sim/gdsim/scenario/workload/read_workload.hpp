#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/ensemble/read_devices.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/program.hpp>
#include <gdsim/workload/workload.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// Rule: matrix instructions.
//
// `issue: {mma: m16n8k16 bf16, count: 64}` stands for 64 instructions of a thread (a warp, wavefront or sub-group), and
// is read as `issue: {tensor_bf16: 131072}`: one instruction multiplies m x k by k x n elements, which is m x n x k
// multiply-adds of all its lanes together. Two shapes are not one matrix of one thread: m8n8k4 of fp16 is four
// matrices, and an m64 shape of NVIDIA (`wgmma`) is issued by four warps, each of which does a quarter. The type is
// that of the factors, as in the name of the kind: `tensor_` is put before it, so that `fp16_fp16` means sums in FP16.

namespace gdsim {

/// The kind of arithmetic that a matrix instruction uses, and the multiply-adds that one thread does with it.
struct MatrixInstruction {
  std::string kind;
  std::uint64_t multiply_adds = 0;
};

/// Reads `m16n8k16 bf16`. Returns nullopt if the vendor has no instruction of this shape for this type; of a vendor
/// that the table does not name, those of all are known. Thread-safe.
std::optional<MatrixInstruction> matrix_instruction(std::string_view text, std::string_view vendor);

/// Returns what may stand instead of this text: the shapes of its type, or if it has none, the types.
std::string known_matrix_instructions(std::string_view text, std::string_view vendor);

/// Reads the steps `launch: {kernel, wait}` of all programs of `node`, the mapping `kernels:`, once every kernel is
/// known. `kernels` are those of the mapping, in order, with a LaunchChild for each such step. A step whose kernel is
/// unknown is removed.
void read_children(const YamlNode& node, std::vector<Kernel>& kernels, const ValueReader& values);

/// Reads a kernel's `variation:`. `group_values`: of an expression in `work_groups`, or null.
Variation read_variation(const YamlNode& node, const GroupValues* group_values, const ValueReader& values);

/// The word for an unknown program: `program: placeholder`.
inline constexpr std::string_view kPlaceholder = "placeholder";

/// A kernel as read. Readable parts can be checked even if others are not.
struct ReadKernel {
  Kernel kernel;
  bool has_range = false;  ///< range and sub-group are as the user wrote them
  bool has_needs = false;  ///< range, sub-group and resources are as the user wrote them
  bool has_steps = false;  ///< the program has all its steps, though some may not be as the user wrote them
};

/// Reads one entry of `kernels:`. Values that cannot be read are reported and keep their defaults. `group_values`:
/// values that differ by work-group, or null. `device`: null if it could not be read.
ReadKernel read_kernel(const std::string& name, const YamlNode& node, const KernelGroupValues* group_values,
                       const DeviceSpec* device, const ValueReader& values);

/// Reads `registers` of a kernel: a number, or numbers by sub-group size, of which the kernel's selects one.
/// `is_known`: the kernel's sub-group size is that of the file and of the device.
void read_registers(const MapReader& map, Kernel& kernel, bool is_known);

/// Adds what a thread spills behind its last step, where it changes no other step's number: one store of the bytes, and
/// a load of them for each further access.
void read_spill(const YamlNode& node, const DeviceSpec* device, const ValueReader& values, Kernel& kernel);

/// The parts of the launches that can be checked even if others could not be read.
struct ReadLaunches {
  std::vector<bool> has_subject;  ///< by launch: its kernel or copy is as the user wrote it
  /// By launch: its name is unique, and its time, if it matters, is as the user wrote it. A named but unknown launch
  /// imposes no order, nor does a buffer that could not be read.
  std::vector<bool> has_order;
  /// By launch: its item in the list; with a `count:`, several come from one.
  std::vector<std::size_t> items;
  std::vector<Collective> collectives;
};

/// Reads `launches:` of the kernels in `workload`, by their names. Reports launches that cannot be read. With several
/// devices, reads those of `own`; the others are remote. `own` is null if there is one device.
ReadLaunches read_launches(const YamlNode& node, Workload& workload, const ValueReader& values,
                           const OwnDevice* own_device = nullptr);

/// Reads `cores:`: a core, a range `0-2`, or a list of these, without duplicates. Reports entries that cannot be read.
CoreSelection read_cores(const YamlNode& node, const ValueReader& values);

// Queues may have a number of cores without naming them. Own cores (`cores: {count: 16}`) are the first that no queue
// has named or owns. Shares (`share: 50 %`) are assigned afterwards, one after the other, in a ring of the cores that
// no queue owns.

/// Assigns cores to the queues of a scenario: first to queues that name them, then own cores, then shares, each in the
/// order of the file.
class CoreShares {
 public:
  /// `cores`: the device's number; nullopt if it cannot be read: values are then checked, but no cores are assigned.
  explicit CoreShares(std::optional<std::uint32_t> cores);

  /// Records that a queue names these cores, which can then be no other queue's own cores.
  void name(const CoreSelection& cores);
  /// Returns cores for `{count: 16, granule: 8}`, like a green context: rounded up to whole granules. Adds a problem if
  /// too few cores are left.
  CoreSelection own_cores(const YamlNode& node, const ValueReader& values);
  /// Returns cores for `50 %`, like a client of MPS: this share of the device, rounded up to whole cores. Shares
  /// overlap if they add up to more than the cores that no queue owns. Adds a problem if a single share is larger.
  CoreSelection share(const YamlNode& node, const ValueReader& values);

 private:
  std::optional<std::uint32_t> cores_;
  std::vector<bool> is_named_;  ///< by core
  std::vector<bool> is_owned_;  ///< by core
  std::size_t next_ = 0;        ///< the position in the ring after the last share
};

/// Reads `queues:` on a device with `cores` cores; nullopt: not known. Reports queues that cannot be read.
std::vector<Queue> read_queues(const YamlNode& node, std::optional<std::uint32_t> cores, const ValueReader& values);

/// What steps need to know of the device: the work-items of a thread and the minimum transfer, which convert elements
/// in memory to bytes, and whose matrix instructions it has.
struct AccessSizes {
  std::uint32_t lanes = 1;      ///< work-items of a full thread
  std::optional<Bytes> line{};  ///< nullopt: the device's model has none
  bool is_known = true;         ///< false: the sub-group size or the device's memory could not be read
  std::string vendor{};         ///< empty: not known
};

/// Reads `l1` of an `issue` step: the total number of lines that it occupies, or a list of accesses. An access that
/// cannot be read is left out and reported.
void read_l1_accesses(const YamlNode& node, std::vector<L1Access>& accesses, const ValueReader& values);

/// Reads the value of a step `issue`: `5000 cycles`; `{fp32: 1024, int32: 128}`, which may also have `l1`; or
/// `{mma: m16n8k16 bf16, count: 64}`, as matrix_instruction() reads it, beside such kinds. Returns nullopt if there was
/// a problem.
std::optional<Step> read_issue(const YamlNode& node, const AccessSizes& sizes, const ValueReader& values);

/// Reads the value of a step `signal`: `full`, `{name: empty, initially: 2}`, or a flag of the launch, `{name: flag,
/// scope: launch, index: 3}`. Returns nullopt if there was a problem.
std::optional<Step> read_signal(const YamlNode& node, const ValueReader& values);
/// Reads the same of a step `wait`, which has no `initially`.
std::optional<Step> read_wait(const YamlNode& node, const ValueReader& values);

/// Returns a `compute` of 1 ps that replaces a step that could not be read, so that the others can be checked in their
/// places.
inline Step step_stand_in() { return Compute{{Decimal::whole(1), StepTime::Unit::picoseconds}}; }

/// Reads a list of steps. A step that cannot be read is reported and replaced by step_stand_in(). `tile_values`: for
/// the bodies of tiles, see YamlNode::tile_value.
void read_program(const YamlNode& node, const AccessSizes& sizes, Program& program, const ValueReader& values,
                  const std::vector<GroupValues>* tile_values = nullptr);

/// Reads a list of steps with values that differ by work-group: one program for each set of values. If one cannot be
/// read, reports all problems of the first such, with a work-group that has it; returns false, and the kernel has no
/// programs.
bool read_programs(const YamlNode& node, const AccessSizes& sizes, const KernelGroupValues& kernel_values,
                   Kernel& kernel, const ValueReader& values);

/// Expressions below a node whose values differ by work-group, or by tile.
struct Variants {
  std::uint32_t YamlNode::*number;  ///< marks the expressions: YamlNode::group_value or YamlNode::tile_value
  const GroupValues& values;
  const char* what;  ///< `work-group` or `tile`, for messages
};

/// Calls `read(node, set, values)` with the node's contents for each set of values, until one cannot be read. Then adds
/// all its problems, with a work-group or tile that has it, and returns false.
bool read_variants(const YamlNode& node, const Variants& variants,
                   const std::function<void(const YamlNode&, std::size_t, const ValueReader&)>& read,
                   const ValueReader& values);

/// Reads the step `tiles`. `tile_values`: of bodies that differ by tile, see YamlNode::tile_value; null if none does. A
/// body is read for each set of values. If one cannot be read, reports all problems of the first such, with a tile that
/// has it, and returns nullopt.
std::optional<Step> read_tiles(const YamlNode& node, const AccessSizes& sizes,
                               const std::vector<GroupValues>* tile_values, const ValueReader& values);

/// Returns true if the scenario declares buffers, whose copies follow from `reads` and `writes` of its launches.
bool declares_buffers(const YamlNode& scenario);

/// What declared buffers take of the device's memory, by name: all their bytes, or the pages that are touched.
using BufferSizes = std::map<std::string, Bytes>;

/// Adds to `launches` the copies that a SYCL runtime makes for the buffers under `buffers`:
///
/// 1. A buffer begins on the host (`on: host`, the default) or on the device (`on: device`).
/// 2. Before the first kernel that reads a buffer which the device does not hold: `copy` from host to device, submitted
///    when that kernel is. It is called `NAME_to_device`.
/// 3. A kernel that writes a buffer makes the host's content old. At the end, each buffer that began on the host and is
///    old there is written back: `copy` from device to host, called `NAME_to_host`.
/// 4. With `page`, as shared allocations (USM) have, only the pages that are touched are copied, whole, one after the
///    other.
/// 5. A copy that the user launches, and that lists the buffer, counts as one of these, by its direction.
///
/// The copies have `reads` and `writes`, so that kernels wait for them and they wait for kernels. Reports what is wrong
/// with `buffers`, names of buffers that are not declared, and a buffer that no launch uses. Returns their sizes.
BufferSizes add_buffer_copies(YamlNode& scenario, const ValueReader& values);

/// Adds a problem about an unknown name, and lists the names if they are few.
void fail_unknown(const YamlNode& node, std::string_view key, const char* what, std::vector<std::string_view> names,
                  const ValueReader& values);

/// The names of launches, to which `after:` and `wait:` refer.
class LaunchNames {
 public:
  /// The launches that a name stands for.
  struct Named {
    std::size_t first = 0;
    std::uint64_t count = 1;
    std::uint32_t devices = 0;  ///< not 0: `count` for each of these devices, device by device
  };

  explicit LaunchNames(const ValueReader& values) : values_(values) {}

  /// Records that the file gives this name to a launch.
  void mark_given(const std::string& name) { given_.insert(name); }
  /// Returns the kernel's name, or the first of `#2`, `#3` that no launch has, given or not.
  std::string next(const std::string& kernel);
  /// Records that this name is used: further launches get the names after it.
  void has_first(const std::string& name) { unnamed_.try_emplace(name, 1); }
  /// Adds a name. Returns the launches that already have it, or null.
  const Named* add(const std::string& name, const Named& launches);

  /// Reads `after:` of `waiting` equal launches. `device` is their device, or nullopt if the scenario has one device.
  void read_after(const YamlNode& list, std::uint64_t waiting, std::optional<std::uint32_t> device, Launch& launch);
  /// Reads `wait:`, by which the host waits for launches on any device.
  void read_waits(const YamlNode& list, std::uint64_t waiting, Launch& launch);

 private:
  /// Reads one name. Returns false if there are too many in all, which is reported once.
  bool read_name(const YamlNode& item, std::string_view key, LazyVector<LaunchId>& named);
  bool add_links(const YamlNode& item, std::string_view key, std::uint64_t waited_for);

  static constexpr std::uint64_t kMaxLinks = 10'000'000;

  const ValueReader& values_;
  std::unordered_map<std::string, Named> launches_;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, std::size_t> unnamed_;
  std::uint64_t links_ = 0;                ///< waits of items that name more than one launch
  std::uint64_t waiting_ = 1;              ///< launches whose list is being read
  std::optional<std::uint32_t> device_{};  ///< the device whose launches are named
};

}  // namespace gdsim
