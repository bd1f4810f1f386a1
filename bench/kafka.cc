// A bare loop that consumes a topic with librdkafka and parses each message as JSON: what `askfew stream
// --kafka` is compared with. bench/kafka.py runs both on a local broker.
//
//   bench_kafka BROKERS TOPIC COUNT

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fmt/core.h>
#include <librdkafka/rdkafka.h>
#include <memory>
#include <string>

#include "askfew/streams/formats/json/json_record.h"
#include "askfew/streams/formats/svmlight/svmlight.h"

namespace {

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

rd_kafka_t* consumer_of(const char* brokers, const char* topic) {
  char why[512] = "";
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set(conf, "bootstrap.servers", brokers, why, sizeof why);
  rd_kafka_conf_set(conf, "group.id", "bare", why, sizeof why);
  rd_kafka_conf_set(conf, "enable.auto.commit", "false", why, sizeof why);
  rd_kafka_t* consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, why, sizeof why);
  if (consumer == nullptr) return nullptr;
  rd_kafka_poll_set_consumer(consumer);
  rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(list, topic, 0)->offset = RD_KAFKA_OFFSET_BEGINNING;
  rd_kafka_assign(consumer, list);
  rd_kafka_topic_partition_list_destroy(list);
  return consumer;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: bench_kafka BROKERS TOPIC COUNT\n");
    return 2;
  }
  const long count = std::strtol(argv[3], nullptr, 10);
  rd_kafka_t* consumer = consumer_of(argv[1], argv[2]);
  if (consumer == nullptr) return 2;
  const askfew::MixedLabels labels(std::make_shared<askfew::LabelNames>());
  askfew::JsonReader reader(askfew::SvmlightFormat::max_features, labels, {});
  std::string line;
  std::chrono::steady_clock::time_point begin;
  double cpu = 0;
  long got = 0;
  std::size_t bytes = 0;
  while (got < count) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer, 1000);
    if (message == nullptr) continue;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      if (got++ == 0) {
        begin = std::chrono::steady_clock::now();
        cpu = cpu_seconds();
      }
      line.assign(static_cast<const char*>(message->payload), message->len);
      line.append(askfew::JsonReader::padding, ' ');
      const auto record = reader.read_any(std::string_view(line).substr(0, message->len));
      if (!record) {
        fmt::print(stderr, "bench_kafka: {}\n", record.error().why);
        return 3;
      }
      for (const auto& text : (*record)->texts) bytes += text.text.size();
    }
    rd_kafka_message_destroy(message);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{{\"messages\":{},\"seconds\":{},\"cpu\":{},\"text\":{}}}\n", got, seconds, cpu_seconds() - cpu,
             bytes);
  rd_kafka_consumer_close(consumer);
  rd_kafka_destroy(consumer);
  return 0;
}
