#include <gdsim/compare/measured_file.hpp>
#include "commands/comparison_text.hpp"
#include "fuzz_targets.hpp"
#include "quiet_log.hpp"
#include "require.hpp"
#include "support/string_sink.hpp"

#include "cases/case_run.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/scenario/read_scenario.hpp>

namespace gdsim::fuzz {
namespace {

ReadOptions known_models() {
  ReadOptions options;
  options.models = {GDSIM_FUZZ_MODELS};
  return options;
}

/// The run to compare with.
class KnownRun {
 public:
  KnownRun()
      : cases_(read_scenario(sources_.keep("known.yaml", kText), GDSIM_FUZZ_MODELS, known_models(), sources_)),
        run_(cases_.front().scenario, {Keeps::timeline, Keeps::cores}, {}),
        view_(view_of(run_.report())) {}

  const RunView& view() const { return view_; }

 private:
  static constexpr const char* kText =
      "scenario: known\n"
      "device: tiny\n"
      "kernels: {k: {global: 96, local: 32, sub_group: 8, program: [compute: 5 ms, barrier, compute: 5 ms]}}\n"
      "launches: [{kernel: k}]\n";
  SourceFiles sources_;
  std::vector<ScenarioCase> cases_;
  cli::CaseRun run_;
  RunView view_;
};

void compare_with(const RunView& view, const MeasuredFile& file, Stretch stretch) {
  const MeasuredOccupancy laid = align(file, view, stretch);
  for (const MeasuredSpan& span : laid.spans)
    require(span.begin <= span.end, "an aligned sample ends before it begins");
  const Comparison comparison = compare(view, laid);
  static_cast<void>(cli::comparison_text(view, laid, comparison));
  testing::StringSink sink;
  write_comparison_svg(view, laid, sink);
}

void read_and_compare(std::string_view input, const MeasuredOptions& options) {
  static const KnownRun known;
  try {
    Diagnostics problems;
    SourceFiles sources;
    std::vector<std::string> notes;
    const auto file = read_measured(sources.keep("fuzz.csv", std::string(input)), options, problems, notes);
    problems.throw_if_any();
    for (const Stretch stretch : {Stretch::no, Stretch::yes}) {
      try {
        compare_with(known.view(), file, stretch);
      } catch (const InputError&) {
      }
    }
  } catch (const InputError&) {
  }
}

}  // namespace

void measured(std::string_view input) {
  quiet_log();
  read_and_compare(input, {});
  read_and_compare(input, {"a", Duration{1'000'000}});
}

}  // namespace gdsim::fuzz
