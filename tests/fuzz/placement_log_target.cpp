#include <gdsim/base/diagnostic.hpp>
#include <gdsim/infer/infer_rules.hpp>
#include <gdsim/infer/inference.hpp>
#include "fuzz_targets.hpp"
#include "quiet_log.hpp"
#include "require.hpp"
#include "small_device.hpp"
#include "support/string_sink.hpp"

namespace gdsim::fuzz {
namespace {

/// Longer logs, and those of more cores, take longer and reach nothing else.
constexpr std::size_t kMaxInput = 20'000;
constexpr std::uint32_t kMaxLogCores = 64;

void infer_on(const DeviceSpec& device, std::string_view input) {
  try {
    const SourceText source("fuzz.csv", std::string(input));
    Diagnostics problems;
    PlacementLog log = read_placement_log(source, device.id, problems);
    problems.throw_if_any();
    for (const LogSession& session : log.sessions)
      if (session.cores > kMaxLogCores) return;
    const Inference inference = infer_rules({source, std::move(log), device, built_in_placements(), {1}}, problems);
    problems.throw_if_any();
    require(inference.judged <= inference.work_groups, "more work-groups are judged than there are");
    for (const RuleCandidate& one : inference.candidates)
      require(one.share.numerator <= one.share.denominator, "more than all work-groups are on the right core");
    static_cast<void>(inference_text(inference));
    testing::StringSink sink;
    write_inference_json(inference, sink);
    write_inference_csv(inference, sink);
  } catch (const InputError&) {
  }
}

}  // namespace

void placement_log(std::string_view input) {
  quiet_log();
  if (input.size() > kMaxInput) return;
  static const DeviceSpec amd = small_device("gfx1100");
  static const DeviceSpec nvidia = small_device("cc-8.6");
  infer_on(amd, input);
  infer_on(nvidia, input);
}

}  // namespace gdsim::fuzz
