package io.waterclock.cli.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Watermark;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A partition in the answer of its owner.
 *
 * @param gateOpen whether the owner has read its input up to its end at the takeover
 * @param waitsFor what it waits for before, beside its own reading
 * @param backlog the number of schedules with due, undecided occurrences, by lane
 * @param watermark the watermark as the owner would write it now
 */
public record LivePartition(
    Instance owner,
    boolean gateOpen,
    Optional<String> waitsFor,
    Map<String, Long> backlog,
    Watermark watermark) {

  /**
   * @throws UndecodableException if an instance of another version answers in another format
   */
  static LivePartition of(Instance owner, JsonNode tree) {
    Map<String, Long> backlog = new TreeMap<>();
    tree.path("backlog")
        .properties()
        .forEach(lane -> backlog.put(lane.getKey(), lane.getValue().asLong()));
    return new LivePartition(
        owner,
        tree.path("gate_open").asBoolean(),
        Optional.ofNullable(tree.get("waits_for")).map(JsonNode::asText),
        backlog,
        RecordCodecs.watermark().decode(tree.path("watermark").toString().getBytes(UTF_8)));
  }

  public int number() {
    return watermark.getPartition();
  }
}
