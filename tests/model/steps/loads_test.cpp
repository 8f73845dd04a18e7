#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/model/steps/loads.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Loads in the order in which they began. They are known by when they would be back alone.
struct ListedLoad {
  LoadHandle handle;
  std::optional<std::size_t> older;
  bool is_answered = false;
  bool has_ended = false;
};

class ListedLoads {
 public:
  std::vector<ListedLoad> all;
  std::vector<std::vector<std::size_t>> threads{
      {}};  ///< the loads of each, oldest first; those before a split are shared

  /// Those that end now, oldest first.
  std::vector<std::size_t> answer(std::size_t load) {
    all[load].is_answered = true;
    std::vector<std::size_t> ended;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ListedLoad& one = all[i];
      if (one.has_ended || !one.is_answered || (one.older && !all[*one.older].has_ended)) continue;
      one.has_ended = true;
      ended.push_back(i);
    }
    return ended;
  }
  std::vector<std::size_t> outstanding_of(std::size_t thread) const {
    std::vector<std::size_t> loads = threads[thread];
    std::erase_if(loads, [&](std::size_t load) { return all[load].has_ended; });
    return loads;
  }
  LoadHandle last_of(std::size_t thread) const {
    return threads[thread].empty() ? LoadHandle() : all[threads[thread].back()].handle;
  }
  std::vector<std::size_t> unanswered() const {
    std::vector<std::size_t> loads;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i].is_answered) loads.push_back(i);
    return loads;
  }
};

}  // namespace

TEST_CASE("loads of a thread end in the order in which they began, also where cohorts are split") {
  rc::prop("against a list of all", [] {
    Loads loads;
    ListedLoads listed;
    const int max_threads = between(1, 4);
    std::size_t most_at_once = 0;
    for (int step = between(0, 60); step > 0; --step) {
      const auto thread = between<std::size_t>(0, listed.threads.size() - 1);
      const std::vector<std::size_t> unanswered = listed.unanswered();
      const int what = between(0, 5);
      if (what == 0 && listed.threads.size() < static_cast<std::size_t>(max_threads)) {
        const std::vector<std::size_t> shared = listed.threads[thread];
        listed.threads.push_back(shared);
      } else if (what < 3 || unanswered.empty()) {
        const std::vector<std::size_t>& own = listed.threads[thread];
        const auto number = static_cast<std::int64_t>(listed.all.size());
        const LoadHandle handle = loads.begin(listed.last_of(thread), at(ps(number)));
        listed.all.push_back({handle, own.empty() ? std::nullopt : std::optional(own.back())});
        listed.threads[thread].push_back(listed.all.size() - 1);
      } else {
        const std::size_t load = unanswered[between<std::size_t>(0, unanswered.size() - 1)];
        std::vector<std::size_t> ended;
        loads.on_answer(listed.all[load].handle, [&](const Loads::Load& one) {
          const auto index = static_cast<std::size_t>(one.isolated_until.count);
          const std::optional<std::size_t> older = listed.all[index].older;
          const bool is_oldest = !older || !loads.is_outstanding(listed.all[*older].handle);
          RC_ASSERT(is_oldest);
          ended.push_back(index);
        });
        most_at_once = std::max(most_at_once, ended.size());
        if (max_threads > 1) std::sort(ended.begin(), ended.end());  // of several threads, any may be first
        RC_ASSERT(ended == listed.answer(load));
      }
      for (const ListedLoad& one : listed.all) {
        RC_ASSERT(loads.is_outstanding(one.handle) == !one.has_ended);
        RC_ASSERT(loads.if_outstanding(one.handle) == (one.has_ended ? LoadHandle() : one.handle));
      }
    }
    RC_CLASSIFY(most_at_once > 1, "several end at once");
  });
}

TEST_CASE("a wait for loads is one for that with whose end few enough are outstanding") {
  rc::prop("against a list of all", [] {
    Loads loads;
    ListedLoads listed;
    for (int step = between(1, 40); step > 0; --step) {
      const auto number = static_cast<std::int64_t>(listed.all.size());
      const std::vector<std::size_t> unanswered = listed.unanswered();
      if (unanswered.empty() || between(0, 2) > 0) {
        const auto older = number == 0 ? std::nullopt : std::optional(listed.all.size() - 1);
        listed.all.push_back({loads.begin(listed.last_of(0), at(ps(number))), older});
        listed.threads[0].push_back(listed.all.size() - 1);
      } else {
        const std::size_t load = unanswered[between<std::size_t>(0, unanswered.size() - 1)];
        loads.on_answer(listed.all[load].handle, [](const Loads::Load&) {});
        listed.answer(load);
      }
      const std::vector<std::size_t> outstanding = listed.outstanding_of(0);
      for (std::size_t few = 0; few < outstanding.size() + 2; ++few) {
        const LoadHandle awaited = loads.awaited(listed.last_of(0), few);
        const bool waits = few < outstanding.size();
        RC_ASSERT(awaited == (waits ? listed.all[outstanding[outstanding.size() - 1 - few]].handle : LoadHandle()));
      }
    }
  });
}
