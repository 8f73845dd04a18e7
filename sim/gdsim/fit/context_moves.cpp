#include <gdsim/fit/context_moves.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/fit/footprint.hpp>

namespace gdsim {
namespace {

constexpr std::uint64_t kRegisterBytes = 4;

}  // namespace

std::optional<Bytes> register_bytes(const Kernel& kernel, const DeviceSpec& device) {
  if (device.grf_per_context) {
    const std::uint32_t contexts = make_footprint(kernel, device, 1).thread.contexts;
    return Bytes{device.grf_per_context->count * contexts};
  }
  if (!device.registers || kernel.needs.registers == 0) return std::nullopt;
  const EngineNeed need = make_footprint(kernel, device, 1).thread;
  return Bytes{static_cast<std::int64_t>((need.registers + need.scalar_registers) * kRegisterBytes)};
}

std::optional<BytesPerSecond> bandwidth_for_contexts(const DeviceSpec& device) {
  if (!device.memory || device.memory->levels.empty()) return std::nullopt;
  const MemoryLevel& last = device.memory->levels.back();
  const auto scopes = core_blocks(device, last.scope);
  if (!last.bandwidth || !scopes) return std::nullopt;
  return BytesPerSecond{last.bandwidth->count * static_cast<std::int64_t>(scopes->size())};
}

Bytes bytes_moved(const ContextMove& move, const ContextsMoved& contexts) {
  switch (move.moves) {
    case ContextBytes::none: break;
    case ContextBytes::context: return contexts.bytes;
    case ContextBytes::given: {
      Bytes bytes;
      if (__builtin_mul_overflow(move.bytes.count, contexts.work_groups, &bytes.count)) throw TimeOverflowError();
      return bytes;
    }
  }
  return {};
}

Duration time_to_move(const ContextMove& move, const ContextsMoved& contexts, const DeviceSpec& device) {
  const auto group_time =
      resolve(move.per_work_group, device.clock.value_or(Hertz{1}), Decimal::whole(contexts.most_on_core));
  if (!group_time) throw TimeOverflowError();
  const Bytes bytes = bytes_moved(move, contexts);
  if (bytes.count == 0) return *group_time;
  const auto bandwidth = bandwidth_for_contexts(device);
  GDSIM_CHECK(bandwidth.has_value(), "contexts are moved without a bandwidth, which the checks of the rules need");
  const auto passing = round_product({Decimal::whole(static_cast<std::uint64_t>(bytes.count))},
                                     {kPicosecondsPerSecond, static_cast<UInt128>(bandwidth->count)});
  if (!passing) throw TimeOverflowError();
  return *group_time + Duration{*passing};
}

}  // namespace gdsim
