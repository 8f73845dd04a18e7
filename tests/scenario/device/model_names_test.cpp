#include <gdsim/scenario/device/model_names.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

using Names = std::vector<std::string>;
const Names kKnown{"a10", "a100-80gb", "arc-a770", "cc-8.9", "h100-sxm", "mi250-gcd", "mi250x-gcd", "rtx-4090"};

}  // namespace

TEST_CASE("a name in another case, with spaces, or with its vendor is the model's") {
  for (const std::string name : {"RTX-4090", "rtx 4090", "rtx_4090", "NVIDIA GeForce RTX 4090"}) {
    const ModelMatch match = match_model(name, kKnown);
    CHECK(match.names == Names{"rtx-4090"});
    CHECK(match.is_certain);
  }
}

TEST_CASE("whole words of one model's name are enough, and win over what is only near") {
  for (const auto& [name, model] : std::vector<std::pair<std::string, std::string>>{{"a100", "a100-80gb"},
                                                                                    {"4090", "rtx-4090"},
                                                                                    {"H100", "h100-sxm"},
                                                                                    {"sm_89", "cc-8.9"},
                                                                                    {"cc89", "cc-8.9"}}) {
    const ModelMatch match = match_model(name, kKnown);
    CHECK(match.names == Names{model});
    CHECK(match.is_certain);
  }
}

TEST_CASE("a board as a driver names it is the model of its words, and of another chip only a suggestion") {
  const Names known{"a100-40gb", "a100-80gb", "gh200", "h100-pcie", "h100-sxm", "rtx-4090", "v100-sxm2"};
  for (const auto& [name, model] :
       std::vector<std::pair<std::string, std::string>>{{"NVIDIA A100-SXM4-80GB", "a100-80gb"},
                                                        {"NVIDIA A100-PCIE-40GB", "a100-40gb"},
                                                        {"NVIDIA GH200 480GB", "gh200"},
                                                        {"Tesla V100-SXM2-16GB", "v100-sxm2"}}) {
    INFO(name);
    CHECK(match_model(name, known).names == Names{model});
    CHECK(match_model(name, known).is_certain);
  }
  CHECK(match_model("NVIDIA H100 80GB HBM3", known).names == Names{"h100-pcie", "h100-sxm"});
  CHECK(match_model("A100 SXM", known).names == Names{"a100-40gb", "a100-80gb"});
  CHECK(match_model("RTX 4090 Laptop", known).names == Names{"rtx-4090"});
  CHECK_FALSE(match_model("RTX 4090 Laptop", known).is_certain);
}

TEST_CASE("a beginning, a part and a slip are suggestions only") {
  CHECK(match_model("mi250", {"mi250x-gcd", "mi250y-gcd"}).names == Names{"mi250x-gcd", "mi250y-gcd"});
  CHECK_FALSE(match_model("h10", kKnown).is_certain);
  CHECK(match_model("h10", kKnown).names == Names{"h100-sxm"});
  CHECK(match_model("770", kKnown).names == Names{"arc-a770"});
  CHECK_FALSE(match_model("770", kKnown).is_certain);
  CHECK(match_model("rtx-4900", kKnown).names == Names{"rtx-4090"});
  CHECK_FALSE(match_model("rtx-4900", kKnown).is_certain);
  CHECK(match_model("toaster", kKnown).names.empty());
  CHECK(match_model("nvidia", kKnown).names.empty());
}

TEST_CASE("a compute capability is two or three digits behind its word, the last of them behind a point") {
  const Names known{"cc-8.9", "cc-12.0", "cc-7.5"};
  for (const auto& [name, model] : std::vector<std::pair<std::string, std::string>>{{"sm_89", "cc-8.9"},
                                                                                    {"sm89", "cc-8.9"},
                                                                                    {"SM-89", "cc-8.9"},
                                                                                    {"cc 89", "cc-8.9"},
                                                                                    {"cc89", "cc-8.9"},
                                                                                    {"sm_120", "cc-12.0"},
                                                                                    {"cc120", "cc-12.0"},
                                                                                    {"8.9", "cc-8.9"},
                                                                                    {"cc-7.5", "cc-7.5"},
                                                                                    {"12.0", "cc-12.0"}}) {
    INFO(name);
    CHECK(match_model(name, known).names == Names{model});
    CHECK(match_model(name, known).is_certain);
  }
  for (const std::string name : {"sm_8", "sm_1200", "89", "sm_8x"}) {
    INFO(name);
    CHECK_FALSE(match_model(name, known).is_certain);
  }
}

TEST_CASE("four digits are no compute capability") {
  CHECK(match_model("sm_1000", {"cc-100.0"}).names.empty());
  CHECK(match_model("sm_8", {"cc-.8", "cc-8"}).names != Names{"cc-.8"});
}
