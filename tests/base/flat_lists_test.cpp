#include <gdsim/base/containers.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {
std::vector<int> list(const FlatLists<int>& lists, std::size_t number) {
  return {lists[number].begin(), lists[number].end()};
}
}  // namespace

TEST_CASE("lists that are added stay apart") {
  FlatLists<int> lists;
  lists.add(std::vector<int>{1, 2});
  lists.add(std::vector<int>{});
  lists.add(std::vector<int>{3});
  CHECK(lists.size() == 3);
  CHECK(list(lists, 0) == std::vector<int>{1, 2});
  CHECK(list(lists, 1).empty());
  CHECK(list(lists, 2) == std::vector<int>{3});
}

TEST_CASE("values that come in any order are collected by list, each list in the order in which they come") {
  const auto lists = FlatLists<int>::collect(4, [](const auto& add) {
    add(2, 7);
    add(0, 1);
    add(2, 5);
    add(3, 9);
  });
  CHECK(lists.size() == 4);
  CHECK(list(lists, 0) == std::vector<int>{1});
  CHECK(list(lists, 1).empty());
  CHECK(list(lists, 2) == std::vector<int>{7, 5});
  CHECK(list(lists, 3) == std::vector<int>{9});
}
