#include <gdsim/import/ptx/static_analysis/matrix_work.hpp>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kTensorTypes{{{"f16", "fp16"},
                                                                                      {"bf16", "bf16"},
                                                                                      {"tf32", "tf32"},
                                                                                      {"f64", "fp64"},
                                                                                      {"s8", "int8"},
                                                                                      {"u8", "int8"},
                                                                                      {"s4", "int4"},
                                                                                      {"u4", "int4"},
                                                                                      {"b1", "int1"},
                                                                                      {"e4m3", "fp8"},
                                                                                      {"e5m2", "fp8"},
                                                                                      {"e3m2", "fp6"},
                                                                                      {"e2m3", "fp6"},
                                                                                      {"e2m1", "fp4"},
                                                                                      {"f32", "fp32"},
                                                                                      {"s32", "int32"}}};

std::string_view tensor_type(std::string_view part) {
  for (const auto& [type, name] : kTensorTypes)
    if (part == type) return name;
  return {};
}

std::vector<std::string_view> dotted_parts(std::string_view opcode) {
  std::vector<std::string_view> parts;
  while (!opcode.empty()) {
    const std::size_t dot = opcode.find('.');
    parts.push_back(opcode.substr(0, dot));
    opcode.remove_prefix(dot == std::string_view::npos ? opcode.size() : dot + 1);
  }
  return parts;
}

/// The product of the numbers of `m16n8k16`; 0: it is no shape.
std::uint64_t volume_of(std::string_view shape) {
  std::uint64_t volume = 1;
  for (const char letter : {'m', 'n', 'k'}) {
    std::uint64_t size = 0;
    if (shape.empty() || shape.front() != letter) return 0;
    const auto [end, error] = std::from_chars(shape.data() + 1, shape.data() + shape.size(), size);
    constexpr std::uint64_t largest = 1'024;
    if (error != std::errc() || size > largest) return 0;
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
    volume *= size;
  }
  return shape.empty() ? volume : 0;
}

/// The type of the factors among those of the instruction: D, A, B, C; `wgmma` has no C, `wmma` of fp16 only D and C.
std::string kind_of(const std::vector<std::string_view>& types) {
  if (types.empty()) return {};
  if (types.size() < 3) return "tensor_fp16";
  const bool is_half = types[0] == "fp16" && types[1] == "fp16";
  return "tensor_" + std::string(types[1]) + (is_half ? "_fp16" : "");
}

}  // namespace

MatrixWork matrix_work_of(const PtxInstruction& instruction) {
  MatrixWork work;
  std::vector<std::string_view> types;
  bool is_sparse = false;
  for (const std::string_view part : dotted_parts(instruction.opcode)) {
    if (const std::uint64_t volume = volume_of(part)) work.multiply_adds = volume;
    if (const std::string_view type = tensor_type(part); !type.empty()) types.push_back(type);
    is_sparse = is_sparse || part == "sp" || part.starts_with("sp::");
  }
  work.kind = kind_of(types);
  constexpr std::uint64_t warps = 4;
  if (instruction.name() == "wgmma") work.multiply_adds /= warps;
  if (is_sparse) work.multiply_adds /= 2;
  constexpr std::uint64_t quarters = 4;  // `mma.m8n8k4` of fp16 is one for each quarter of the warp
  const bool is_by_quarter = instruction.has_part("m8n8k4") && work.kind.starts_with("tensor_fp16");
  if (is_by_quarter) work.multiply_adds *= quarters;
  if (work.multiply_adds == 0) work.kind.clear();
  return work;
}

}  // namespace gdsim
