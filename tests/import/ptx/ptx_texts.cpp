#include "import/ptx/ptx_texts.hpp"
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/warp_run.hpp>

#include <catch2/catch.hpp>

namespace gdsim::testing {

std::string ptx_of(const std::string& parameters, const std::string& body) {
  return ".version 8.0\n.target sm_86\n.address_size 64\n.visible .entry k(" + parameters + ") {\n" + body + "}\n";
}

PtxKernel ptx_kernel(const std::string& text) { return read_ptx(SourceText("k.ptx", text)).kernels.at(0); }

std::string ptx_refusal(const std::string& text) {
  try {
    static_cast<void>(read_ptx(SourceText("k.ptx", text)));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

const AccessCounts& Executed::access_in_line(std::uint32_t line) const {
  for (std::size_t i = 0; i < kernel->instructions.size(); ++i)
    if (kernel->instructions[i].line == line) return log->accesses[i];
  FAIL("no instruction stands in line " << line);
  return log->accesses.at(0);
}

Executed executed(const std::string& text, const PtxLaunch& launch, std::size_t l1_sectors) {
  Executed result;
  result.source = std::make_shared<SourceText>("k.ptx", text);
  result.kernel = std::make_shared<PtxKernel>(read_ptx(*result.source).kernels.at(0));
  result.prepared = std::make_shared<PreparedKernel>(prepare(*result.kernel, launch));
  result.widths = std::make_shared<AccessWidths>(widths_in_ptx(*result.prepared));
  result.log = std::make_shared<BlockLog>(*result.prepared, *result.widths, l1_sectors, 1'000'000);
  UnresolvedInputs unresolved(*result.prepared, launch, *result.source);
  run_group(*result.prepared, launch, {0, 0, 0}, *result.log, unresolved);
  try {
    unresolved.throw_if_any();
  } catch (const InputError& error) {
    result.unresolved = error.what();
  }
  return result;
}

}  // namespace gdsim::testing
