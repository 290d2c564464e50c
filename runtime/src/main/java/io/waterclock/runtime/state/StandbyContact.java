package io.waterclock.runtime.state;

import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.store.StateAge;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;

/**
 * Discards standbys that have received no updates for longer than {@link StateAge} allows.
 *
 * <p>A suspended process, or one that reaches no broker, keeps its standbys and later continues at
 * their offsets. As with state on disk, the changelogs may no longer hold the deletes in between.
 * An active task needs no such check: it ends with its session, and its state is deleted. The
 * stores of a discarded standby are marked as damaged, since the last update may have made them
 * look young. The error here ends the stream thread; another one restores them from nothing.
 *
 * <p>An active partition writes its position with each watermark, so a silence of that length is
 * unusual. Safe for all threads.
 */
final class StandbyContact implements StandbyUpdateListener {
  private static final Logger LOG = SafeLogger.of(StandbyContact.class);

  private final StateAge age;
  private final Consumer<TaskId> distrust;
  private final Map<Integer, Instant> updatedAt = new ConcurrentHashMap<>();

  /**
   * @param distrust sees that the stores of a task are not used again
   */
  StandbyContact(StateAge age, Consumer<TaskId> distrust) {
    this.age = age;
    this.distrust = distrust;
  }

  @Override
  public void onUpdateStart(TopicPartition changelog, String store, long offset) {
    updatedAt.put(changelog.partition(), age.now().get());
  }

  /**
   * @throws TaskCorruptedException if the standby has received nothing for too long
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
    Instant before = updatedAt.put(changelog.partition(), now);
    if (before != null && Duration.between(before, now).compareTo(age.longest()) > 0) {
      LOG.warn(
          "{}: this standby has received nothing since {}, longer ago than state.max.age={}: the"
              + " changelogs may no longer hold the deletes since then, so it is restored from"
              + " nothing",
          task,
          before,
          age.longest());
      distrust.accept(task);
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
    updatedAt.remove(changelog.partition());
  }
}
