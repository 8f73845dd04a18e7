#pragma once

#include "serve/live_page.hpp"

#include <cstdint>
#include <memory>

namespace gdsim::cli {

/// Serves one page on 127.0.0.1, by HTTP, to browsers of this machine:
///
///     GET /                 the page, with the notice in its place
///     GET /changes?since=N  {"state", "page", "error"}, as soon as the state differs from N, after 20 s,
///                           or at once if many such requests wait
///
/// Other paths are 404. Only GET and HEAD are allowed. A request that has not arrived after 5 s is cut off. The Host
/// header must be this server's address or `localhost`, so that a page of another origin cannot read what is served,
/// not even by DNS rebinding. Responses cannot be framed or cached.
class PageServer {
 public:
  /// Listens on this port; 0: on a free one. The page must outlive this. Throws InputError if it cannot listen.
  PageServer(const LivePage& page, std::uint16_t port);
  /// Returns at once after LivePage::close(), otherwise when no request waits for a change any more.
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::uint16_t port() const;

  struct State;  ///< the data shared with the HTTP library

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gdsim::cli
