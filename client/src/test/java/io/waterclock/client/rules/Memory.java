package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A worker's memory without Kafka. */
final class Memory implements Turns.Claims {
  private final Map<String, LastStart> starts = new HashMap<>();
  private final Set<String> claimed = new HashSet<>();

  void started(Fire fire, Instant at) {
    starts.put(fire.getScheduleId(), new LastStart(fire.getFireId(), at));
  }

  Optional<LastStart> lastStart(String scheduleId) {
    return Optional.ofNullable(starts.get(scheduleId));
  }

  @Override
  public boolean claim(String fireId) {
    return claimed.add(fireId);
  }

  @Override
  public void release(String fireId) {
    claimed.remove(fireId);
  }
}
