#pragma once

#include <librdkafka/rdkafka.h>

#include "askfew/system/loaded_library.h"

namespace askfew::kafka {

/// The functions of librdkafka that are used here.
struct Rdkafka {
  LoadedLibrary library{"librdkafka.so.1", "librdkafka1"};

  ASKFEW_LOADED_FUNCTION(rd_kafka_assign);
  ASKFEW_LOADED_FUNCTION(rd_kafka_assignment_lost);
  ASKFEW_LOADED_FUNCTION(rd_kafka_commit);
  ASKFEW_LOADED_FUNCTION(rd_kafka_committed);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_destroy);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_dup);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_new);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_set);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_set_dr_msg_cb);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_set_error_cb);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_set_log_cb);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_set_opaque);
  ASKFEW_LOADED_FUNCTION(rd_kafka_conf_set_rebalance_cb);
  ASKFEW_LOADED_FUNCTION(rd_kafka_consumer_close);
  ASKFEW_LOADED_FUNCTION(rd_kafka_consumer_poll);
  ASKFEW_LOADED_FUNCTION(rd_kafka_destroy);
  ASKFEW_LOADED_FUNCTION(rd_kafka_err2str);
  ASKFEW_LOADED_FUNCTION(rd_kafka_flush);
  ASKFEW_LOADED_FUNCTION(rd_kafka_header_add);
  ASKFEW_LOADED_FUNCTION(rd_kafka_headers_destroy);
  ASKFEW_LOADED_FUNCTION(rd_kafka_headers_new);
  ASKFEW_LOADED_FUNCTION(rd_kafka_last_error);
  ASKFEW_LOADED_FUNCTION(rd_kafka_message_destroy);
  ASKFEW_LOADED_FUNCTION(rd_kafka_message_errstr);
  ASKFEW_LOADED_FUNCTION(rd_kafka_metadata);
  ASKFEW_LOADED_FUNCTION(rd_kafka_metadata_destroy);
  ASKFEW_LOADED_FUNCTION(rd_kafka_new);
  ASKFEW_LOADED_FUNCTION(rd_kafka_poll);
  ASKFEW_LOADED_FUNCTION(rd_kafka_poll_set_consumer);
  ASKFEW_LOADED_FUNCTION(rd_kafka_producev);
  ASKFEW_LOADED_FUNCTION(rd_kafka_subscribe);
  ASKFEW_LOADED_FUNCTION(rd_kafka_topic_destroy);
  ASKFEW_LOADED_FUNCTION(rd_kafka_topic_name);
  ASKFEW_LOADED_FUNCTION(rd_kafka_topic_new);
  ASKFEW_LOADED_FUNCTION(rd_kafka_topic_partition_list_add);
  ASKFEW_LOADED_FUNCTION(rd_kafka_topic_partition_list_destroy);
  ASKFEW_LOADED_FUNCTION(rd_kafka_topic_partition_list_new);
};

/// Loads librdkafka the first time. THROWS: FileError.
inline const Rdkafka& rdkafka() {
  static const Rdkafka functions;
  return functions;
}

}  // namespace askfew::kafka
