#include "serve/page_server.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <microhttpd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>

namespace gdsim::cli {

/// Connections to a server, each with the time at which its socket is shut down, whatever has arrived until then. May
/// be used by several threads at once.
class Deadlines {
 public:
  Deadlines();

  /// From now on, the connection has so much time. Shuts it down at once if there is no memory to remember it.
  void add(const void* connection, int socket, std::chrono::seconds time) noexcept;
  /// Gives the connection so much time from now on. Does nothing if its time is over.
  void extend(const void* connection, std::chrono::seconds time) noexcept;
  /// Must be called before the socket is closed.
  void remove(const void* connection) noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  struct Open {
    int socket;
    Clock::time_point end;
  };

  void watch(const std::stop_token& over);
  void shut_down_late();

  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::map<const void*, Open> open_;
  std::jthread watcher_;
};

Deadlines::Deadlines() : watcher_([this](const std::stop_token& over) { watch(over); }) {}

void Deadlines::add(const void* connection, int socket, std::chrono::seconds time) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    open_[connection] = {socket, Clock::now() + time};
  } catch (const std::bad_alloc&) {
    shutdown(socket, SHUT_RDWR);
  }
}

void Deadlines::extend(const void* connection, std::chrono::seconds time) noexcept {
  const std::lock_guard lock(mutex_);
  if (const auto found = open_.find(connection); found != open_.end()) found->second.end = Clock::now() + time;
}

void Deadlines::remove(const void* connection) noexcept {
  const std::lock_guard lock(mutex_);
  open_.erase(connection);
}

void Deadlines::watch(const std::stop_token& over) {
  constexpr std::chrono::milliseconds interval{250};
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, over, interval, [&] { return over.stop_requested(); })) shut_down_late();
}

void Deadlines::shut_down_late() {
  const Clock::time_point now = Clock::now();
  std::erase_if(open_, [&](const auto& entry) {
    if (entry.second.end > now) return false;
    shutdown(entry.second.socket, SHUT_RDWR);
    return true;
  });
}

struct PageServer::State {
  explicit State(const LivePage& shown) : page(shown) {}

  const LivePage& page;
  std::string host{};       ///< `127.0.0.1:8080`, as browsers name it
  std::string localhost{};  ///< `localhost:8080`
  std::uint16_t port = 0;
  MHD_Daemon* daemon = nullptr;
  Deadlines deadlines{};
};

namespace {

constexpr unsigned int kMaxConnections = 64;
/// So many `changes` requests may wait at once. Other requests have the rest of the connections.
constexpr unsigned int kMaxWaiting = 48;
/// The longest wait of one `changes` request, after which the page polls again. Browsers' timeouts are longer.
constexpr std::chrono::seconds kLongestWait{20};
/// A request may take so long from its first byte to its last: many slow ones would exclude others.
constexpr std::chrono::seconds kRequestTime{5};
/// An answer may take so long, with its wait.
constexpr std::chrono::seconds kAnswerTime = kLongestWait + std::chrono::seconds{10};

struct PageAnswer {
  unsigned int status = MHD_HTTP_OK;
  const char* type = "text/plain; charset=utf-8";
  std::string body;
};

MHD_Result give(MHD_Connection* connection, const PageAnswer& answer) {
  MHD_Response* response =
      MHD_create_response_from_buffer(answer.body.size(), const_cast<char*>(answer.body.data()), MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  constexpr std::array<std::array<const char*, 2>, 7> headers{{
      {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
      {MHD_HTTP_HEADER_CONNECTION, "close"},
      {"Content-Security-Policy", "frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
  }};
  for (const auto& [name, value] : headers) MHD_add_response_header(response, name, value);
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer.type);
  if (answer.status == MHD_HTTP_METHOD_NOT_ALLOWED)
    MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
  const MHD_Result result = MHD_queue_response(connection, answer.status, response);
  MHD_destroy_response(response);
  return result;
}

std::string_view header(MHD_Connection* connection, const char* name) {
  const char* value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// Returns true if the headers say that a page of another origin makes the request. Following a link is allowed.
bool is_cross_origin(MHD_Connection* connection, const std::string& host) {
  const std::string_view site = header(connection, "Sec-Fetch-Site");
  const std::string_view mode = header(connection, "Sec-Fetch-Mode");
  const std::string_view origin = header(connection, MHD_HTTP_HEADER_ORIGIN);
  return (site == "cross-site" && mode != "navigate") || (site == "same-site" && mode != "navigate") ||
         (!origin.empty() && origin != "http://" + host);
}

/// Returns the state number in `since`, or `none` if it is missing or malformed.
std::uint64_t known_state(MHD_Connection* connection) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  const char* value = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "since");
  if (value == nullptr) return none;
  std::uint64_t number = none;
  const char* end = value + std::strlen(value);
  const auto read = std::from_chars(value, end, number);
  return read.ec == std::errc() && read.ptr == end ? number : none;
}

std::string changes_text(const LivePage::State& state) {
  JsonWriter json;
  json.open_object().key("state").count(state.number).key("page").count(state.page);
  json.key("error").text(state.notice).close_object();
  return json.finish();
}

PageAnswer answer_to(MHD_Connection* connection, std::string_view path, std::string_view method,
                     const PageServer::State& server) {
  const bool is_head = method == MHD_HTTP_METHOD_HEAD;  // answered as GET is, without the body and without a wait
  if (method != MHD_HTTP_METHOD_GET && !is_head)
    return {MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", "only GET and HEAD are answered\n"};
  const std::string host(header(connection, MHD_HTTP_HEADER_HOST));
  if ((host != server.host && host != server.localhost) || is_cross_origin(connection, host))
    return {MHD_HTTP_FORBIDDEN, "text/plain", "only requests from http://" + server.host + "/ are allowed\n"};
  if (path == "/") {
    const LivePage::State state = server.page.now();
    return {MHD_HTTP_OK, "text/html; charset=utf-8", with_notice(*state.text, state.notice)};
  }
  if (path == "/changes") {
    const LivePage::State state =
        is_head ? server.page.now() : server.page.wait_for_change(known_state(connection), kLongestWait, kMaxWaiting);
    return {MHD_HTTP_OK, "application/json", changes_text(state)};
  }
  return {MHD_HTTP_NOT_FOUND, "text/plain", "there is only the page: http://" + server.host + "/\n"};
}

/// The connection's thread calls this. The answer precedes the body of a request, which is not read.
MHD_Result on_request(void* state, MHD_Connection* connection, const char* path, const char* method, const char*,
                      const char*, std::size_t*, void**) noexcept {
  auto& server = *static_cast<PageServer::State*>(state);
  server.deadlines.extend(connection, kAnswerTime);
  try {
    return give(connection, answer_to(connection, path, method, server));
  } catch (const std::bad_alloc&) {
    return MHD_NO;  // closes the connection
  }
}

/// The HTTP library calls this when a connection begins, and before it closes the connection's socket.
void on_connection(void* state, MHD_Connection* connection, void**, MHD_ConnectionNotificationCode code) noexcept {
  Deadlines& deadlines = static_cast<PageServer::State*>(state)->deadlines;
  if (code == MHD_CONNECTION_NOTIFY_CLOSED) return deadlines.remove(connection);
  const MHD_ConnectionInfo* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info != nullptr) deadlines.add(connection, info->connect_fd, kRequestTime);
}

}  // namespace

PageServer::PageServer(const LivePage& page, std::uint16_t port) : state_(std::make_unique<State>(page)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  errno = 0;
  // Without ITC, the end of a connection does not wake the accepting thread: it accepts none after there were too many.
  state_->daemon =
      MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC,
                       port, nullptr, nullptr, on_request, state_.get(), MHD_OPTION_SOCK_ADDR,
                       reinterpret_cast<const sockaddr*>(&address), MHD_OPTION_CONNECTION_LIMIT, kMaxConnections,
                       MHD_OPTION_NOTIFY_CONNECTION, on_connection, state_.get(), MHD_OPTION_END);
  if (state_->daemon == nullptr)
    throw InputError("cannot listen on port " + std::to_string(port) + " of 127.0.0.1: " + std::strerror(errno) +
                     "; without --port, a free port is used");
  const MHD_DaemonInfo* info = MHD_get_daemon_info(state_->daemon, MHD_DAEMON_INFO_BIND_PORT);
  state_->port = info != nullptr ? info->port : port;
  state_->host = "127.0.0.1:" + std::to_string(state_->port);
  state_->localhost = "localhost:" + std::to_string(state_->port);
}

PageServer::~PageServer() { MHD_stop_daemon(state_->daemon); }

std::uint16_t PageServer::port() const { return state_->port; }

}  // namespace gdsim::cli
