#include "faults.hpp"

#include <catch2/catch.hpp>

namespace gdsim::testing {

namespace fs = std::filesystem;

std::size_t inject_everywhere(const FaultJob& job) {
  constexpr std::size_t max_steps = 10'000;
  const TemporaryFolder prepared;
  job.prepare(prepared.path());
  std::size_t injected = 0;
  // To be killed before a call is to be killed behind the one before it.
  for (const std::string fault : {"kill_half", "kill_after", "lose_data", "lose_all", "disk_full", "error"}) {
    const bool is_kill = fault.starts_with("kill") || fault.starts_with("lose");
    bool was_reached = true;
    for (std::size_t number = 1; was_reached; ++number) {
      REQUIRE(number < max_steps);
      const TemporaryFolder marks;
      const TemporaryFolder folder;
      fs::copy(prepared.path(), folder.path(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
      const fs::path mark = marks.path() / "reached";
      const Ran ran = run_gdsim(
          job.words(folder.path()),
          {"LD_PRELOAD=" GDSIM_FAULT_SHIM, "GDSIM_FAULT=" + fault, "GDSIM_FAULT_STEP=" + std::to_string(number),
           "GDSIM_FAULT_MARK=" + mark.string(), "GDSIM_FAULT_KEPT=" + marks.path().string()});
      was_reached = fs::exists(mark);
      INFO(fault << " at step " << number << ", status " << ran.status << ": " << ran.err);
      if (!was_reached) REQUIRE(ran.status == 0);
      if (was_reached && is_kill) REQUIRE(ran.status == 128 + 9);
      REQUIRE((ran.status == 0 || ran.status == 2 || ran.status == 128 + 9));
      job.check(folder.path(), ran);
      // A process that ended by itself has tidied up: of these, every eighth is looked at.
      if (is_kill || number % 8 == 1) {
        REQUIRE(run_gdsim(job.words(folder.path())).err == "");
        job.check_repeated(folder.path());
      }
      injected += was_reached ? 1 : 0;
    }
  }
  return injected;
}

}  // namespace gdsim::testing
