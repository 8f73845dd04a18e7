#include "served.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>
#include <utility>

namespace gdsim::testing {
namespace {

constexpr std::uint64_t kNothingKnown = 1'000'000;  ///< no server of a test has this many states

std::vector<std::string> serve(std::vector<std::string> words) {
  words.insert(words.begin(), "serve");
  return words;
}

}  // namespace

Connection::Connection(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

Connection::~Connection() {
  if (socket_ >= 0) close(socket_);
}

Connection::Connection(Connection&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

void Connection::send(const std::string& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }

std::string Connection::rest() const {
  std::string text;
  char buffer[65'536];
  for (ssize_t count = 0; (count = recv(socket_, buffer, sizeof buffer, 0)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  return text;
}

std::size_t Connection::wait_for_one(std::vector<Connection>& connections) {
  std::vector<pollfd> polled;
  for (const Connection& each : connections) polled.push_back({each.socket_, POLLIN, 0});
  poll(polled.data(), polled.size(), -1);
  std::vector<Connection> silent;
  for (std::size_t at = 0; at < polled.size(); ++at)
    if (polled[at].revents == 0) silent.push_back(std::move(connections[at]));
  const std::size_t removed = connections.size() - silent.size();
  connections.swap(silent);
  return removed;
}

Served::Served(std::vector<std::string> words) : program_(serve(std::move(words)), (folder_.path() / "out").string()) {
  const std::string before = "http://127.0.0.1:";
  while (port_ == 0) {
    const bool is_running = program_.is_running();
    const std::string said = std::filesystem::exists(folder_.path() / "out") ? read_file(folder_.path() / "out") : "";
    if (const std::size_t at = said.find(before); at != std::string::npos && said.back() == '\n') {
      port_ = static_cast<std::uint16_t>(std::stoul(said.substr(at + before.size())));
    } else if (!is_running) {
      throw std::runtime_error("gdsim serve ended before it served");
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
}

HttpAnswer Served::ask(const std::string& lines) const {
  const Connection connection(port_);
  connection.send(lines + "Connection: close\r\n\r\n");
  const std::string text = connection.rest();
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos) throw std::runtime_error("no answer to " + lines);
  return {std::stoi(text.substr(text.find(' '))), text.substr(0, end), text.substr(end + 4)};
}

HttpAnswer Served::get(const std::string& path) const {
  return ask("GET " + path + " HTTP/1.1\r\nHost: " + host() + "\r\nSec-Fetch-Site: same-origin\r\n");
}

Served::State Served::after(std::uint64_t known) const {
  const auto json = nlohmann::json::parse(get("/changes?since=" + std::to_string(known)).body);
  return {json.at("state").get<std::uint64_t>(), json.at("page").get<std::uint64_t>(),
          json.at("error").get<std::string>()};
}

Served::State Served::now() const { return after(kNothingKnown); }

Served::State Served::wait_for(const std::function<bool(const State&)>& is_it) const {
  // An answer without a change comes only after the server was idle for a while.
  constexpr int max_in_vain = 4;
  State state = now();
  for (int in_vain = 0; !is_it(state);) {
    const State next = after(state.state);
    in_vain = next.state == state.state ? in_vain + 1 : 0;
    state = next;
    if (in_vain == max_in_vain)
      throw std::runtime_error("nothing changes any more, at page " + std::to_string(state.page) + ": " + state.error);
  }
  return state;
}

std::string Served::page(std::uint64_t number) const {
  const State state = wait_for([&](const State& now) { return now.page >= number && now.error.empty(); });
  if (state.page != number) throw std::runtime_error("there is a later page already");
  return get("/").body;
}

Served::State Served::error_with(const std::string& part) const {
  return wait_for([&](const State& now) { return now.error.find(part) != std::string::npos; });
}

int Served::interrupt() {
  program_.signal(SIGINT);
  return program_.wait();
}

}  // namespace gdsim::testing
