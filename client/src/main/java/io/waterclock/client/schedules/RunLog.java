package io.waterclock.client.schedules;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.avro.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The newest runs of fires, from the reports of workers in the order of their topic, up to a fixed
 * size in memory. Not thread-safe.
 */
public final class RunLog {
  private final long mostBytes;
  private final Map<Key, FireRun> byFire = new LinkedHashMap<>();
  private long bytes;

  /** A fire, as its trigger or a backfill has ordered it. */
  private record Key(String fire, Optional<String> backfill) {}

  public RunLog(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Adds a fire, whether or not it is ever reported on. One whose key is no fire key is ignored.
   *
   * @param key the key of its record
   * @param backfill as in the fire
   */
  public void fired(String key, Optional<String> backfill, Instant firedAt) {
    parsed(key)
        .ifPresent(
            fire -> {
              Key one = new Key(key, backfill);
              put(one, known(one, fire).fired(firedAt));
            });
  }

  /** Adds a report. One whose key is no fire key is ignored. */
  public void reported(Outcome outcome, Instant at) {
    String key = outcome.getFireKey();
    parsed(key)
        .ifPresent(
            fire -> {
              Key one = new Key(key, Optional.ofNullable(outcome.getBackfill()));
              put(one, known(one, fire).reported(outcome, at));
            });
  }

  private static Optional<FireKey> parsed(String key) {
    try {
      return Optional.of(FireKey.parse(key));
    } catch (InvalidIdException e) {
      return Optional.empty();
    }
  }

  private FireRun known(Key key, FireKey fire) {
    FireRun known = byFire.get(key);
    return known == null ? FireRun.of(fire, key.backfill()) : known;
  }

  private void put(Key key, FireRun run) {
    FireRun before = byFire.put(key, run);
    bytes += run.bytes() - (before == null ? 0 : before.bytes());
    Iterator<FireRun> eldest = byFire.values().iterator();
    while (bytes > mostBytes && eldest.hasNext()) {
      bytes -= eldest.next().bytes();
      eldest.remove();
    }
  }

  /**
   * The run of a fire, if it is among those kept.
   *
   * @param backfill as in the fire
   */
  public Optional<FireRun> of(String fireKey, Optional<String> backfill) {
    return Optional.ofNullable(byFire.get(new Key(fireKey, backfill)));
  }

  /** The newest runs that are wanted, the newest first. Looks at each run that is kept. */
  public List<FireRun> newest(Predicate<FireRun> wanted, int most) {
    List<FireRun> found = new ArrayList<>(byFire.values());
    Collections.reverse(found);
    return found.stream().filter(wanted).limit(most).toList();
  }
}
