#include <gdsim/dispatch/questions.hpp>

#include <gdsim/dispatch/admission.hpp>

#include <map>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

using Words = std::vector<std::int64_t>;

/// All on which it depends whether a core takes work-groups of the launch's kernel.
Words words_of(LaunchId launch, const Kernel& kernel, const LaunchProgress& progress, Admission admission) {
  const Footprint& full = progress.full_footprint(launch);
  Words words{full.threads, full.thread.contexts, static_cast<std::int64_t>(full.thread.registers),
              static_cast<std::int64_t>(full.thread.scalar_registers),
              static_cast<std::int64_t>(admission_for(kernel, admission))};
  for (const Amounts& amounts : {full.work_group, full.whole, full.capacity})
    for (const Pool pool : kPools) words.push_back(amounts[pool]);
  return words;
}

}  // namespace

std::vector<std::uint32_t> equal_questions(const Workload& workload, const CoreSelections& cores,
                                           const LaunchProgress& progress, Admission admission) {
  std::map<Words, std::uint32_t> shapes;
  std::vector<std::optional<std::uint32_t>> shape_of(workload.kernels.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> questions;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(workload.launches.size());
  auto last = questions.end();
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    const Launch& launch = workload.launches[i];
    if (launch.is_copy()) {
      numbers.push_back(0);  // never asked
      continue;
    }
    auto& shape = shape_of[index_of(launch.kernel)];
    if (!shape) {
      Words words = words_of(id, workload.kernel_of(launch), progress, admission);
      if (!progress.is_uniform(id)) words.push_back(static_cast<std::int64_t>(index_of(launch.kernel)));
      shape = shapes.emplace(std::move(words), static_cast<std::uint32_t>(shapes.size())).first->second;
    }
    const std::pair asked(*shape, cores.number_of(id));
    if (last == questions.end() || last->first != asked)
      last = questions.emplace(asked, static_cast<std::uint32_t>(questions.size())).first;
    numbers.push_back(last->second);
  }
  return numbers;
}

}  // namespace gdsim
