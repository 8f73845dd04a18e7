#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <memory>
#include <string>

/// Small kernels in PTX for tests.
namespace gdsim::testing {

/// A file with one kernel `k` of these parameters and this body.
std::string ptx_of(const std::string& parameters, const std::string& body);

/// The first kernel of a file with this content.
PtxKernel ptx_kernel(const std::string& text);

/// What is wrong with a file of this content, as a user sees it; empty: nothing.
std::string ptx_refusal(const std::string& text);

/// The only work-group of the launch, executed whole, and what it asks for.
struct Executed {
  std::shared_ptr<SourceText> source;
  std::shared_ptr<PtxKernel> kernel;
  std::shared_ptr<PreparedKernel> prepared;
  std::shared_ptr<AccessWidths> widths;
  std::shared_ptr<BlockLog> log;
  std::string unresolved;  ///< empty: none

  /// Of the instruction in this line.
  const AccessCounts& access_in_line(std::uint32_t line) const;
};
Executed executed(const std::string& text, const PtxLaunch& launch, std::size_t l1_sectors = 0);

}  // namespace gdsim::testing
