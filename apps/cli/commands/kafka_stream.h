#pragma once

#include <string>

#include "askfew/sessions/sessions_by_key.h"
#include "askfew/workflows/session.h"

#include "apps/cli/options/command.h"
#include "apps/kafka/stream.h"

namespace askfew::cli {

/// The flags of `stream` for messages of Kafka.
struct KafkaFlags {
  kafka::StreamOptions options;
  std::string label_names;

  [[nodiscard]] bool is_used() const { return !options.brokers.empty(); }
};

/// REQUIRES: the flags outlive the command.
void add_kafka_flags(Command& command, KafkaFlags& flags);
/// Checks that all flags for Kafka are there, or none. With Kafka, `labels` is a topic: moves it to the
/// flags, and the names of labels into the session's options. THROWS: ConfigError.
void settle_kafka_flags(KafkaFlags& flags, SessionOptions& session);
/// Takes messages until a signal comes. `keyed`: the field that names the model; none: a model per partition.
/// Returns the exit code.
int stream_from_kafka(const KafkaFlags& flags, const SessionOptions& session, const KeyedOptions& keyed,
                      const kafka::Tell& tell);

}  // namespace askfew::cli
