#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>

#include <gdsim/import/ptx/reader/ptx_body.hpp>
#include <gdsim/import/ptx/static_analysis/instruction_costs.hpp>

#include <algorithm>
#include <array>

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

}  // namespace gdsim
