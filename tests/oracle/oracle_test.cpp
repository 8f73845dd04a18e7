#include "oracle/compare.hpp"
#include "oracle/scenario_yaml.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("the model says what the oracle says, in every table, fast-forwarding or not") {
  rc::prop("random scenarios", [] {
    const RandomRun run = draw_run();
    const std::string found = oracle::disagreement(run);
    if (!found.empty()) {
      const auto n = oracle::naive_run(run.device, run.device.dispatch, run.workload);
      const auto m = oracle::model_run(run.device, run.device.dispatch, run.workload, false);
      FILE* f = fopen("/tmp/oracle_case.txt", "w");
      fprintf(f, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n", oracle::scenario_yaml(run).c_str(), found.c_str(), n.work_groups.c_str(), m.work_groups.c_str(), n.launches.c_str(), m.launches.c_str(), n.timeline.c_str(), m.timeline.c_str());
      fclose(f);
    }
    RC_ASSERT(found.empty());
  });
}
