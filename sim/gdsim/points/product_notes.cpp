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
constexpr std::uint64_t kMostGroupsWithProducts = 200'000;

/// What one work-group of a kernel with matrix instructions multiplies and loads.
struct Products {
  double elements = 0;  ///< loaded, by the size of the multiplied numbers
  double multiply_adds = 0;
  bool counts_multiply_adds = false;  ///< and not instructions, whose unit is not in doubt
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

/// Adds what `threads` threads do, `times` times; `bytes` are those of loads.
void add_products(const Program& program, double threads, double times, double& bytes, double& bits, Products& all) {
  for (const Step& step : program) {
    if (const auto* issue = std::get_if<IssueSlots>(&step))
      for (const InstructionCount& one : issue->by_kind)
        if (is_tensor_kind(one.kind)) {
          all.multiply_adds += threads * times * static_cast<double>(one.count);
          all.counts_multiply_adds = all.counts_multiply_adds || !one.is_by_shape;
          bits = std::max(bits, bits_of(one.kind));
        }
    if (const auto* memory = std::get_if<Memory>(&step); memory != nullptr && !is_store(*memory))
      bytes += threads * times * static_cast<double>(memory->bytes.count) * memory->multicast;
    if (const auto* loop = std::get_if<Loop>(&step))
      add_products(loop->body, threads, times * static_cast<double>(loop->count), bytes, bits, all);
    if (const auto* only = std::get_if<Only>(&step))
      add_products(only->body, threads_of(*only), times, bytes, bits, all);
    if (const auto* tiles = std::get_if<Tiles>(&step))
      add_products(tiles->body, threads, times * static_cast<double>(tiles->count), bytes, bits, all);
  }
}

Products products_of(const Kernel& kernel) {
  Products all;
  if (kernel.has_placeholder || kernel.sub_group == 0) return all;
  double bytes = 0;
  double bits = 0;
  const double threads = std::ceil(static_cast<double>(kernel.range.group_size()) / kernel.sub_group);
  add_products(kernel.program, threads, 1, bytes, bits, all);
  if (bits > 0) all.elements = bytes * 8 / bits;
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

/// The note on the first kernel that the doubt concerns, if the run takes less time otherwise.
std::optional<std::string> note_on(const Doubt& doubt, const Scenario& scenario, const RunRecord& record,
                                   const RunOptions& options) {
  const std::vector<const Kernel*> launched = launched_kernels(scenario.workload);
  const auto first =
      std::find_if(launched.begin(), launched.end(), [&](const Kernel* kernel) { return doubt.concerns(*kernel); });
  if (first == launched.end()) return std::nullopt;
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
  return doubt.words(**first, to_rounded_text(record.duration()), to_rounded_text(otherwise.duration()));
}

/// Products of matrices use again what they load; without a working set, a kernel streams.
Doubt unstated_reuse(const DeviceSpec& device) {
  const auto& levels = device.memory->levels;
  const std::string last = printable(levels.back().name);
  const std::string cache = printable(levels[levels.size() - 2].name);
  return {
      [](const Kernel& kernel) {
        const Products products = products_of(kernel);
        return products.multiply_adds > 0 && products.elements > 0 && !kernel.working_set && !kernel.shared_working_set;
      },
      [](Kernel& kernel) { kernel.shared_working_set = Bytes{1}; },
      [=, &device](const Kernel& kernel, const std::string& now, const std::string& otherwise) {
        return fmt::format(
            "{} multiplies matrices and states no working set, so all that it loads comes from {}: the run takes "
            "{}. If {} held what its {}s share, the run would take {}. State `shared_working_set`, the bytes of the "
            "matrices that {}s share.",
            printable(kernel.name), last, now, cache, device.terms.work_group, otherwise, device.terms.work_group);
      }};
}

/// Twice as many as a product can do for each element that it loads: clusters share what they load, and matrix units
/// may have registers of their own.
Doubt too_many_multiply_adds(const DeviceSpec& device, double most) {
  const auto per_element = [](const Kernel& kernel) {
    const Products products = products_of(kernel);
    const bool is_known = products.counts_multiply_adds && products.elements > 0;
    return is_known ? products.multiply_adds / products.elements : 0;
  };
  return {
      [=](const Kernel& kernel) { return per_element(kernel) > 2 * most; },
      [](Kernel& kernel) {
        const auto divide = [&](Program& program, const auto& self) -> void {
          for (Step& step : program) {
            if (auto* issue = std::get_if<IssueSlots>(&step))
              for (InstructionCount& one : issue->by_kind)
                if (is_tensor_kind(one.kind) && !one.is_by_shape)
                  one.count = std::max<std::uint64_t>(1, one.count / kernel.sub_group);
            if (auto* loop = std::get_if<Loop>(&step)) self(loop->body, self);
            if (auto* only = std::get_if<Only>(&step)) self(only->body, self);
            if (auto* tiles = std::get_if<Tiles>(&step)) {
              self(tiles->body, self);
              for (Program& body : tiles->others) self(body, self);
            }
          }
        };
        divide(kernel.program, divide);
      },
      [=, &device](const Kernel& kernel, const std::string& now, const std::string& otherwise) {
        return fmt::format(
            "{} does {:.0f} multiply-adds for each number that it loads. A product of matrices whose results fill "
            "the registers of one {} does {:.0f}. The run takes {}. If you multiplied `tensor_` amounts by the lanes "
            "once too often, divide them by {}: the run takes {}. If not, state all bytes that its {}s load, also "
            "those that caches supply.",
            printable(kernel.name), per_element(kernel), device.terms.core, most, now, kernel.sub_group, otherwise,
            device.terms.work_group);
      }};
}

}  // namespace

std::vector<std::string> product_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options) {
  std::vector<std::string> notes;
  if (record.outcome != Outcome::completed || record.work_groups_total > kMostGroupsWithProducts) return notes;
  const DeviceSpec& device = scenario.device;
  if (!scenario.devices.empty() || !device.memory) return notes;
  const auto add = [&](const Doubt& doubt) {
    if (auto note = note_on(doubt, scenario, record, options)) notes.push_back(std::move(*note));
  };
  if (device.memory->levels.size() > 1) add(unstated_reuse(device));
  if (const auto most = most_per_element(device)) add(too_many_multiply_adds(device, *most));
  return notes;
}

}  // namespace gdsim
