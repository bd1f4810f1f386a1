#include "apps/kafka/partitions.h"

#include <algorithm>
#include <fmt/core.h>

#include "askfew/core/errors.h"
#include "askfew/ledger/ledger_store.h"

namespace askfew::kafka {
namespace {

using namespace std::chrono_literals;

constexpr auto wait_before_telling = 5s;
constexpr auto longest_wait = 300s;

}  // namespace

void Partitions::set(const std::set<std::int32_t>& numbers) {
  for (auto partition = partitions_.begin(); partition != partitions_.end();) {
    if (numbers.count(partition->first) > 0) {
      ++partition;
      continue;
    }
    finish(partition->first, partition->second);
    partition = partitions_.erase(partition);
  }
  for (const std::int32_t number : numbers) partitions_.try_emplace(number);
}

void Partitions::finish(std::int32_t number, Partition& partition) {
  producer_.forget(number);
  if (partition.session == nullptr || partition.session->finish()) return;
  tell_(
      fmt::format("partition {}: the ledger has the last messages, and not what became of them: the next "
                  "process adds it",
                  number));
}

bool Partitions::has_waiting() const {
  return std::any_of(partitions_.begin(), partitions_.end(),
                     [](const auto& partition) { return partition.second.session == nullptr; });
}

bool Partitions::open_waiting(const std::function<bool(std::int32_t)>& may_open) {
  bool opened = false;
  for (auto& [number, partition] : partitions_) {
    if (partition.session != nullptr || !may_open(number)) continue;
    opened |= open(number, partition);
  }
  return opened;
}

bool Partitions::open(std::int32_t number, Partition& partition) {
  const std::string place = folder_.place(topics_.instances, number);
  try {
    partition.session =
        open_({.topics = topics_.read(), .partition = number, .partitions = count_}, place, clock_.now());
  } catch (const LedgerBusy& busy) {
    wait_longer(number, partition, busy.what());
    return false;
  } catch (const ConfigError& error) {
    throw ConfigError(place + ": " + error.what());
  }
  tell_(fmt::format("partition {}: {}", number, partition.session->found()));
  partition.session->answer_again(sender(number));
  producer_.mark(number, partition.session->answers());
  return true;
}

void Partitions::wait_longer(std::int32_t number, Partition& partition, const std::string& why) const {
  const auto waited = std::chrono::steady_clock::now() - partition.since;
  if (waited > longest_wait) throw FileError(why + ": it was not released for 5 minutes");
  if (waited < wait_before_telling || std::exchange(partition.told, true)) return;
  tell_(fmt::format("partition {} waits: {}", number, why));
}

MessageTaker::Send Partitions::sender(std::int32_t number) {
  return [this, number](const MessageAnswer& answer) { producer_.send(number, answer); };
}

void Partitions::take(std::int32_t number, const std::string& topic, std::span<const Message> messages) {
  const auto found = partitions_.find(number);
  if (found == partitions_.end() || found->second.session == nullptr) return;
  MessageTaker& session = *found->second.session;
  counts_.came += messages.size();
  session.take(topic, messages, clock_.now(), [&, send = sender(number)](const MessageAnswer& answer) {
    counts_.refused += errors_in(answer.text);
    send(answer);
  });
  producer_.mark(number, session.answers());
}

void Partitions::arrived(std::int32_t number, std::uint64_t answers) {
  const auto found = partitions_.find(number);
  if (found != partitions_.end() && found->second.session != nullptr) found->second.session->arrived(answers);
}

void Partitions::for_each_open(const std::function<void(std::int32_t, const MessageTaker&)>& see) const {
  for (const auto& [number, partition] : partitions_) {
    if (partition.session != nullptr) see(number, *partition.session);
  }
}

}  // namespace askfew::kafka
