package io.waterclock.bench.peer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.run.JarName;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * db-scheduler, tuned for throughput and for lateness as its documentation advises: it polls by
 * locking and fetching in one statement, whenever fewer executions wait than it has threads, and
 * fetches four times as many; it polls twenty times a second instead of once in ten.
 */
final class DbSchedulerPeer implements Peer {
  private static final int THREADS = 20;
  private static final double LOWER_LIMIT = 1.0;
  private static final double UPPER_LIMIT = 4.0;
  private static final Duration POLLING = Duration.ofMillis(50);

  static final String CONFIGURATION =
      String.format(
          "%s, lock-and-fetch %s-%s, polls every %s ms (default 10 s), %s threads, a connection"
              + " for each",
          JarName.of(Scheduler.class), LOWER_LIMIT, UPPER_LIMIT, POLLING.toMillis(), THREADS);

  private final HikariDataSource pool;
  private final Scheduler scheduler;
  private final OneTimeTask<Integer> task;

  private DbSchedulerPeer(HikariDataSource pool) {
    this.pool = pool;
    this.task =
        Tasks.oneTime("run", Integer.class)
            .execute((instance, context) -> PeerRuns.ran(instance.getData()));
    this.scheduler =
        Scheduler.create(pool, task)
            .threads(THREADS)
            .pollingInterval(POLLING)
            .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
            .build();
  }

  static DbSchedulerPeer start(String url) throws SQLException, IOException {
    HikariDataSource pool = Database.pool(url, THREADS + 5);
    Database.execute(pool, Database.resource("db-scheduler.sql"));
    DbSchedulerPeer peer = new DbSchedulerPeer(pool);
    peer.scheduler.start();
    return peer;
  }

  @Override
  public void define(Work work) {
    Stream<SchedulableInstance<?>> instances =
        IntStream.range(0, work.count())
            .mapToObj(
                number ->
                    SchedulableInstance.of(
                        task.instance(work.phase() + number, number), work.due(number)));
    scheduler.scheduleBatch(instances);
  }

  @Override
  public void close() {
    scheduler.stop();
    pool.close();
  }
}
