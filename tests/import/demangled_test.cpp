#include <gdsim/import/demangled.hpp>
#include <gdsim/import/imported_scenario.hpp>

#include <catch2/catch.hpp>

// Names for people, also where somebody means harm.

using namespace gdsim;

namespace {

/// A name in which each part consists of two of the one before it: its length doubles with each.
std::string doubling_name(std::size_t parts) {
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "_Z1f1AI1B1CE";
  for (std::size_t i = 0; i < parts; ++i) {
    const std::string last = "S" + digits.substr(2 + i, 1) + "_";
    name += "S_I" + last + last + "E";
  }
  return name;
}

CompiledKernel kernel_called(const std::string& name) {
  CompiledKernel kernel;
  kernel.symbol = name;
  kernel.name = demangled(name);
  return kernel;
}

}  // namespace

TEST_CASE("a C++ name is shown as its source has it, and any other as it is") {
  CHECK(demangled("_Z5scaleILi4EEvPfPKf") == "void scale<4>(float*, float const*)");
  CHECK(demangled("gemm_nt") == "gemm_nt");
  CHECK(demangled("_Znonsense") == "_Znonsense");
  CHECK(demangled("").empty());
}

TEST_CASE("a name that would grow without bound keeps its first part") {
  CHECK(demangled(doubling_name(3)).size() > 100);
  CHECK(demangled(doubling_name(30)) == "f::A<...>");
  CHECK(demangled("_ZN7cutlass13device_kernelI" + std::string(200'000, 'P') + "iEEvv") ==
        "cutlass::device_kernel<...>");
}

TEST_CASE("a name without its signature has neither result nor parameters") {
  CHECK(without_signature("void scale<4>(float*, float const*)") == "scale<4>");
  CHECK(without_signature("(anonymous namespace)::k(int*)") == "(anonymous namespace)::k");
  CHECK(without_signature("void a::apply<a::Plus, &(a::is_odd(int))>(int*)") == "a::apply<a::Plus, &(a::is_odd(int))>");
  CHECK(without_signature("c_linkage") == "c_linkage");
}

TEST_CASE("keys are short where they can be, and no two are alike") {
  const auto keys = keys_of({kernel_called("_Z1kPf"), kernel_called("_Z1kPd"), kernel_called("_Z5scaleILi4EEvPf"),
                             kernel_called("same"), kernel_called("same")});
  CHECK(keys == std::vector<std::string>{"k(float*)", "k(double*)", "scale<4>", "same", "same (2)"});
}

TEST_CASE("a key is printable, is no formula, and has a bounded length") {
  const auto keys = keys_of(
      {kernel_called("=1+1"), kernel_called("a\x1b[2J"), kernel_called(std::string(5000, 'x')), kernel_called("")});
  CHECK(keys[0] == "kernel =1+1");
  CHECK(keys[1] == "a\\x1b[2J");
  CHECK(keys[2].size() <= 160);
  CHECK(keys[3] == "kernel ");
}
