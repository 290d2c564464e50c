package io.waterclock.topology.scheduler.store;

import io.waterclock.schemas.SafeLogger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;

/**
 * Gives up standbys that have heard nothing for longer than {@link StateAge} allows.
 *
 * <p>A process that is suspended, or that reaches no broker, keeps its standbys, and reads on where
 * they were. As with state on disk, what was deleted meanwhile may not be told any more. An active
 * task needs no such watch: it is lost with its session, and its state thrown away. An error here
 * ends the stream thread, whose state is thrown away too; another thread restores it.
 *
 * <p>A partition that is decided writes its position with each watermark, so silence of that length
 * is no ordinary one. Safe to use from any thread.
 */
public final class StandbyContact implements StandbyUpdateListener {
  private static final Logger LOG = SafeLogger.of(StandbyContact.class);

  private final StateAge age;
  private final Map<Integer, Instant> heardAt = new ConcurrentHashMap<>();

  public StandbyContact(StateAge age) {
    this.age = age;
  }

  @Override
  public void onUpdateStart(TopicPartition changelog, String store, long offset) {
    heardAt.put(changelog.partition(), age.now().get());
  }

  /**
   * @throws TaskCorruptedException if the standby has heard nothing for too long
   */
  @Override
  public void onBatchLoaded(
      TopicPartition changelog,
      String store,
      TaskId task,
      long batchEndOffset,
      long batchSize,
      long endOffset) {
    Instant now = age.now().get();
    Instant before = heardAt.put(changelog.partition(), now);
    if (before != null && Duration.between(before, now).compareTo(age.longest()) > 0) {
      LOG.warn(
          "{}: this standby has heard nothing since {}, longer ago than state.max.age={}: the"
              + " changelogs may not tell any more what was deleted since, so it is restored from"
              + " nothing",
          task,
          before,
          age.longest());
      throw new TaskCorruptedException(Set.of(task));
    }
  }

  @Override
  public void onUpdateSuspended(
      TopicPartition changelog,
      String store,
      long storeOffset,
      long endOffset,
      SuspendReason reason) {
    heardAt.remove(changelog.partition());
  }
}
