package io.waterclock.client.worker;

import io.waterclock.client.rules.Backlog;
import io.waterclock.client.rules.Downtime;
import io.waterclock.client.rules.WorkerHeartbeat;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The text form of a heartbeat in the metadata of a committed offset: {@code
 * alive=2026-11-21T09:00:00Z/2026-11-21T12:00:00Z@1a2b3c4d}, with the fingerprint of the worker's
 * handlers, and for each downtime of the backlog {@code ;<last alive>,<taken over at>,<end>} with
 * instants in milliseconds. The first of them is empty if there was no earlier heartbeat.
 */
final class WorkerHeartbeatFormat {
  private static final String PREFIX = "alive=";
  private static final String TO = "/";
  private static final String BY = "@";
  private static final String NEXT = ";";
  private static final String FIELD = ",";
  private static final int FIELDS = 3;

  private WorkerHeartbeatFormat() {}

  /**
   * @param handlers {@link Handlers#fingerprint}
   */
  static OffsetAndMetadata with(long offset, WorkerHeartbeat heartbeat, String handlers) {
    String downtimes =
        heartbeat.backlog().downtimes().stream()
            .map(downtime -> NEXT + text(downtime))
            .collect(Collectors.joining());
    return new OffsetAndMetadata(
        offset, PREFIX + heartbeat.since() + TO + heartbeat.at() + BY + handlers + downtimes);
  }

  /** Empty if there is none, for example because a tool has set the offset. */
  static Optional<WorkerHeartbeat> in(OffsetAndMetadata committed) {
    String text = committed.metadata();
    if (!text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    try {
      String[] parts = text.substring(PREFIX.length()).split(NEXT);
      int to = parts[0].indexOf(TO);
      int by = parts[0].indexOf(BY);
      return Optional.of(
          new WorkerHeartbeat(
              Instant.parse(parts[0].substring(0, Math.max(0, to))),
              Instant.parse(parts[0].substring(to + 1, Math.max(to + 1, by))),
              new Backlog(
                  Arrays.stream(parts).skip(1).map(WorkerHeartbeatFormat::downtime).toList())));
    } catch (DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The fingerprint of the handlers of the worker that committed it. */
  static Optional<String> handlers(OffsetAndMetadata committed) {
    return in(committed)
        .map(heartbeat -> committed.metadata().split(NEXT)[0])
        .map(text -> text.substring(text.indexOf(BY) + 1));
  }

  private static String text(Downtime downtime) {
    String from =
        downtime.lastAlive().map(alive -> String.valueOf(alive.toEpochMilli())).orElse("");
    return String.join(
        FIELD,
        from,
        String.valueOf(downtime.takenOverAt().toEpochMilli()),
        String.valueOf(downtime.end()));
  }

  private static Downtime downtime(String text) {
    String[] fields = text.split(FIELD, FIELDS);
    if (fields.length < FIELDS) {
      throw new IllegalArgumentException(text);
    }
    return new Downtime(
        fields[0].isEmpty() ? Optional.empty() : Optional.of(ofMs(fields[0])),
        ofMs(fields[1]),
        Long.parseLong(fields[2]));
  }

  private static Instant ofMs(String text) {
    return Instant.ofEpochMilli(Long.parseLong(text));
  }
}
