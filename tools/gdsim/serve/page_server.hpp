#pragma once

#include "serve/live_page.hpp"

#include <cstdint>
#include <memory>

namespace gdsim::cli {

/// Serves one page on 127.0.0.1, by HTTP, to browsers of this machine:
///
///     GET /                 the page, with the notice in its place
///     GET /changes?since=N  {"state", "page", "error"}, once the state is another than N, or after some seconds
///
/// There is nothing else. A request must be a GET, and must name this server as its host, by its address or as
/// `localhost`: a page of another origin cannot make the browser read what is served, be it by a name of its own that
/// leads here. Answers may not be put into frames, nor kept.
class PageServer {
 public:
  /// On this port; 0: on one that is free. The page must outlive this. Throws InputError if that is not possible.
  PageServer(const LivePage& page, std::uint16_t port);
  /// After LivePage::close(), at once; before, once nobody waits any more.
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::uint16_t port() const;

  struct Parts;  ///< what its library is given

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace gdsim::cli
