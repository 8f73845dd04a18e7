#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>

#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 24> kFree{
    "mov",       "cvta",           "membar",        "fence",      "pragma",     "isspacep",   "nop",       "loc",
    "prefetch",  "prefetchu",      "applypriority", "setmaxnreg", "discard",    "getctarank", "mapa",      "brkpt",
    "nanosleep", "griddepcontrol", "createpolicy",  "elect",      "activemask", "tensormap",  "stacksave", "pmevent"};
constexpr std::array<std::string_view, 10> kWithoutSteps{"call", "tex",   "tld4", "txq", "suld",
                                                         "sust", "sured", "suq",  "brx", "multimem"};

PtxSpace space_of(const PtxInstruction& instruction) {
  if (instruction.has_part("global")) return PtxSpace::global;
  if (instruction.has_part("shared") || instruction.has_part("shared::cta") || instruction.has_part("shared::cluster"))
    return PtxSpace::shared;
  if (instruction.has_part("local")) return PtxSpace::local;
  if (instruction.has_part("param") || instruction.has_part("const") || instruction.has_part("param::entry"))
    return PtxSpace::none;
  return PtxSpace::generic;
}

std::uint32_t elements_of(const PtxInstruction& instruction) {
  if (instruction.has_part("v8")) return 8;
  if (instruction.has_part("v4")) return 4;
  return instruction.has_part("v2") ? 2 : 1;
}

PtxClass access(const PtxInstruction& instruction, PtxRole role) {
  PtxClass result;
  result.role = role;
  result.space = space_of(instruction);
  result.bytes = static_cast<std::uint32_t>(bytes_of_type(instruction.last_part())) * elements_of(instruction);
  result.skips_l1 = instruction.has_part("cg") || instruction.has_part("cs") || instruction.has_part("cv") ||
                    instruction.has_part("volatile") || instruction.has_part("relaxed") ||
                    instruction.has_part("acquire");
  if (result.space == PtxSpace::none) return {PtxRole::free};
  if (result.bytes == 0) result.role = PtxRole::unsupported;
  return result;
}

/// `ldmatrix`, `stmatrix`: `x4` are four matrices of 8 rows.
PtxClass matrix_access(const PtxInstruction& instruction, PtxRole role) {
  PtxClass result;
  result.role = role;
  result.space = PtxSpace::shared;
  result.layout = PtxLayout::by_row;
  result.bytes = 16;
  result.rows = instruction.has_part("x4") ? 32 : instruction.has_part("x2") ? 16 : 8;
  return result;
}

/// The number after the letter in a shape such as `m16n16k8`; 0: there is none.
std::uint32_t extent_in(std::string_view shape, char letter) {
  const std::size_t at = shape.find(letter);
  std::uint32_t value = 0;
  for (std::size_t i = at + 1; at != std::string_view::npos && i < shape.size(); ++i) {
    if (shape[i] < '0' || shape[i] > '9' || value > 1'000) break;
    value = value * 10 + static_cast<std::uint32_t>(shape[i] - '0');
  }
  return value;
}

/// `wmma.load.a.sync.aligned.row.m16n16k16.shared.f16`: rows of the operand as they lie in memory.
PtxClass tile_access(const PtxInstruction& instruction, PtxRole role) {
  PtxClass result;
  result.role = role;
  result.space = space_of(instruction);
  result.layout = PtxLayout::by_tile;
  const std::string_view opcode = instruction.opcode;
  const std::size_t begin = opcode.find(".m");
  const std::string_view shape = begin == std::string_view::npos ? opcode : opcode.substr(begin + 1);
  const char outer = instruction.has_part("b") ? 'k' : 'm';
  const char inner = instruction.has_part("a") ? 'k' : 'n';
  const bool is_by_column = instruction.has_part("col");
  result.rows = extent_in(shape, is_by_column ? inner : outer);
  result.bytes = extent_in(shape, is_by_column ? outer : inner) *
                 static_cast<std::uint32_t>(bytes_of_type(instruction.last_part()));
  if (result.rows == 0 || result.bytes == 0) result.role = PtxRole::unsupported;
  return result;
}

PtxClass wmma(const PtxInstruction& instruction) {
  if (instruction.has_part("load")) return tile_access(instruction, PtxRole::load);
  if (instruction.has_part("store")) return tile_access(instruction, PtxRole::store);
  return {PtxRole::matrix};
}

PtxClass wgmma(const PtxInstruction& instruction) {
  return {instruction.has_part("mma_async") ? PtxRole::matrix : PtxRole::free};
}

/// Bulk copies to shared memory are counted where a barrier is told how many bytes to expect.
PtxClass bulk_copy(const PtxInstruction& instruction) {
  if (instruction.has_part("prefetch")) return {PtxRole::free};
  if (instruction.has_part("commit_group")) return {PtxRole::commit};
  if (instruction.has_part("wait_group")) return {PtxRole::free};
  const std::string_view opcode = instruction.opcode;
  const bool is_to_shared = opcode.find("bytes") != std::string_view::npos;
  return {is_to_shared ? PtxRole::free : PtxRole::unsupported};
}

/// `cp.async` of each lane; `bytes` is an operand.
PtxClass copy(const PtxInstruction& instruction) {
  if (instruction.has_part("bulk")) return bulk_copy(instruction);
  if (instruction.has_part("reduce")) return {PtxRole::unsupported};
  if (instruction.has_part("commit_group")) return {PtxRole::commit};
  if (instruction.has_part("wait_group") || instruction.has_part("wait_all")) return {PtxRole::await};
  if (instruction.has_part("mbarrier")) return {PtxRole::commit};
  PtxClass result{PtxRole::copy, PtxSpace::global};
  result.skips_l1 = instruction.has_part("cg");
  return result;
}

PtxClass memory_barrier(const PtxInstruction& instruction) {
  if (instruction.has_part("expect_tx")) {
    PtxClass result{PtxRole::copy, PtxSpace::global};
    result.is_bulk = true;
    return result;
  }
  if (!instruction.has_part("try_wait") && !instruction.has_part("test_wait")) return {PtxRole::free};
  PtxClass result{PtxRole::await};
  result.is_always_true = true;
  return result;
}

PtxClass barrier(const PtxInstruction& instruction) {
  if (instruction.has_part("warp") || instruction.has_part("cluster")) return {PtxRole::free};
  return {instruction.has_part("arrive") ? PtxRole::arrive : PtxRole::barrier};
}

}  // namespace

PtxClass class_of(const PtxInstruction& instruction) {
  const std::string_view name = instruction.name();
  if (name == "ld" || name == "ldu") return access(instruction, PtxRole::load);
  if (name == "st")
    return instruction.has_part("async") || instruction.has_part("bulk") ? PtxClass{PtxRole::unsupported}
                                                                         : access(instruction, PtxRole::store);
  if (name == "atom" || name == "red")
    return instruction.has_part("async") ? PtxClass{PtxRole::unsupported} : access(instruction, PtxRole::atomic);
  if (name == "ldmatrix") return matrix_access(instruction, PtxRole::load);
  if (name == "stmatrix") return matrix_access(instruction, PtxRole::store);
  if (name == "wmma") return wmma(instruction);
  if (name == "wgmma") return wgmma(instruction);
  if (name == "mma") return {PtxRole::matrix};
  if (name == "cp") return copy(instruction);
  if (name == "mbarrier") return memory_barrier(instruction);
  if (name == "bar" || name == "barrier") return barrier(instruction);
  if (name == "bra") return {PtxRole::branch};
  if (name == "ret" || name == "exit") return {PtxRole::end};
  if (is_one_of(name, kFree)) return {PtxRole::free};
  if (name == "trap" || is_one_of(name, kWithoutSteps)) return {PtxRole::unsupported};
  PtxClass result{PtxRole::arithmetic};
  result.is_unknown = !is_arithmetic_name(name);
  return result;
}

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
