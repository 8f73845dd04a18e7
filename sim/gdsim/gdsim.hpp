#pragma once

/// All of gdsim::sim: describe a device and a workload, compile() them, simulate() the result, or ask for the
/// occupancy_of() a kernel. The other parts of gdsim::core have a header each: <gdsim/report/run_tables.hpp> writes a
/// run as tables, <gdsim/scenario/read_scenario.hpp> reads scenario files and models of devices.
///
///     #include <gdsim/gdsim.hpp>
///
///     using namespace gdsim::literals;
///     gdsim::Kernel kernel;
///     kernel.range = {.global = {1, 1, 4096}, .local = {1, 1, 64}};
///     kernel.sub_group = 32;
///     kernel.program = {gdsim::Compute{10_ns}};
///     gdsim::Workload one_launch{.kernels = {kernel}, .launches = {{.name = "first", .work = gdsim::KernelId{0}}}};
///     const gdsim::Compilation compilation = gdsim::compile(device, one_launch);
///     if (compilation) std::cout << gdsim::to_text(gdsim::simulate(compilation.value()).record.end) << '\n';
///
/// Every function is thread-safe unless it says otherwise: it works on its arguments alone.

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/version.hpp>
