#include "askfew/sessions/checkpoint.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"
#include "askfew/models/model.h"
#include "askfew/models/model_file.h"
#include "askfew/sessions/packed_text.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::uint32_t plain_version = 1;  // whose state is not packed
constexpr std::uint32_t state_version = 2;  // a later version may list other parts

/// The JSON at the beginning of a payload, and the rest.
struct Parts {
  json head;
  std::string_view rest;
};

Parts parts_of(std::string_view payload) {
  std::uint32_t size = 0;
  if (payload.size() < sizeof size) throw ModelError("a checkpoint that is too short");
  std::memcpy(&size, payload.data(), sizeof size);
  payload.remove_prefix(sizeof size);
  if (payload.size() < size) throw ModelError("a checkpoint that is too short");
  return {try_parse_json(payload.substr(0, size)), payload.substr(size)};
}

ledger::Link link_of(const std::string& digits) {
  return std::stoull(digits, nullptr, 16);
}

bool is_beside(const std::string& name) {
  return name.starts_with(beside_part_name) && name.size() > beside_part_name.size() &&
         name[beside_part_name.size()] == '.';
}

Checkpoint head_of(const Parts& parts) {
  const json& head = parts.head;
  if (!head.is_object()) throw ModelError("a checkpoint without a head");
  try {
    if (json_count(head.at("state")) > state_version)
      throw ModelError("a checkpoint that a newer version of askfew wrote, and reads");
    Checkpoint checkpoint{.lines = json_count(head.at("lines")),
                          .set_aside = json_count(head.at("set_aside")),
                          .clock_shift = head.at("clock_shift"),
                          .time = head.at("time"),
                          .checkpoints = json_count(head.at("checkpoints")),
                          .beside = head.at("beside"),
                          .state_bytes = head.at("state") == plain_version
                                             ? parts.rest.size()
                                             : json_count(head.at("state_bytes"))};
    if (head.contains("dropped")) {
      const json& dropped = head.at("dropped");
      checkpoint.dropped = {.bytes = json_count(dropped.at("bytes")), .hash = link_of(dropped.at("hash"))};
    }
    return checkpoint;
  } catch (const json::exception& error) {
    throw ModelError(std::string("a checkpoint with a damaged head: ") + error.what());
  } catch (const std::logic_error&) {  // of stoull
    throw ModelError("a checkpoint with a damaged head: a hash is no number");
  }
}

}  // namespace

std::string checkpoint_payload(const Checkpoint& checkpoint) {
  const std::string state = encode_model(checkpoint.state);
  json head{{"state", state_version},
            {"lines", checkpoint.lines},
            {"set_aside", checkpoint.set_aside},
            {"clock_shift", checkpoint.clock_shift},
            {"time", checkpoint.time},
            {"checkpoints", checkpoint.checkpoints},
            {"beside", checkpoint.beside},
            {"state_bytes", state.size()}};
  if (checkpoint.dropped) {
    head["dropped"] = {{"bytes", checkpoint.dropped->bytes},
                       {"hash", fmt::format("{:016x}", checkpoint.dropped->hash)}};
  }
  const std::string text = json_text(head);
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string payload(reinterpret_cast<const char*>(&size), sizeof size);
  payload += text;
  payload += packed_text(state);
  return payload;
}

Checkpoint checkpoint_head_of(std::string_view payload) {
  return head_of(parts_of(payload));
}

Checkpoint checkpoint_of(std::string_view payload) {
  const Parts parts = parts_of(payload);
  Checkpoint checkpoint = head_of(parts);
  if (parts.head.at("state") == plain_version) {
    checkpoint.state = decode_model(parts.rest);
  } else {
    checkpoint.state = decode_model(unpacked_text(parts.rest, checkpoint.state_bytes));
  }
  return checkpoint;
}

std::string difference_of(const Snapshot& session, const Snapshot& recorded) {
  for (const auto& [name, tensor] : session.tensors) {
    const auto found = recorded.tensors.find(name);
    if (found == recorded.tensors.end() || found->second != tensor) return name;
  }
  for (const auto& [name, tensor] : recorded.tensors) {
    if (!is_beside(name) && !session.tensors.contains(name)) return name;
  }
  const std::string config(snapshot_config);
  const auto found = recorded.metadata.find(config);
  return found != recorded.metadata.end() && found->second == session.metadata.at(config) ? "" : config;
}

}  // namespace askfew
