#include <gdsim/points/point_notes.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

namespace gdsim {
namespace {

/// The minimum part of the duration that is reported: a twentieth.
constexpr int kReportedPartsWithProducts = 20;
/// A run with more events is not run again: that would take more than about a second.
constexpr std::uint64_t kMostEventsWithProducts = 3'000'000;
constexpr std::size_t kMostNamedKernels = 8;

/// What an average work-group of a kernel with matrix instructions multiplies and loads.
struct Products {
  double bytes = 0;          ///< loaded
  double multiply_adds = 0;  ///< without those that a file counts as instructions, whose unit is not in doubt
  double bits = 0;           ///< of the largest multiplied numbers; 0: it has no matrix instructions

  double elements() const { return bits > 0 ? bytes * 8 / bits : 0; }
};

/// `tensor_bf16`: 16 bits. Kinds without a number have those of 16.
double bits_of(std::string_view kind) {
  double bits = 0;
  for (const char c : kind) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
      bits = 10 * bits + (c - '0');
    else if (bits > 0)
      break;
  }
  return bits > 0 ? bits : 16;
}

double threads_of(const Only& only) {
  double threads = 0;
  for (const ThreadRange& range : only.threads) threads += range.last - range.first + 1.0;
  return threads;
}

/// Adds what `threads` threads of each of `groups` work-groups do, `times` times.
void add_products(const Program& program, double threads, double times, double groups, Products& all) {
  for (const Step& step : program) {
    if (const auto* issue = std::get_if<IssueSlots>(&step))
      for (const InstructionCount& instruction_count : issue->by_kind)
        if (is_tensor_kind(instruction_count.kind)) {
          if (!instruction_count.is_by_shape)
            all.multiply_adds += threads * times * static_cast<double>(instruction_count.count);
          all.bits = std::max(all.bits, bits_of(instruction_count.kind));
        }
    if (const auto* memory = std::get_if<Memory>(&step); memory != nullptr && !is_store(*memory))
      all.bytes += threads * times * static_cast<double>(memory->bytes.count);
    if (const auto* loop = std::get_if<Loop>(&step))
      add_products(loop->body, threads, times * static_cast<double>(loop->count), groups, all);
    if (const auto* only = std::get_if<Only>(&step)) add_products(only->body, threads_of(*only), times, groups, all);
    if (const auto* tiles = std::get_if<Tiles>(&step)) {
      const double takers = tiles->per == TileTaker::thread ? groups * threads : groups;
      const std::vector<std::uint64_t> counts = tiles_by_body(*tiles);
      for (std::size_t i = 0; i < counts.size(); ++i)
        add_products(tiles->body_of(i), threads, static_cast<double>(counts[i]) / takers, groups, all);
    }
  }
}

Products products_of(const Kernel& kernel) {
  Products all;
  if (kernel.has_placeholder || kernel.sub_group == 0) return all;
  const double threads = std::ceil(static_cast<double>(kernel.range.group_size()) / kernel.sub_group);
  add_products(kernel.program, threads, 1, static_cast<double>(kernel.range.group_count()), all);
  return all;
}

/// Returns the multiply-adds of a product for each element that it loads, if its results fill the registers of a core:
/// a square of side n needs 2 n elements for n x n of them. nullopt: the device's registers are not known.
std::optional<double> most_per_element(const DeviceSpec& device) {
  if (!device.registers) return std::nullopt;
  return std::sqrt(static_cast<double>(device.registers->per_engine * device.engines_per_core)) / 2;
}

/// What a kernel leaves open or may have wrong, the run in which it is otherwise, and the words on both.
struct Doubt {
  std::function<bool(const Kernel&)> concerns;
  std::function<void(Kernel&)> change;
  std::function<std::string(const Kernel&, const std::string& now, const std::string& otherwise)> words;
};

/// Returns the sentence on the kernels behind the first one, at most kMostNamedKernels with it. Empty if there is none.
std::string words_on_others(const std::vector<const Kernel*>& concerned) {
  if (concerned.size() < 2) return {};
  const std::size_t named = std::min(concerned.size(), kMostNamedKernels);
  std::vector<std::string> names;
  for (std::size_t i = 1; i < named; ++i) names.push_back(printable(concerned[i]->name));
  if (concerned.size() > named) names.push_back(std::to_string(concerned.size() - named) + " more");
  const std::string last = names.size() > 1 ? " and " + names.back() : "";
  if (names.size() > 1) names.pop_back();
  return fmt::format(" The same holds for {}{}; the second time is with all of them changed.", fmt::join(names, ", "),
                     last);
}

/// The note on the kernels that the doubt concerns, if the run takes less time otherwise.
std::optional<std::string> note_on(const Doubt& doubt, const Scenario& scenario, const RunRecord& record,
                                   const RunOptions& options) {
  std::vector<const Kernel*> concerned = launched_kernels(scenario.workload);
  std::erase_if(concerned, [&](const Kernel* kernel) { return !doubt.concerns(*kernel); });
  if (concerned.empty()) return std::nullopt;
  Scenario other = scenario;
  for (Kernel& kernel : other.workload.kernels)
    if (doubt.concerns(kernel)) doubt.change(kernel);
  RunOptions again;
  again.stop = options.stop;
  const RunRecord otherwise = run_for_study(other, again, KeepAccounts::no).record;
  const Duration saved = record.duration() - otherwise.duration();
  if (otherwise.outcome != Outcome::completed ||
      Int128{saved.count} * kReportedPartsWithProducts < record.duration().count)
    return std::nullopt;
  return doubt.words(*concerned.front(), to_rounded_text(record.duration()), to_rounded_text(otherwise.duration())) +
         words_on_others(concerned);
}

/// Products of matrices use again what they load; without a working set, a kernel streams. Otherwise it has the largest
/// one of which nothing comes from the last level.
Doubt unstated_reuse(const DeviceSpec& device) {
  const auto& levels = device.memory->levels;
  const std::string last = printable(levels.back().name);
  const std::string cache = printable(levels[levels.size() - 2].name);
  const Bytes held = levels[levels.size() - 2].capacity.value_or(Bytes{1});
  return {[](const Kernel& kernel) {
            return products_of(kernel).elements() > 0 && !kernel.working_set && !kernel.shared_working_set;
          },
          [=](Kernel& kernel) { kernel.shared_working_set = held; },
          [=, &device](const Kernel& kernel, const std::string& now, const std::string& otherwise) {
            return fmt::format(
                "{0} multiplies matrices and states no working set, so all that it loads comes from {1}: the run takes "
                "{2}. With `shared_working_set: {3}`, all that {4} holds, the run would take {5}; the model then keeps "
                "stores there, too. State `shared_working_set`, the bytes of the matrices that {6}s share.",
                printable(kernel.name), last, now, to_text(held), cache, otherwise, device.terms.work_group);
          }};
}

/// Twice as many as a product can do for each element that it loads: clusters share what they load, and matrix units
/// may have registers of their own.
Doubt too_many_multiply_adds(const DeviceSpec& device, double most) {
  const auto per_element = [](const Kernel& kernel) {
    const Products products = products_of(kernel);
    return products.elements() > 0 ? products.multiply_adds / products.elements() : 0;
  };
  return {
      [=](const Kernel& kernel) { return per_element(kernel) > 2 * most; },
      [](Kernel& kernel) {
        const auto divide = [&](Program& program, const auto& self) -> void {
          for (Step& step : program) {
            if (auto* issue = std::get_if<IssueSlots>(&step))
              for (InstructionCount& instruction_count : issue->by_kind)
                if (is_tensor_kind(instruction_count.kind) && !instruction_count.is_by_shape)
                  instruction_count.count = std::max<std::uint64_t>(1, instruction_count.count / kernel.sub_group);
            if (auto* loop = std::get_if<Loop>(&step)) self(loop->body, self);
            if (auto* only = std::get_if<Only>(&step)) self(only->body, self);
            if (auto* tiles = std::get_if<Tiles>(&step))
              for (std::size_t i = 0; i < tiles->body_count(); ++i) self(tiles->body_of(i), self);
          }
        };
        for (std::size_t i = 0; i < kernel.program_count(); ++i) divide(kernel.program_of(i), divide);
      },
      [=, &device](const Kernel& kernel, const std::string& now, const std::string& otherwise) {
        return fmt::format(
            "{} does {:.0f} multiply-adds for each number that it loads. A product of matrices whose results fill "
            "the registers of one {} does {:.0f}. The run takes {}. If you multiplied `tensor_` amounts by the lanes "
            "once too often, divide them by these ({}): the run takes {}. If not, state all bytes that its {}s load, "
            "also those that caches supply.",
            printable(kernel.name), per_element(kernel), device.terms.core, most, now, kernel.sub_group, otherwise,
            device.terms.work_group);
      }};
}

}  // namespace

std::vector<std::string> product_notes(const Scenario& scenario, const RunResult& run, const RunOptions& options) {
  std::vector<std::string> notes;
  if (run.record.outcome != Outcome::completed || run.events > kMostEventsWithProducts) return notes;
  const DeviceSpec& device = scenario.device;
  if (!device.memory || !has_durations(scenario)) return notes;
  const auto add = [&](const Doubt& doubt) {
    if (auto note = note_on(doubt, scenario, run.record, options)) notes.push_back(std::move(*note));
  };
  if (device.memory->levels.size() > 1) add(unstated_reuse(device));
  if (const auto most = most_per_element(device)) add(too_many_multiply_adds(device, *most));
  return notes;
}

}  // namespace gdsim
