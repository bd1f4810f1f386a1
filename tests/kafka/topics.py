"""Topics of a broker, for tests: makes them, sends messages and reads them again, by librdkafka's C functions."""

import ctypes
import ctypes.util
import time
from collections import namedtuple

PATIENCE = 180  # seconds; much more than needed, for a busy machine

Received = namedtuple("Received", "partition offset key value headers")

kafka = ctypes.CDLL(ctypes.util.find_library("rdkafka") or "librdkafka.so.1")


class RawMessage(ctypes.Structure):
    _fields_ = [("err", ctypes.c_int), ("rkt", ctypes.c_void_p), ("partition", ctypes.c_int32),
                ("payload", ctypes.c_void_p), ("len", ctypes.c_size_t), ("key", ctypes.c_void_p),
                ("key_len", ctypes.c_size_t), ("offset", ctypes.c_int64), ("private", ctypes.c_void_p)]


def declare(name, result, *arguments):
    function = getattr(kafka, name)
    function.restype, function.argtypes = result, arguments
    return function


P, S, I, Z = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t
conf_new = declare("rd_kafka_conf_new", P)
conf_set = declare("rd_kafka_conf_set", I, P, S, S, S, Z)
new = declare("rd_kafka_new", P, I, P, S, Z)
destroy = declare("rd_kafka_destroy", None, P)
topic_new = declare("rd_kafka_topic_new", P, P, S, P)
topic_destroy = declare("rd_kafka_topic_destroy", None, P)
produce = declare("rd_kafka_produce", I, P, ctypes.c_int32, I, S, Z, S, Z, P)
poll = declare("rd_kafka_poll", I, P, I)
flush = declare("rd_kafka_flush", I, P, I)
list_new = declare("rd_kafka_topic_partition_list_new", P, I)
list_add = declare("rd_kafka_topic_partition_list_add", P, P, S, ctypes.c_int32)
list_set = declare("rd_kafka_topic_partition_list_set_offset", I, P, S, ctypes.c_int32, ctypes.c_int64)
list_destroy = declare("rd_kafka_topic_partition_list_destroy", None, P)
assign = declare("rd_kafka_assign", I, P, P)
consumer_poll = declare("rd_kafka_consumer_poll", ctypes.POINTER(RawMessage), P, I)
consumer_close = declare("rd_kafka_consumer_close", I, P)
message_destroy = declare("rd_kafka_message_destroy", None, ctypes.POINTER(RawMessage))
message_headers = declare("rd_kafka_message_headers", I, ctypes.POINTER(RawMessage), ctypes.POINTER(P))
header_at = declare("rd_kafka_header_get_all", I, P, Z, ctypes.POINTER(S), ctypes.POINTER(P), ctypes.POINTER(Z))
queue_new = declare("rd_kafka_queue_new", P, P)
queue_poll = declare("rd_kafka_queue_poll", P, P, I)
new_topic = declare("rd_kafka_NewTopic_new", P, S, I, I, S, Z)
create_topics = declare("rd_kafka_CreateTopics", None, P, ctypes.POINTER(P), Z, P, P)
event_error = declare("rd_kafka_event_error", I, P)
event_result = declare("rd_kafka_event_CreateTopics_result", P, P)
result_topics = declare("rd_kafka_CreateTopics_result_topics", ctypes.POINTER(P), P, ctypes.POINTER(Z))
topic_error = declare("rd_kafka_topic_result_error", I, P)
queue_destroy = declare("rd_kafka_queue_destroy", None, P)
event_destroy = declare("rd_kafka_event_destroy", None, P)
err2str = declare("rd_kafka_err2str", S, I)

PRODUCER, CONSUMER = 0, 1
COPY = 2
BEGINNING = -2


def client(kind, **properties):
    conf, why = conf_new(), ctypes.create_string_buffer(512)
    for name, value in properties.items():
        if conf_set(conf, name.replace("_", ".").encode(), str(value).encode(), why, 512) != 0:
            raise RuntimeError(why.value.decode())
    made = new(kind, conf, why, 512)
    if not made:
        raise RuntimeError(why.value.decode())
    return made


class Sender:
    """Sends messages to chosen partitions."""

    def __init__(self, address):
        self.client = client(PRODUCER, bootstrap_servers=address, enable_idempotence="true", linger_ms=2,
                             queue_buffering_max_messages=1000000)
        self.topics = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for topic in self.topics.values():
            topic_destroy(topic)
        destroy(self.client)

    def create(self, topic, partitions):
        """Makes a topic and waits until it is there."""
        asked = (P * 1)(new_topic(topic.encode(), partitions, 1, None, 0))
        queue = queue_new(self.client)
        create_topics(self.client, asked, 1, None, queue)
        event = queue_poll(queue, PATIENCE * 1000)
        if not event or event_error(event):
            raise RuntimeError(f"no topic {topic}")
        count = Z()
        results = result_topics(event_result(event), ctypes.byref(count))
        error = topic_error(results[0])
        event_destroy(event)
        queue_destroy(queue)
        if error:
            raise RuntimeError(f"no topic {topic}: {err2str(error).decode()}")

    def send(self, topic, partition, key, value):
        if topic not in self.topics:
            self.topics[topic] = topic_new(self.client, topic.encode(), None)
        while produce(self.topics[topic], partition, COPY, value, len(value or b""), key, len(key or b""), None) != 0:
            poll(self.client, 100)

    def flush(self):
        if flush(self.client, PATIENCE * 1000) != 0:
            raise RuntimeError("messages could not be sent")


class Receiver:
    """Reads all partitions of a topic from their beginning, or one of them."""

    def __init__(self, address, topic, partitions):
        self.client = client(CONSUMER, bootstrap_servers=address, group_id="reader", enable_auto_commit="false")
        chosen = list_new(len(partitions))
        for partition in partitions:
            list_add(chosen, topic.encode(), partition)
            list_set(chosen, topic.encode(), partition, BEGINNING)
        assign(self.client, chosen)
        list_destroy(chosen)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        consumer_close(self.client)
        destroy(self.client)

    def read(self, wait=1.0):
        """The next message, or None."""
        message = consumer_poll(self.client, int(wait * 1000))
        if not message:
            return None
        try:
            raw = message.contents
            if raw.err:
                return None
            key = ctypes.string_at(raw.key, raw.key_len) if raw.key else None
            return Received(raw.partition, raw.offset, key, ctypes.string_at(raw.payload, raw.len), headers_of(message))
        finally:
            message_destroy(message)

    def read_until(self, done, patience=PATIENCE):
        """All messages until `done(messages)` is true."""
        messages, end = [], time.monotonic() + patience
        while not done(messages):
            if time.monotonic() > end:
                raise TimeoutError(f"only {len(messages)} messages came: {messages[-3:]}")
            message = self.read(0.2)
            if message is not None:
                messages.append(message)
        return messages


def headers_of(message):
    headers = P()
    if message_headers(message, ctypes.byref(headers)) != 0:
        return {}
    found = {}
    name, value, size, k = S(), P(), Z(), 0
    while header_at(headers, k, ctypes.byref(name), ctypes.byref(value), ctypes.byref(size)) == 0:
        found[name.value.decode()] = ctypes.string_at(value, size.value).decode()
        k += 1
    return found
