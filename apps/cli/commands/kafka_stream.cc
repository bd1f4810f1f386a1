#include "apps/cli/commands/kafka_stream.h"

#include <algorithm>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/messages/message_session.h"
#include "askfew/messages/messages_by_key.h"

#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"

namespace askfew::cli {

void add_kafka_flags(Command& command, KafkaFlags& flags) {
  kafka::StreamOptions& options = flags.options;
  command
      .add_option("--kafka", options.brokers,
                  "take messages of topics of these Kafka brokers instead of lines; --labels is then a topic")
      ->check(a_name)
      ->type_name("HOST:PORT,...");
  command.add_option("--instances", options.topics.instances, "the topic of the instances; keys are ids")
      ->check(a_name)
      ->type_name("TOPIC");
  command.add_option("--answers", options.topics.answers, "the topic of the answers")
      ->check(a_name)
      ->type_name("TOPIC");
  command.add_option("--group", options.group, "the processes of a group share the partitions")
      ->check(a_name)
      ->type_name("NAME");
  command
      .add_option("--kafka-property", options.properties,
                  "a property of librdkafka, e.g. security.protocol=ssl; may be given several times")
      ->check(a_name)
      ->type_name("NAME=VALUE");
  command
      .add_option("--label-names", flags.label_names,
                  "the names of the labels, as --labels has them without --kafka")
      ->check(a_name)
      ->type_name("NAMES");
}

void settle_kafka_flags(KafkaFlags& flags, SessionOptions& session) {
  kafka::StreamOptions& options = flags.options;
  std::string& labels = session.model.labels.labels;
  if (flags.is_used()) {
    options.topics.labels = std::exchange(labels, std::move(flags.label_names));
    options.folder = session.ledger.path();
    options.shard = session.shard;
    for (const auto& [name, value] :
         {std::pair("--instances", &options.topics.instances), std::pair("--labels", &options.topics.labels),
          std::pair("--answers", &options.topics.answers), std::pair("--group", &options.group),
          std::pair("--ledger", &options.folder)}) {
      if (value->empty())
        throw ConfigError(std::string("--kafka needs ") + name +
                          (std::string_view(name) == "--ledger" ? ", a folder" : ""));
    }
    const kafka::Topics& topics = options.topics;
    if (topics.instances == topics.answers || topics.labels == topics.answers)
      throw ConfigError("--answers is another topic than --instances and --labels");
    if (!options.shard.empty() && topics.instances != topics.labels) {
      throw ConfigError(
          "--shard needs instances and labels in one topic, --instances T --labels T: two topics have no "
          "common order, and every shard would take them in another one");
    }
    return;
  }
  for (const auto& [name, given] :
       {std::pair("--instances", !options.topics.instances.empty()),
        std::pair("--answers", !options.topics.answers.empty()), std::pair("--group", !options.group.empty()),
        std::pair("--kafka-property", !options.properties.empty())}) {
    if (given) throw ConfigError(std::string(name) + " needs --kafka, with the brokers");
  }
  if (flags.label_names.empty()) return;
  if (!labels.empty()) throw ConfigError("--label-names and --labels both name the labels: leave one out");
  labels = std::move(flags.label_names);
}

int stream_from_kafka(const KafkaFlags& flags, const SessionOptions& session, const KeyedOptions& keyed,
                      const kafka::Tell& tell) {
  const std::atomic<bool>& interrupted = handle_interrupts();
  const auto open_ledger = session_opener(session);
  const kafka::Partitions::Open open = [&](const MessagePartition& partition, const std::string& place,
                                           std::int64_t now) -> std::unique_ptr<MessageTaker> {
    if (keyed.field.empty()) {
      const auto open_own = [&](const LedgerObserver& observer) {
        return open_ledger(place + ".ledger", observer);
      };
      return std::make_unique<MessageSession>(partition, MessageKeys::are_ids, open_own, keyed.sync, now);
    }
    KeyedOptions own = keyed;
    own.folder = place;
    own.most_open =
        std::max<std::size_t>(1, keyed.most_open / static_cast<std::size_t>(partition.partitions));
    return std::make_unique<MessagesByKey>(partition, own, open_ledger);
  };
  kafka::stream(flags.options, open, interrupted, tell);
  return interrupted_exit_code();
}

}  // namespace askfew::cli
