#include <gdsim/scenario/workload/read_workload.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/keys/synonyms.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Parts of other ecosystems' calls, as plain_word() has them, and the step for each; no step for a barrier of a
/// thread. The first part that is in a call decides.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kForeignSteps{
    {{"syncwarp", ""},
     {"subgroupbarrier", ""},
     {"syncthreads", "barrier"},
     {"bar.sync", "barrier"},
     {"sbarrier", "barrier"},
     {"groupbarrier", "barrier"},
     {"threadfence", "fence"},
     {"membar", "fence"},
     {"memfence", "fence"},
     {"grid.sync", "grid_barrier"},
     {"thisgrid", "grid_barrier"},
     {"triggerprogrammaticlaunch", "trigger"},
     {"launchdependents", "trigger"},
     {"griddependencysynchronize", "wait_dependencies"},
     {"griddepcontrol.wait", "wait_dependencies"},
     {"waitgroup", "wait_memory"},
     {"asyncwait", "wait_memory"},
     {"async", "memory: {bytes: 4 KiB, asynchronous: true}"},
     {"groupload", "memory: {bytes: 256 B, block: true}"},
     {"blockread", "memory: {bytes: 256 B, block: true}"},
     {"groupstore", "store: {bytes: 256 B, block: true}"},
     {"blockwrite", "store: {bytes: 256 B, block: true}"},
     {"globalload", "memory: 4 KiB"},
     {"ld.global", "memory: 4 KiB"}}};

class StepReader {
 public:
  StepReader(const AccessSizes& sizes, const ValueReader& values, const std::vector<GroupValues>* tile_values)
      : sizes_(sizes), values_(values), tile_values_(tile_values) {}

  void read(const YamlNode& node, Program& program) const {
    Step step = read_step(node).value_or(stand_in_for(node));
    step.line = node.mark.line;
    program.push_back(std::move(step));
  }

  /// Replaces a step that could not be read, so that the others can be checked in their places.
  static Step stand_in() { return step_stand_in(); }

 private:
  /// Replaces a step. A wait for loads stays a wait: without it, too many loads would seem to be outstanding.
  static Step stand_in_for(const YamlNode& node) {
    const bool is_wait = node.is_mapping() && node.entries.size() == 1 && node.entries.front().key == "wait_memory";
    return is_wait ? Step(WaitMemory{}) : stand_in();
  }

  std::optional<Step> read_step(const YamlNode& node) const {
    if (node.is_scalar() && node.text == "barrier") return Step(Barrier{});
    if (node.is_scalar() && node.text == "wait_memory") return Step(WaitMemory{});
    if (node.is_scalar() && node.text == "fence") return Step(Fence{});
    if (node.is_scalar() && node.text == "grid_barrier") return Step(GridBarrier{});
    if (node.is_scalar() && node.text == "trigger") return Step(Trigger{});
    if (node.is_scalar() && node.text == "wait_dependencies") return Step(WaitDependencies{});
    if (!node.is_mapping() || node.entries.size() != 1) {
      const std::string hint = node.is_scalar() ? hint_for(node.text) : std::string();
      values_.fail(node, "program",
                   "is " + describe(node) + "; a step is one of " + join(keys::kStep) + ", as in `- compute: 10 us`" +
                       (hint.empty() ? "" : ";" + hint));
      return std::nullopt;
    }
    return read_entry(node.entries.front());
  }

  /// Suggests the step for a call of CUDA, HIP, SYCL or OpenCL, and the nearest name for a misspelt step.
  static std::string hint_for(const std::string& text) {
    const std::string plain = plain_word(text);
    if (plain == "load") return " write `- memory: 4 KiB`";
    for (const auto& [part, step] : kForeignSteps) {
      if (plain.find(part) == std::string::npos) continue;
      return step.empty() ? " leave it out: the work-items of a thread run together"
                          : " write `- " + std::string(step) + "`";
    }
    return did_you_mean(text, keys::kStep);
  }

  std::optional<Step> read_entry(const YamlEntry& entry) const {
    const std::string& key = entry.key;
    if (key == "compute") return read_as<Compute>(values_.quantity<StepTime>(entry.value, key, parse_step_time));
    if (key == "issue") return read_issue(entry.value, sizes_, values_);
    if (key == "memory") return read_memory(entry.value, key, keys::kStepMemory);
    if (key == "store") return read_store(entry.value, key);
    if (key == "wait_memory") return read_wait_memory(entry);
    if (key == "fence" || key == "trigger" || key == "wait_dependencies") return refuse_value(entry);
    if (key == "grid_barrier")
      return read_as<GridBarrier>(values_.quantity<StepTime>(entry.value, key, parse_step_time));
    if (key == "signal") return read_signal(entry.value, values_);
    if (key == "wait") return read_wait(entry.value, values_);
    if (key == "barrier") return read_barrier(entry);
    if (key == "slm") return read_plain<Slm>(entry, keys::kStepSlm);
    if (key == "atomic") return read_plain<Atomic>(entry, keys::kStepAtomic);
    if (key == "loop") return read_loop(entry.value);
    if (key == "only") return read_only(entry.value);
    if (key == "tiles") return read_tiles(entry.value, sizes_, tile_values_, values_);
    if (key == "launch") return Step(LaunchChild{});  // read_children() sets which one: any kernel may be named
    const std::string hint = hint_for(key);
    values_.problems().add(entry.key_mark, "program: unknown step " + in_quotes(key) + "; a step is one of " +
                                               join(keys::kStep) + (hint.empty() ? "" : ";" + hint));
    return std::nullopt;
  }

  template <class StepType, class Value>
  static std::optional<Step> read_as(const std::optional<Value>& value) {
    if (!value) return std::nullopt;
    return Step(StepType{*value});
  }

  /// Reads a step that has plain keys alone.
  template <class StepType>
  std::optional<Step> read_plain(const YamlEntry& entry, const MappingKeys& known) const {
    StepType step;
    const MapReader map(entry.value, entry.key, known, values_);
    if (!map.is_usable()) return std::nullopt;
    const std::size_t before = values_.problems().size();
    map.read_keys(step);
    if (values_.problems().size() > before) return std::nullopt;
    return Step(step);
  }

  std::optional<Step> read_barrier(const YamlEntry& entry) const {
    if (!entry.value.is_missing() && !entry.value.is_mapping())
      return read_as<Barrier>(values_.text(entry.value, "barrier"));
    values_.problems().add(entry.key_mark,
                           "program: a barrier for all stands alone: write `- barrier`, without a colon; one for some "
                           "has a name: `- barrier: NAME`");
    return std::nullopt;
  }

  /// Reads `64 KiB`, `{bytes: 64 KiB, asynchronous: true}`, or `{elements: 4, element: 8 B, stride: 16}`.
  std::optional<Step> read_memory(const YamlNode& node, const std::string& key, const MappingKeys& allowed) const {
    if (!node.is_mapping()) return read_as<Memory>(values_.quantity<Bytes>(node, key, parse_bytes));
    Memory memory;
    const MapReader map(node, key, allowed, values_);
    const std::size_t before = values_.problems().size();
    if (map.find("elements") != nullptr)
      read_elements(node, map, memory);
    else
      read_bytes(map, memory);
    map.read_keys(memory);
    if (const YamlNode* multicast = map.find("multicast"); multicast != nullptr && !memory.is_asynchronous)
      values_.fail(*multicast, "multicast",
                   "needs an asynchronous load, as in `memory: {bytes: 4 KiB, asynchronous: true, multicast: 2}`");
    if (const YamlNode* written = map.find("written"); written != nullptr && memory.counts_lines)
      values_.fail(*written, "written",
                   "stands beside `elements`, of which the sectors are not known; write `bytes` instead of them, as in "
                   "`memory: {bytes: 1 KiB, written: {partial: 32}}`");
    if (memory.is_block && memory.counts_lines)
      values_.fail(*map.find("block"), "block",
                   "stands beside `elements`, which lanes access one by one; a block is consecutive bytes, as in `" +
                       key + ": {bytes: 256 B, block: true}`");
    if (values_.problems().size() > before) return std::nullopt;
    return Step(memory);
  }

  /// Reads what read_memory() does, but for `asynchronous`: no thread waits for a store.
  std::optional<Step> read_store(const YamlNode& node, const std::string& key) const {
    std::optional<Step> step = read_memory(node, key, keys::kStepStore);
    if (step) std::get<Memory>(*step).is_posted = true;
    return step;
  }

  void read_bytes(const MapReader& map, Memory& memory) const {
    map.read_required("bytes", memory.bytes);
    for (const char* key : {"element", "stride"})
      if (const YamlNode* value = map.find(key))
        values_.fail(*value, key, "needs `elements`, as in `memory: {elements: 1, element: 4 B, stride: 16}`");
  }

  void read_elements(const YamlNode& node, const MapReader& map, Memory& memory) const {
    const std::size_t before = values_.problems().size();
    StridedAccess access;
    map.read("elements", access.elements);
    map.read("element", access.element);
    map.read("stride", access.stride);
    if (const YamlNode* bytes = map.find("bytes"))
      values_.fail(*bytes, "bytes", "stands beside `elements`, from which bytes follow; one of the two is needed");
    if (const YamlNode* element = map.find("element");
        element != nullptr && (access.element.count == 0 || access.element > kMaxElementBytes))
      values_.fail(*element, "element", "is " + describe(*element) + "; it must be 1 B to 1 KiB");
    memory.bytes = Bytes{1};  // stands for an unknown value
    memory.counts_lines = true;
    if (values_.problems().size() > before || !sizes_.is_known) return;
    if (!sizes_.line) {
      values_.fail(node, "memory",
                   "counts elements, but the device model has no `memory: {line: ...}`, its transfer granularity; "
                   "write `device: {base: NAME, memory: {line: 64 B}}`, or `bytes` instead of `elements`");
      return;
    }
    if (const auto bytes = strided_bytes(access, sizes_.lanes, *sizes_.line))
      memory.bytes = *bytes;
    else
      values_.fail(node, "memory", "moves more bytes than can be counted");
  }

  std::optional<Step> read_wait_memory(const YamlEntry& entry) const {
    if (entry.value.is_missing()) {
      values_.problems().add(entry.key_mark,
                             "program: a wait for all loads stands alone: write `- wait_memory`, without a colon; one "
                             "for all but the last: `- wait_memory: {outstanding: 1}`");
      return std::nullopt;
    }
    return read_plain<WaitMemory>(entry, keys::kStepWaitMemory);
  }

  std::optional<Step> refuse_value(const YamlEntry& entry) const {
    values_.problems().add(entry.key_mark,
                           "program: a " + entry.key + " stands alone: write `- " + entry.key + "`, without a colon");
    return std::nullopt;
  }

  std::optional<Step> read_loop(const YamlNode& node) const {
    Loop loop;
    const MapReader map(node, "loop", keys::kStepLoop, values_);
    if (!map.is_usable()) return std::nullopt;
    const YamlNode* count = map.find("count");
    // A written loop of 0 iterations is a mistake; a computed one may be the end of a series.
    if (count != nullptr && (count->group_value > 0 || count->is_computed))
      loop.count = values_.whole(*count, "count", 0, kMaxIterations).value_or(loop.count);
    else
      map.read_required("count", loop.count);
    read_body(map, loop.body);
    return Step(std::move(loop));
  }

  std::optional<Step> read_only(const YamlNode& node) const {
    Only only;
    const MapReader map(node, "only", keys::kStepOnly, values_);
    if (!map.is_usable()) return std::nullopt;
    if (const YamlNode* threads = map.require("threads")) {
      read_threads(*threads, only.threads);
    } else {
      only.threads.emplace_back();
    }
    read_body(map, only.body);
    return Step(std::move(only));
  }

  void read_body(const MapReader& map, Program& body) const {
    const YamlNode* node = map.require("body");
    if (node != nullptr) read_program(*node, sizes_, body, values_);
    if (body.empty() && (node == nullptr || !node->is_sequence())) body.push_back(stand_in());
  }

  /// Reads `0`, `0-3`, or a list of these.
  void read_threads(const YamlNode& node, std::vector<ThreadRange>& threads) const {
    if (node.is_sequence()) {
      for (const YamlNode& item : node.items) read_range(item, threads);
    } else {
      read_range(node, threads);
    }
  }

  void read_range(const YamlNode& node, std::vector<ThreadRange>& threads) const {
    ThreadRange range;
    const std::string& text = node.text;
    const std::size_t dash = text.find('-');
    const auto number = [](std::string_view word, std::uint32_t& value) {
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      return error == std::errc() && end == word.data() + word.size();
    };
    bool is_range = node.is_scalar() && number(std::string_view(text).substr(0, dash), range.first);
    range.last = range.first;
    if (is_range && dash != std::string::npos) is_range = number(std::string_view(text).substr(dash + 1), range.last);
    if (is_range) {
      threads.push_back(range);
    } else {
      threads.emplace_back();
      values_.fail(node, "threads", "is " + describe(node) + "; a thread (`0`), a range (`0-3`) or a list is needed");
    }
  }

  const AccessSizes& sizes_;
  const ValueReader& values_;
  const std::vector<GroupValues>* tile_values_;
};

}  // namespace

void read_program(const YamlNode& node, const AccessSizes& sizes, Program& program, const ValueReader& values,
                  const std::vector<GroupValues>* tile_values) {
  if (values.list(node, "program") == nullptr) return;
  const StepReader reader(sizes, values, tile_values);
  for (const YamlNode& step : node.items) reader.read(step, program);
}

bool read_programs(const YamlNode& node, const AccessSizes& sizes, const KernelGroupValues& kernel_values,
                   Kernel& kernel, const ValueReader& values) {
  const GroupValues& group_values = kernel_values.program;
  const auto read_one = [&](const YamlNode& filled, std::size_t set, const ValueReader& of_program) {
    Program& program = set == 0 ? kernel.program : kernel.group_programs.others.emplace_back();
    read_program(filled, sizes, program, of_program, &kernel_values.tiles);
  };
  if (!read_variants(node, {&YamlNode::group_value, group_values, "work-group"}, read_one, values)) {
    kernel.group_programs = {};
    return false;
  }
  if (!kernel.group_programs.others.empty()) kernel.group_programs.of_group = group_values.of_group;
  return true;
}

}  // namespace gdsim
