#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/workload/program.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

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
/// `{mma: m16n8k16 bf16, count: 64}`, see matrix_instructions.hpp, beside such kinds. Returns nullopt if there was a
/// problem.
std::optional<Step> read_issue(const YamlNode& node, const AccessSizes& sizes, const ValueReader& values);

/// Reads the value of a step `signal`: `full`, `{name: empty, initially: 2}`, or a flag of the launch, `{name: flag,
/// scope: launch, index: 3}`. Returns nullopt if there was a problem.
std::optional<Step> read_signal(const YamlNode& node, const ValueReader& values);
/// Reads the same of a step `wait`, which has no `initially`.
std::optional<Step> read_wait(const YamlNode& node, const ValueReader& values);

}  // namespace gdsim
