#pragma once

#include <librdkafka/rdkafka.h>

#include "askfew/system/loaded_library.h"

namespace askfew::kafka {

/// The functions of librdkafka that are used here.
struct Rdkafka {
  LoadedLibrary library{"librdkafka.so.1", "librdkafka1"};

#define ASKFEW_FUNCTION(name) decltype(::name)* name = library.function<decltype(::name)>(#name)
  ASKFEW_FUNCTION(rd_kafka_assign);
  ASKFEW_FUNCTION(rd_kafka_assignment_lost);
  ASKFEW_FUNCTION(rd_kafka_commit);
  ASKFEW_FUNCTION(rd_kafka_committed);
  ASKFEW_FUNCTION(rd_kafka_conf_destroy);
  ASKFEW_FUNCTION(rd_kafka_conf_dup);
  ASKFEW_FUNCTION(rd_kafka_conf_new);
  ASKFEW_FUNCTION(rd_kafka_conf_set);
  ASKFEW_FUNCTION(rd_kafka_conf_set_dr_msg_cb);
  ASKFEW_FUNCTION(rd_kafka_conf_set_error_cb);
  ASKFEW_FUNCTION(rd_kafka_conf_set_log_cb);
  ASKFEW_FUNCTION(rd_kafka_conf_set_opaque);
  ASKFEW_FUNCTION(rd_kafka_conf_set_rebalance_cb);
  ASKFEW_FUNCTION(rd_kafka_consumer_close);
  ASKFEW_FUNCTION(rd_kafka_consumer_poll);
  ASKFEW_FUNCTION(rd_kafka_destroy);
  ASKFEW_FUNCTION(rd_kafka_err2str);
  ASKFEW_FUNCTION(rd_kafka_flush);
  ASKFEW_FUNCTION(rd_kafka_header_add);
  ASKFEW_FUNCTION(rd_kafka_headers_destroy);
  ASKFEW_FUNCTION(rd_kafka_headers_new);
  ASKFEW_FUNCTION(rd_kafka_last_error);
  ASKFEW_FUNCTION(rd_kafka_message_destroy);
  ASKFEW_FUNCTION(rd_kafka_message_errstr);
  ASKFEW_FUNCTION(rd_kafka_metadata);
  ASKFEW_FUNCTION(rd_kafka_metadata_destroy);
  ASKFEW_FUNCTION(rd_kafka_new);
  ASKFEW_FUNCTION(rd_kafka_poll);
  ASKFEW_FUNCTION(rd_kafka_poll_set_consumer);
  ASKFEW_FUNCTION(rd_kafka_producev);
  ASKFEW_FUNCTION(rd_kafka_subscribe);
  ASKFEW_FUNCTION(rd_kafka_topic_destroy);
  ASKFEW_FUNCTION(rd_kafka_topic_name);
  ASKFEW_FUNCTION(rd_kafka_topic_new);
  ASKFEW_FUNCTION(rd_kafka_topic_partition_list_add);
  ASKFEW_FUNCTION(rd_kafka_topic_partition_list_destroy);
  ASKFEW_FUNCTION(rd_kafka_topic_partition_list_new);
#undef ASKFEW_FUNCTION
};

/// Loads librdkafka the first time. THROWS: FileError.
inline const Rdkafka& rdkafka() {
  static const Rdkafka functions;
  return functions;
}

}  // namespace askfew::kafka
