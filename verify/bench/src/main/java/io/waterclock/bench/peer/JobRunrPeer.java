package io.waterclock.bench.peer;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.run.JarName;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/**
 * JobRunr's free edition. It polls as often as it allows, every five seconds, and then hands what
 * is due until the next time to its workers at once: schedules run up to five seconds early.
 */
final class JobRunrPeer implements Peer {
  private static final Duration POLLING = Duration.ofSeconds(5);
  private static final int WORKERS = 8 * Runtime.getRuntime().availableProcessors();

  static final String CONFIGURATION =
      String.format(
          "%s, free edition, polls every %s s (its least; default 15 s), %s workers",
          JarName.of(JobRequest.class), POLLING.toSeconds(), WORKERS);

  /** A schedule as JobRunr keeps it: as JSON, read back into a class and not into a record. */
  public static final class RunRequest implements JobRequest {
    private int number;

    /** For JobRunr. */
    public RunRequest() {}

    private RunRequest(int number) {
      this.number = number;
    }

    @Override
    public Class<RunHandler> getJobRequestHandler() {
      return RunHandler.class;
    }
  }

  /** Made by JobRunr for each run. */
  public static final class RunHandler implements JobRequestHandler<RunRequest> {
    @Override
    public void run(RunRequest request) {
      PeerRuns.ran(request.number);
    }
  }

  private final HikariDataSource pool;
  private final JobRequestScheduler scheduler;

  private JobRunrPeer(HikariDataSource pool) {
    this.pool = pool;
    this.scheduler =
        JobRunr.configure()
            .useStorageProvider(SqlStorageProviderFactory.using(pool))
            .useBackgroundJobServer(
                usingStandardBackgroundJobServerConfiguration()
                    .andPollInterval(POLLING)
                    .andWorkerCount(WORKERS))
            .initialize()
            .getJobRequestScheduler();
  }

  static JobRunrPeer start(String url) {
    return new JobRunrPeer(Database.pool(url, WORKERS + 4));
  }

  @Override
  public void define(Work work) {
    scheduler.create(
        IntStream.range(0, work.count())
            .mapToObj(
                number ->
                    JobBuilder.aJob()
                        .scheduleAt(work.due(number))
                        .withJobRequest(new RunRequest(number))));
  }

  @Override
  public void close() {
    JobRunr.destroy();
    pool.close();
  }
}
