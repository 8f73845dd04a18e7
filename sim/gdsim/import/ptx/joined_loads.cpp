#include <gdsim/import/ptx/joined_loads.hpp>

#include <algorithm>
#include <map>

namespace gdsim {
namespace {

/// Loads of one size from one register: offset, instruction.
using Candidates = std::map<std::uint64_t, std::uint32_t>;

/// Joins the load at `first` with the following ones, if all are there and it is aligned.
bool join(Candidates& loads, Candidates::iterator first, std::uint32_t bytes, std::uint32_t wide, const BlockLog& log,
          AccessWidths& widths) {
  constexpr std::uint32_t most = 4;  // values of a vector
  if (wide <= bytes || wide > most * bytes || (log.accesses[first->second].low_bits & (wide - 1)) != 0) return false;
  std::vector<std::uint32_t> joined;
  for (std::uint32_t at = bytes; at < wide; at += bytes) {
    const auto next = loads.find(first->first + at);
    if (next == loads.end()) return false;
    joined.push_back(next->second);
  }
  for (std::uint32_t at = bytes; at < wide; at += bytes) loads.erase(first->first + at);
  for (const std::uint32_t instruction : joined) widths[instruction] = 0;
  widths[first->second] = wide;
  return true;
}

void join_all(Candidates loads, std::uint32_t bytes, const BlockLog& log, AccessWidths& widths) {
  for (auto at = loads.begin(); at != loads.end(); at = loads.erase(at))
    for (const std::uint32_t wide : {16U, 8U, 4U})
      if (join(loads, at, bytes, wide, log, widths)) break;
}

void join_in(const PreparedKernel& kernel, const BasicBlock& block, const BlockLog& log, AccessWidths& widths) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Candidates> open;  // by register and size
  const auto close = [&](auto is_meant) {
    for (auto at = open.begin(); at != open.end();) {
      if (!is_meant(at->first.first)) {
        ++at;
        continue;
      }
      join_all(std::move(at->second), at->first.second, log, widths);
      at = open.erase(at);
    }
  };
  for (std::uint32_t number = block.begin; number < block.end; ++number) {
    const PreparedInstruction& instruction = kernel.instructions[number];
    const PtxClass& traits = instruction.traits;
    const bool is_shared = traits.space == PtxSpace::shared;
    if (is_shared && traits.role != PtxRole::load) close([](std::uint32_t) { return true; });
    for (const std::uint32_t written : instruction.destinations)
      close([&](std::uint32_t base) { return base == written; });
    const bool is_candidate =
        is_shared && traits.role == PtxRole::load && !instruction.predicate && traits.layout == PtxLayout::by_lane &&
        instruction.address.kind == ValueSource::Kind::reg && traits.bytes >= 2 && traits.bytes <= 8 &&
        log.accesses[number].requests > 0 && !log.accesses[number].is_gathered;
    if (is_candidate) open[{instruction.address.index, traits.bytes}].emplace(instruction.offset, number);
  }
  close([](std::uint32_t) { return true; });
}

}  // namespace

AccessWidths widths_in_ptx(const PreparedKernel& kernel) {
  AccessWidths widths;
  for (const PreparedInstruction& instruction : kernel.instructions)
    widths.push_back(request_bytes(instruction.traits));
  return widths;
}

AccessWidths widths_joined(const PreparedKernel& kernel, const BlockLog& log) {
  AccessWidths widths = widths_in_ptx(kernel);
  for (const BasicBlock& block : kernel.flow.blocks) join_in(kernel, block, log, widths);
  return widths;
}

}  // namespace gdsim
