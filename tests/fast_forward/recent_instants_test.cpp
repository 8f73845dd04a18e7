#include "support/random_values.hpp"

#include <gdsim/fast_forward/recent_instants.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

// Whether the last instants looked like others before is known without comparing them one by one.

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a hash of the last instants is that of any others that looked the same, and of no others") {
  rc::prop("hashes and words", [] {
    std::vector<std::uint64_t> words;
    RecentInstants recent;
    const auto add = [&](std::uint64_t word) {
      words.push_back(word);
      recent.add(word);
    };
    for (int i = between(1, 300); i > 0; --i) add(between<std::uint64_t>(0, 1));
    const RecentInstants::Window window = recent.window(between<std::uint64_t>(1, 8));
    const std::uint64_t hash = recent.hash_of_last(window);
    const auto size = static_cast<std::ptrdiff_t>(window.size);
    const std::vector<std::uint64_t> kept(words.end() - size, words.end());
    for (int i = between(0, 300); i > 0; --i) {
      add(between<std::uint64_t>(0, 1));
      RC_ASSERT((recent.hash_of_last(window) == hash) == std::equal(words.end() - size, words.end(), kept.begin()));
    }
  });
}

TEST_CASE("a window has as many instants as there were, and remembers them while many more come") {
  RecentInstants recent;
  CHECK(recent.window(4).size == 0);
  recent.add(7);
  CHECK(recent.window(4).size == 1);
  for (std::uint64_t i = 0; i < 400'000; ++i) recent.add(i % 1'000);
  const RecentInstants::Window window = recent.window(100'000);
  CHECK(window.size == 100'000);
  const std::uint64_t hash = recent.hash_of_last(window);
  for (std::uint64_t i = 0; i < 999; ++i) recent.add(i % 1'000);
  CHECK(recent.hash_of_last(window) != hash);
  recent.add(999);
  CHECK(recent.hash_of_last(window) == hash);
  recent.clear();
  CHECK(recent.window(4).size == 0);
}
