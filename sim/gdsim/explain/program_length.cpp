#include <gdsim/explain/program_length.hpp>

#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/program_plan.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

constexpr double kPicosecondsPerSecond = 1e12;

class Length {
 public:
  Length(const Kernel& kernel, const DeviceSpec& device) : kernel_(kernel), device_(device) {
    if (!device.memory) return;
    double bandwidth = std::numeric_limits<double>::infinity();
    for (const MemoryLevel& level : device.memory->levels)
      if (level.bandwidth) bandwidth = std::min(bandwidth, static_cast<double>(level.bandwidth->count));
    const double contexts = static_cast<double>(device.cores) * static_cast<double>(device.contexts_per_core());
    per_byte_ = contexts * kPicosecondsPerSecond / bandwidth;
  }

  double of(const Program& program) const {
    double sum = 0;
    for (const Step& step : program) sum += std::visit([this](const auto& one) { return of(one); }, variant_of(step));
    return sum;
  }

 private:
  static const Step::variant& variant_of(const Step& step) { return step; }

  double of(const StepTime& time) const {
    const auto span = resolve(time, clock_of(device_), Decimal::whole(1));
    return span ? static_cast<double>(span->count) : 0;
  }
  double cycles(std::uint64_t count) const { return of(StepTime{Decimal::whole(count), StepTime::Unit::cycles}); }

  double of(const Compute& step) const { return of(step.time); }
  double of(const IssueSlots& step) const {
    const double issued = of(step.by_kind.empty() ? step.slots : cycles_of(step.by_kind, device_, kernel_.sub_group));
    return step.l1.empty() ? issued : std::max(issued, of(l1_cycles_of(step.l1, *device_.l1)));
  }
  double of(const Memory& step) const { return static_cast<double>(step.bytes.count) * per_byte_; }
  double of(const Slm& step) const { return cycles(step.accesses); }
  double of(const Atomic& step) const { return cycles(step.accesses); }
  double of(const Loop& step) const { return static_cast<double>(step.count) * of(step.body); }
  double of(const Only& step) const { return of(step.body); }
  /// Returns the length of a work-group's part of the tiles, if all take the same number.
  double of(const Tiles& step) const {
    const std::vector<std::uint64_t> tiles = tiles_by_body(step);
    double sum = 0;
    for (std::size_t body = 0; body < tiles.size(); ++body)
      sum += static_cast<double>(tiles[body]) * of(step.body_of(body));
    return sum / static_cast<double>(kernel_.range.group_count());
  }
  template <class Other>
  double of(const Other&) const {
    return 0;
  }

  const Kernel& kernel_;
  const DeviceSpec& device_;
  double per_byte_ = 0;
};

}  // namespace

double estimated_length(const Program& program, const Kernel& kernel, const DeviceSpec& device) {
  return Length(kernel, device).of(program);
}

}  // namespace gdsim
