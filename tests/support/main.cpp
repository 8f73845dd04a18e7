#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#ifdef GDSIM_UNDER_SANITIZERS
#include <iostream>

namespace {

/// Says which test begins: where a sanitizer ends the process, the last one is at fault.
struct NamedTests : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo& test) override { std::cerr << test.name << std::endl; }
};
CATCH_REGISTER_LISTENER(NamedTests)

}  // namespace
#endif
