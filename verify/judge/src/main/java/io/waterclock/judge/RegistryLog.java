package io.waterclock.judge;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a schema registry did.
 *
 * @param answers when it gave schemas, by their ids
 */
public record RegistryLog(Map<Integer, Answer> answers, List<Outage> outages) {
  /** Where there was no registry. */
  public static final RegistryLog NONE = new RegistryLog(Map.of(), List.of());

  /**
   * When it gave a schema. Each scheduler asks for it once in its life.
   *
   * @param firstMs when it began to give it for the first time
   * @param lastMs when it had given it for the last time
   */
  public record Answer(long firstMs, long lastMs) {
    public static Answer at(long ms) {
      return new Answer(ms, ms);
    }

    public Answer and(Answer other) {
      return new Answer(Math.min(firstMs, other.firstMs), Math.max(lastMs, other.lastMs));
    }
  }

  /** A time in which it gave nothing, both ends inclusive. */
  public record Outage(long fromMs, long toMs) {}

  boolean isGivenBefore(int schemaId, long ms) {
    return Optional.ofNullable(answers.get(schemaId))
        .filter(answer -> answer.firstMs() <= ms)
        .isPresent();
  }

  /**
   * By when a scheduler had the schema of a record; empty if none ever had it. During an outage one
   * may lack it that another one knows.
   *
   * @param receivedMs when the record was there
   * @param readingMs so long afterwards a scheduler has read it
   */
  Optional<Long> readableMs(int schemaId, long receivedMs, long readingMs) {
    long outageMs =
        outages.stream()
            .filter(one -> one.fromMs() <= receivedMs + readingMs && one.toMs() >= receivedMs)
            .mapToLong(Outage::toMs)
            .max()
            .orElse(receivedMs);
    return Optional.ofNullable(answers.get(schemaId))
        .map(answer -> Math.max(outageMs, answer.lastMs()));
  }
}
