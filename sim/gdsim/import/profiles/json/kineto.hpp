#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/profiles/byte_stream.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// Returns true if the head of a file begins a trace in Chrome's format, as PyTorch's profiler (Kineto) writes it.
bool is_chrome_trace(std::string_view head);

/// Reads the kernels, copies, fills and devices of a trace. A ROCm trace counts a grid in work-items if the call with
/// the same correlation is hipExtModuleLaunchKernel. Throws InputError with the offset of the fault.
void read_kineto(ByteStream& stream, Profile& profile);

/// The relevant fields of one event of a trace, as written. Texts keep their memory from event to event.
struct KinetoEvent {
  std::string phase, category, name, start, duration, device, stream, registers, shared_memory, bytes, correlation;
  std::string collective, elements_in, elements_out, data_type, group_size;  ///< of a kernel that is a collective
  std::string process, lane;  ///< `pid` and `tid`, which pair events that begin and end
  Extent grid{};
  Extent block{};
  std::size_t grid_sizes = 0;  ///< number of sizes in the trace
  std::size_t block_sizes = 0;
  std::uint64_t byte = 0;     ///< offset of its begin
  bool is_on_device = false;  ///< its arguments name a device

  void clear() {
    for (std::string* text :
         {&phase, &category, &name, &start, &duration, &device, &stream, &registers, &shared_memory, &bytes,
          &correlation, &process, &lane, &collective, &elements_in, &elements_out, &data_type, &group_size})
      text->clear();
    grid = block = {};
    grid_sizes = block_sizes = 0;
    is_on_device = false;
  }
};

/// Returns the bytes of the whole buffer of a collective, from PyTorch's record of its kernel: input and output
/// elements, and their type. Returns nullopt if the kernel is no collective, or the bytes are unknown.
std::optional<std::uint64_t> collective_bytes(const KinetoEvent& event);

/// A launch or copy of a trace that has begun.
struct BegunLaunch {
  ProfiledLaunch launch;     ///< without its duration
  std::string start;         ///< as written
  std::uint64_t others = 0;  ///< other events that have begun after it, and not ended
};

/// The events of a trace that have begun and not ended. One that ends is the one that began last in its lane. Of those
/// that are no launch or copy, only the nesting is kept. The budget, which must outlive this, is charged for the rest.
class TraceLanes {
 public:
  /// A process and a thread of it, as the trace writes them.
  using Name = std::pair<std::string, std::string>;

  explicit TraceLanes(ReadBudget& budget) : budget_(budget) {}

  void begin(const Name& name, BegunLaunch launch);
  void begin_other(const Name& name) { ++lane(name).innermost(); }
  /// Returns nullopt if no launch or copy ends.
  std::optional<BegunLaunch> end(const Name& name);
  /// Returns how many launches and copies have begun and not ended.
  std::size_t open_launches() const;

 private:
  struct Lane {
    std::uint64_t others = 0;  ///< before the first launch or copy
    std::vector<BegunLaunch> launches;

    std::uint64_t& innermost() { return launches.empty() ? others : launches.back().others; }
  };

  Lane& lane(const Name& name);

  ReadBudget& budget_;
  std::map<Name, Lane> lanes_;
};

/// A device in a trace's `deviceProperties`, taken key by key.
class TracedDevice {
 public:
  /// Keys that say nothing of a model are ignored.
  void take(std::string_view key, std::string_view value);
  /// Returns the device with its family.
  ProfiledDevice finished() const;

 private:
  ProfiledDevice device_;
  std::uint32_t major_ = 0;
  std::uint32_t minor_ = 0;
};

}  // namespace gdsim
