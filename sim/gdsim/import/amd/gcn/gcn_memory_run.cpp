#include <gdsim/import/amd/gcn/gcn_wave.hpp>

#include <algorithm>
#include <bit>
#include <string_view>

namespace gdsim {
namespace {

std::uint64_t bits_below(std::uint32_t width) { return (std::uint64_t{1} << width) - 1; }

}  // namespace

void GcnWave::access(std::uint32_t at) {
  const std::uint64_t lanes = active();
  const GcnClass& of = execution_.program.classes[at];
  if (lanes == 0) return;
  if (of.is_lds) {
    access_lds(at, lanes);
    return lose(at);
  }
  if (of.is_scratch) return lose(at);
  GcnAddresses addresses{};
  std::uint32_t origin = 0;
  if (addresses_of(at, lanes, addresses, origin)) {
    execution_.log.on_global(number_, at, addresses, lanes);
    lose(at);
    if (of.role == GcnRole::load && GcnConstants::holds(addresses[static_cast<std::size_t>(std::countr_zero(lanes))]))
      load_constants(at, addresses, lanes);
    return;
  }
  if (const auto sectors = execution_.inputs.sectors_of(at, origin))
    execution_.log.on_gather(number_, at, lanes, *sectors);
  lose(at);
}

void GcnWave::access_lds(std::uint32_t at, std::uint64_t lanes) {
  const GcnInstruction& of = instruction(at);
  const GcnClass& traits = execution_.program.classes[at];
  const std::size_t position = gcn_address_position(of, traits);
  if (position >= of.operands.size()) return;
  const Source base = source(of.operands[position]);
  if ((base.known & lanes) != lanes) {
    if (const auto cycles = execution_.inputs.sectors_of(at, base.origin))
      execution_.log.on_gather(number_, at, lanes, *cycles);
    return;
  }
  std::vector<GcnAddresses> pieces(traits.pieces);
  for (std::uint32_t piece = 0; piece < traits.pieces; ++piece) {
    const std::int64_t offset = traits.pieces == 1 ? of.modifier("offset")
                                                   : of.modifier(piece == 0 ? "offset0" : "offset1") *
                                                         static_cast<std::int64_t>(traits.piece_unit);
    for (std::uint32_t lane = 0; lane < lanes_; ++lane)
      pieces[piece][lane] = base.in(lane) + static_cast<std::uint64_t>(offset);
  }
  execution_.log.on_lds(number_, at, pieces, lanes);
}

/// Returns false, and the instruction that made an address unknown, unless all are known.
bool GcnWave::addresses_of(std::uint32_t at, std::uint64_t lanes, GcnAddresses& addresses,
                           std::uint32_t& origin) const {
  const GcnInstruction& of = instruction(at);
  if (of.opcode.starts_with("buffer_")) return buffer_addresses(at, lanes, addresses, origin);
  const std::size_t position = gcn_address_position(of, execution_.program.classes[at]);
  if (position >= of.operands.size()) return false;
  const GcnOperand& address = of.operands[position];
  const Source low = source(address);
  const Source high = source(address, 1);
  std::uint64_t base = static_cast<std::uint64_t>(of.modifier("offset"));
  const bool has_base = of.operands.back().is_scalar() && of.operands.size() > position + 1;
  if (has_base) {
    const auto scalar_base = wide_scalar(of.operands.back(), origin);
    if (!scalar_base) return false;
    base += *scalar_base;
  }
  if ((low.known & high.known & lanes) != lanes) {
    origin = (low.known & lanes) != lanes ? low.origin : high.origin;
    return false;
  }
  for (std::uint32_t lane = 0; lane < lanes_; ++lane)
    addresses[lane] = base + low.in(lane) + (std::uint64_t{high.in(lane)} << 32);
  return true;
}

/// Source: AMD's ISA documents, buffer resource descriptor: bits 0 to 47 are the base address.
bool GcnWave::buffer_addresses(std::uint32_t at, std::uint64_t lanes, GcnAddresses& addresses,
                               std::uint32_t& origin) const {
  const GcnInstruction& of = instruction(at);
  constexpr std::size_t descriptor = 2;
  constexpr unsigned address_bits = 48;
  if (of.operands.size() < descriptor + 2 || of.has("idxen")) return false;
  const auto base = wide_scalar(of.operands[descriptor], origin);
  const GcnScalar more = scalar(of.operands[descriptor + 1], 0);
  if (!base || !more.is_known()) {
    if (base) origin = more.origin;
    return false;
  }
  const bool has_lanes = of.has("offen");
  const Source offset = has_lanes ? source(of.operands[1]) : Source{nullptr, 0, ~std::uint64_t{0}, 0};
  if ((offset.known & lanes) != lanes) {
    origin = offset.origin;
    return false;
  }
  const std::uint64_t first =
      (*base & bits_below(address_bits)) + more.bits + static_cast<std::uint64_t>(of.modifier("offset"));
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) addresses[lane] = first + offset.in(lane);
  return true;
}

/// Loads from the kernarg segment or the packet of the dispatch.
void GcnWave::load_constants(std::uint32_t at, const GcnAddresses& addresses, std::uint64_t lanes) {
  const GcnInstruction& of = instruction(at);
  const std::uint32_t bytes = execution_.program.classes[at].bytes;
  const std::string_view name = of.opcode;
  const bool is_signed =
      name.ends_with("sbyte") || name.ends_with("sshort") || name.ends_with("_i8") || name.ends_with("_i16");
  for (std::uint32_t word = 0; word < of.operands.front().count; ++word) {
    GcnLaneValues values;
    values.origin = at + 1;
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const auto bits = constant_word(addresses[lane] + 4 * word, std::min(bytes - std::min(bytes, 4 * word), 4U), at);
      if (!bits) continue;
      const std::uint32_t unused = bytes < 4 ? 32 - 8 * bytes : 0;
      values.bits[lane] =
          is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(*bits << unused) >> unused) : *bits;
      values.known |= std::uint64_t{1} << lane;
    }
    write_lanes(of.operands.front().first + word, values);
  }
}

}  // namespace gdsim
