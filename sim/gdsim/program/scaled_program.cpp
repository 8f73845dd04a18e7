#include <gdsim/program/scaled_program.hpp>

#include <gdsim/device/device_rules.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

int digits_of(UInt128 number) {
  int digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

std::uint64_t scaled_count(std::uint64_t count, const Ratio& factor) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(scaled(count, factor), 1));
}

/// Whether instructions, and accesses to SLM and to atomic variables, are scaled, too.
enum class ScaledAmounts : std::uint8_t { of_lanes, all };

void scale_steps(Program& program, const Ratio& factor, ScaledAmounts amounts) {
  for (Step& step : program) {
    if (auto* compute = std::get_if<Compute>(&step)) compute->time.amount = scaled(compute->time.amount, factor);
    if (auto* issue = std::get_if<IssueSlots>(&step)) {
      issue->slots.amount = scaled(issue->slots.amount, factor);
      // A thread with another number of lanes issues the same number of instructions; multiply-adds and lines of L1
      // scale.
      for (InstructionCount& own : issue->by_kind)
        if (amounts == ScaledAmounts::all || is_tensor_kind(own.kind)) own.count = scaled_count(own.count, factor);
      for (L1Access& access : issue->l1) {
        access.lines = scaled_count(access.lines, factor);
        if (access.excess_sectors > 0) access.excess_sectors = scaled_count(access.excess_sectors, factor);
        if (access.coalesced) access.coalesced = std::min(access.lines, scaled_count(*access.coalesced, factor));
      }
    }
    if (auto* memory = std::get_if<Memory>(&step);
        memory != nullptr && (amounts == ScaledAmounts::all || !memory->counts_lines)) {
      memory->bytes.count = scaled(static_cast<std::uint64_t>(memory->bytes.count), factor);
      if (memory->written)
        for (std::uint64_t* sectors : {&memory->written->whole, &memory->written->partial})
          if (*sectors > 0) *sectors = scaled_count(*sectors, factor);
    }
    if (auto* loop = std::get_if<Loop>(&step)) scale_steps(loop->body, factor, amounts);
    if (auto* only = std::get_if<Only>(&step)) scale_steps(only->body, factor, amounts);
    if (auto* tiles = std::get_if<Tiles>(&step))
      for (std::size_t i = 0; i < tiles->body_count(); ++i) scale_steps(tiles->body_of(i), factor, amounts);
    if (amounts == ScaledAmounts::of_lanes) continue;
    if (auto* slm = std::get_if<Slm>(&step)) slm->accesses = scaled_count(slm->accesses, factor);
    if (auto* atomic = std::get_if<Atomic>(&step)) atomic->accesses = scaled_count(atomic->accesses, factor);
  }
}

}  // namespace

Decimal scaled(const Decimal& amount, const Ratio& factor) {
  const int magnitude = digits_of(amount.digits) + digits_of(factor.numerator) - digits_of(factor.denominator);
  // With 20 more digits than `magnitude` says, it is at least 10^18; with 17, less than that.
  for (int more = 20 - magnitude;; --more)
    if (const auto digits = round_product({{amount.digits, more}}, factor))
      return {static_cast<UInt128>(*digits), amount.exponent - more};
}

std::int64_t scaled(std::uint64_t amount, const Ratio& factor) {
  return round_product({Decimal::whole(amount)}, factor).value_or(std::numeric_limits<std::int64_t>::max());
}

void scale(Program& program, const Ratio& factor) { scale_steps(program, factor, ScaledAmounts::all); }

void scale_lanes(Kernel& kernel, std::uint32_t from, std::uint32_t to) {
  for (std::size_t i = 0; i < kernel.program_count(); ++i)
    scale_steps(kernel.program_of(i), {to, from}, ScaledAmounts::of_lanes);
}

bool can_scale_lanes(const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.program_count(); ++i)
    if (has_step<Only>(kernel.program_of(i)) || has_step<Tiles>(kernel.program_of(i))) return false;
  return true;
}

}  // namespace gdsim
