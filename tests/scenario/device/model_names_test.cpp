#include "support/builders.hpp"

#include <gdsim/scenario/device/model_library.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

// Which model a name means (models.hpp), with the models and the names.csv that are shipped.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Names = std::vector<std::string>;
using Spelled = std::vector<std::pair<std::string, std::string>>;

struct Shipped {
  SourceFiles sources;
  ModelLibrary models{{source_path("models")}, sources};
};

ModelMatch match(const std::string& name) {
  static const Shipped shipped;
  return shipped.models.match(name);
}

void check_named(const Spelled& spelled) {
  for (const auto& [name, model] : spelled) {
    INFO(name);
    const ModelMatch found = match(name);
    CHECK(found.is_certain());
    CHECK(found.names == Names{model});
  }
}

/// A product that has no model: its spelled name, family and number of cores.
struct Missing {
  std::string name;
  std::string family;
  std::uint32_t cores = 0;
};

std::vector<DeviceName> rows_of(const std::string& text, Diagnostics& problems) {
  const SourceText source("names.csv", text);
  return read_device_names(source, problems);
}

}  // namespace

TEST_CASE("a name in another case, with other separators, its vendor and marks is the model's") {
  check_named({{"RTX-4090", "rtx-4090"},
               {"rtx 4090", "rtx-4090"},
               {"rtx_4090", "rtx-4090"},
               {"NVIDIA GeForce RTX 4090", "rtx-4090"},
               {"NVIDIA GeForce RTX 4090 GPU", "rtx-4090"},
               {"rtx4090", "rtx-4090"},
               {"RTX 2080 Ti", "rtx-2080-ti"},
               {"rtx2080ti", "rtx-2080-ti"},
               {"rtx-2080", "rtx-2080"},
               {"RTX4070TiSUPER", "rtx-4070-ti-super"},
               {"NVIDIA GeForce RTX 4070 SUPER", "rtx-4070-super"},
               {"AMD Radeon RX 7900 XTX", "rx-7900-xtx"},
               {"rx7900xtx", "rx-7900-xtx"},
               {"AMD Instinct MI300X", "mi300x"},
               {"Intel(R) Arc(TM) A770 Graphics", "arc-a770"},
               {"Intel\u00ae Arc\u2122 B580 Graphics", "arc-b580"},
               {"Intel(R) Data Center GPU Max 1550", "max-1550"},
               {"Tesla T4", "t4"},
               {"NVIDIA L40S", "l40s"}});
}

TEST_CASE("a model or a product is also named without its series") {
  check_named({{"4090", "rtx-4090"},
               {"2080", "rtx-2080"},
               {"2080 ti", "rtx-2080-ti"},
               {"a770", "arc-a770"},
               {"1550", "max-1550"},
               {"k5000", "quadro-k5000"},
               {"9070 XT", "rx-9070-xt"},
               {"8.9", "cc-8.9"}});
  CHECK(match("7900 GRE").fit == NameFit::no_model);
}

TEST_CASE("a compute capability goes by the words of compilers, also of code for one architecture only") {
  check_named({{"sm_89", "cc-8.9"},
               {"sm89", "cc-8.9"},
               {"SM-89", "cc-8.9"},
               {"cc 89", "cc-8.9"},
               {"cc89", "cc-8.9"},
               {"compute_75", "cc-7.5"},
               {"sm_90a", "cc-9.0"},
               {"sm_103a", "cc-10.3"},
               {"sm_120f", "cc-12.0"},
               {"sm_121", "cc-12.1"},
               {"sm_61", "cc-6.1"},
               {"12.0", "cc-12.0"}});
  for (const std::string name : {"sm_8", "sm_1200", "89", "sm_8x"}) {
    INFO(name);
    CHECK_FALSE(match(name).is_certain());
  }
}

TEST_CASE("a board goes by its driver's name, and a chip and a generation by those of every vendor") {
  check_named({{"NVIDIA A100-SXM4-80GB", "a100-80gb"},
               {"NVIDIA A100-SXM4-40GB", "a100-40gb"},
               {"NVIDIA A100-PCIE-40GB", "a100-40gb"},
               {"NVIDIA H100 80GB HBM3", "h100-sxm"},
               {"NVIDIA H100 PCIe", "h100-pcie"},
               {"NVIDIA H100 NVL", "h100-nvl"},
               {"NVIDIA H200", "h200-sxm"},
               {"NVIDIA GH200 480GB", "gh200"},
               {"Tesla V100-SXM2-16GB", "v100-sxm2"},
               {"Tesla P100-PCIE-16GB", "p100-pcie"},
               {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000"},
               {"AMD Instinct MI250X / MI250", "mi250x-gcd"},
               {"AMD Instinct MI300X VF", "mi300x"},
               {"AMD Radeon 8060S Graphics", "strix-halo"},
               {"gfx90a:sramecc+:xnack-", "gfx90a"},
               {"hopper", "cc-9.0"},
               {"CDNA 3", "gfx942"},
               {"bmg", "xe2_hpg"},
               {"Battlemage", "xe2_hpg"},
               {"adl", "gen12"},
               {"adl-s", "gen12"},
               {"ponte-vecchio", "xe_hpc_pvc"},
               {"pvc", "xe_hpc_pvc"},
               {"lnl-m", "xe2_lpg"},
               {"ptl-h", "xe3_lpg"},
               {"panther lake", "xe3_lpg"},
               {"dg2", "xe_hpg_dg2_arc"},
               {"MI300X SPX", "mi300x"}});
}

TEST_CASE(
    "Ti, SUPER, D, Laptop, GRE, NVL, PCIe and a size of memory name another product, whose family and cores are "
    "known") {
  for (const Missing& one : std::vector<Missing>{{"NVIDIA GeForce RTX 4090 Laptop GPU", "cc-8.9", 76},
                                                 {"RTX 4090 Mobile", "cc-8.9", 76},
                                                 {"rtx-4090-d", "cc-8.9", 114},
                                                 {"RTX4090D", "cc-8.9", 114},
                                                 {"RTX 3080 12GB", "cc-8.6", 70},
                                                 {"RTX 3080 Ti", "cc-8.6", 80},
                                                 {"RTX 2080 SUPER", "cc-7.5", 48},
                                                 {"RTX 2060 12GB", "cc-7.5", 34},
                                                 {"GTX 1080 Ti", "cc-6.1", 28},
                                                 {"RTX 6000 Ada Generation", "cc-8.9", 142},
                                                 {"NVIDIA RTX A5000", "cc-8.6", 64},
                                                 {"NVIDIA GeForce RTX 5060", "cc-12.0", 30},
                                                 {"NVIDIA H200 NVL", "cc-9.0", 132},
                                                 {"Tesla V100-PCIE-16GB", "cc-7.0", 80},
                                                 {"NVIDIA A100 80GB PCIe", "cc-8.0", 108},
                                                 {"AMD Radeon RX 7900 GRE", "gfx1100", 80},
                                                 {"rx 7900 xt", "gfx1100", 84},
                                                 {"RX 9070", "gfx1201", 56},
                                                 {"MI325X", "gfx942", 304},
                                                 {"Intel(R) Arc(TM) A750 Graphics", "xe_hpg_dg2_arc", 28},
                                                 {"flex-170", "xe_hp_ats", 32}}) {
    INFO(one.name);
    const ModelMatch found = match(one.name);
    CHECK(found.fit == NameFit::no_model);
    CHECK(found.names == Names{one.family});
    CHECK(found.cores == one.cores);
  }
}

TEST_CASE("a part of the names of models means none of them, and lists them") {
  for (const auto& [name, models] : std::vector<std::pair<std::string, Names>>{
           {"a100", {"a100-40gb", "a100-80gb"}},
           {"H100", {"h100-nvl", "h100-pcie", "h100-sxm"}},
           {"V100", {"v100-sxm2"}},
           {"rx-7900", {"rx-7900-xtx"}},
           {"mi300", {"mi300a", "mi300x"}},
           {"rtx 30", {"rtx-3050", "rtx-3060", "rtx-3070", "rtx-3080", "rtx-3090", "rtx-3090-ti"}},
           {"cc-12", {"cc-12.0", "cc-12.1"}}}) {
    INFO(name);
    CHECK(match(name).fit == NameFit::part);
    CHECK(match(name).names == models);
  }
}

TEST_CASE("a mode or a part of a device is answered with the lines of a scenario that mean it") {
  const Shipped shipped;
  const auto part = [](const std::string& model, const std::string& name) {
    return "`device: {base: " + model + ", partition: " + name + "}`";
  };
  const auto stack = [&](const std::string& mode) { return Names{part("max-1550-stack", mode)}; };
  CHECK(partition_lines("ccs-1", shipped.models) == stack("ccs-1"));
  CHECK(partition_lines("CCS_2", shipped.models) == stack("ccs-2"));
  CHECK(partition_lines("max-1550 ccs-4", shipped.models) == stack("ccs-4"));
  const Names cpx{part("mi300x", "cpx-nps1"), part("mi300x", "cpx-nps4")};
  CHECK(partition_lines("mi300x CPX", shipped.models) == cpx);
  CHECK(partition_lines("AMD Instinct MI300X nps4", shipped.models) == Names{cpx[1]});
  CHECK(partition_lines("a100-80gb 1G.10GB", shipped.models) == Names{part("a100-80gb", "1g.10gb")});
  CHECK(partition_lines("spx", shipped.models) == Names{"`device: mi300a`", "`device: mi300x`", "`device: mi308x`"});
  for (const char* name : {"80gb", "2", "max-1550", "h100 80gb", "toaster", ""})
    CHECK(partition_lines(name, shipped.models).empty());
}

TEST_CASE("a name that is only near lists models of its generation, the nearest number first") {
  for (const auto& [name, model] : Spelled{{"cc-12.2", "cc-12.1"},
                                           {"sm_107", "cc-10.3"},
                                           {"rtx-4065", "rtx-4060"},
                                           {"rtx-5095", "rtx-5090"},
                                           {"RTX 5080 SUPER", "rtx-5080"},
                                           {"RTX 3090 Ti Laptop", "rtx-3090-ti"},
                                           {"gfx1153", "gfx1151"},
                                           {"RTX A5500 Special", "rtx-a6000"},
                                           {"arc-b590", "arc-b580"},
                                           {"h110", "h100-nvl"},
                                           {"a100-80g", "a100-80gb"},
                                           {"rtx-490", "rtx-4090"}}) {
    INFO(name);
    const ModelMatch found = match(name);
    CHECK_FALSE(found.is_certain());
    REQUIRE_FALSE(found.names.empty());
    CHECK(found.names.front() == model);
  }
  CHECK(match("cc-12.2").names == Names{"cc-12.1", "cc-12.0"});
  for (const std::string name : {"toaster", "nvidia", "12345", ""}) {
    INFO(name);
    CHECK(match(name).fit == NameFit::none);
  }
}

TEST_CASE(
    "every row of names.csv names a model, says what it is from, and no name has two rows or a model of its own") {
  const Shipped shipped;
  const Names models = shipped.models.names();
  Diagnostics problems;
  SourceFiles sources;
  const std::vector<DeviceName> rows = read_device_names(sources.read(source_path("models/names.csv")), problems);
  CHECK(problems.empty());
  REQUIRE(rows.size() > 250);
  for (const DeviceName& row : rows) {
    INFO(row.name);
    CHECK(std::find(models.begin(), models.end(), row.model) != models.end());
    CHECK_FALSE(row.note.empty());
    const ModelMatch found = shipped.models.match(row.name);
    CHECK(found.names == Names{row.model});
    CHECK(found.cores == row.cores);
    CHECK(found.fit == (row.cores ? NameFit::no_model : NameFit::named));
    if (row.cores) CHECK(shipped.models.family_of(row.model) == row.model);
  }
}

TEST_CASE("a table of names that cannot be used is refused with its place") {
  Diagnostics problems;
  CHECK(rows_of("name,device\na,b\n", problems).empty());
  REQUIRE(problems.size() == 1);
  CHECK_THAT(problems.problems().front().message, Catch::Contains("name,model,cores,note"));
  for (const std::string cores : {"0", "-1", "many", "4.5"}) {
    Diagnostics of_row;
    rows_of("name,model,cores,note\nx,cc-8.9," + cores + ",y\n", of_row);
    REQUIRE(of_row.size() == 1);
    CHECK(of_row.problems().front().line == 2);
    CHECK_THAT(of_row.problems().front().message, Catch::Contains("'" + cores + "'"));
  }
}

TEST_CASE("a family is the nearest base that says so, though it has a family as its base") {
  const Shipped shipped;
  for (const auto& [name, family] : Spelled{{"gb10", "cc-12.1"},
                                            {"cc-12.1", "cc-12.1"},
                                            {"rtx-5070-ti", "cc-12.0"},
                                            {"b300", "cc-10.3"},
                                            {"mi308x", "gfx942"},
                                            {"strix-halo", "gfx1151"},
                                            {"tiny", "tiny"}}) {
    INFO(name);
    CHECK(shipped.models.family_of(name) == family);
  }
  CHECK(shipped.models.cores_of("p100-pcie") == 56);
  CHECK(shipped.models.products_of("cc-8.9", 47).front() == "rtx-4070");
}
