package io.waterclock.bench.peer;

import com.zaxxer.hikari.HikariDataSource;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.run.JarName;
import java.io.IOException;
import java.io.StringReader;
import java.sql.SQLException;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/**
 * Quartz, in memory or on a database. It takes as many triggers at once as it has threads, as its
 * documentation advises where many fire together; on a database it is not clustered, which is
 * quicker. A trigger that is late fires nevertheless.
 */
final class QuartzPeer implements Peer {
  private static final int THREADS = 25;
  private static final String TABLES = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";
  private static final String NUMBER = "number";

  private static final String BOTH =
      String.format(
          " of %s, %s threads (default 10),"
              + " batchTriggerAcquisitionMaxCount %s (default 1), late triggers fire",
          JarName.of(Scheduler.class), THREADS, THREADS);

  static final String IN_MEMORY = "RAMJobStore" + BOTH;
  static final String ON_DATABASE =
      "JobStoreTX with acquireTriggersWithinLock, not clustered, HikariCP" + BOTH;

  /** Made by Quartz for each run. */
  public static final class Running implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      PeerRuns.ran(Integer.parseInt(context.getMergedJobDataMap().getString(NUMBER)));
    }
  }

  /**
   * Triggers that are defined in one transaction. A database that has run for a while knows what is
   * in its tables; without, it looks through all triggers to find one.
   */
  private static final int BATCH = 1_000;

  /** In memory, to fire the trigger of a job costs a look at the job's other triggers. */
  private static final int TRIGGERS_IN_MEMORY = 10;

  private final Scheduler scheduler;
  private final Optional<HikariDataSource> pool;

  private QuartzPeer(Properties settings, Optional<HikariDataSource> pool)
      throws SchedulerException {
    this.pool = pool;
    this.scheduler = new StdSchedulerFactory(settings).getScheduler();
    scheduler.start();
  }

  static QuartzPeer inMemory() throws SchedulerException, IOException {
    return new QuartzPeer(
        settings("org.quartz.jobStore.class=org.quartz.simpl.RAMJobStore"), Optional.empty());
  }

  static QuartzPeer on(String url) throws SchedulerException, SQLException, IOException {
    HikariDataSource pool = Database.pool(url, 1);
    Database.execute(pool, Database.resource(TABLES));
    String store =
        """
        org.quartz.jobStore.class=org.quartz.impl.jdbcjobstore.JobStoreTX
        org.quartz.jobStore.driverDelegateClass=org.quartz.impl.jdbcjobstore.PostgreSQLDelegate
        org.quartz.jobStore.useProperties=true
        org.quartz.jobStore.acquireTriggersWithinLock=true
        org.quartz.jobStore.dataSource=postgres
        org.quartz.dataSource.postgres.provider=hikaricp
        org.quartz.dataSource.postgres.driver=org.postgresql.Driver
        org.quartz.dataSource.postgres.URL=%s
        org.quartz.dataSource.postgres.maxConnections=%s
        """;
    return new QuartzPeer(settings(store.formatted(url, THREADS + 3)), Optional.of(pool));
  }

  private static Properties settings(String store) throws IOException {
    String both =
        """
        org.quartz.scheduler.instanceName=bench
        org.quartz.threadPool.class=org.quartz.simpl.SimpleThreadPool
        org.quartz.threadPool.threadCount=%1$s
        org.quartz.scheduler.batchTriggerAcquisitionMaxCount=%1$s
        """;
    Properties settings = new Properties();
    settings.load(new StringReader(both.formatted(THREADS) + store));
    return settings;
  }

  @Override
  public void define(Work work) throws SchedulerException, SQLException {
    for (int from = 0; from < work.count(); from += BATCH) {
      define(work, from, Math.min(from + BATCH, work.count()));
      if (pool.isPresent()) {
        Database.execute(pool.get(), "ANALYZE");
      }
    }
  }

  private void define(Work work, int from, int to) throws SchedulerException {
    int each = pool.isPresent() ? BATCH : TRIGGERS_IN_MEMORY;
    Map<JobDetail, Set<? extends Trigger>> jobs = new HashMap<>();
    for (int first = from; first < to; first += each) {
      // whether a job that is not durable has triggers left is asked each time that one fires
      JobDetail job =
          JobBuilder.newJob(Running.class)
              .withIdentity(work.phase() + "-" + first)
              .storeDurably()
              .build();
      jobs.put(job, triggers(work, first, Math.min(first + each, to)));
    }
    scheduler.scheduleJobs(jobs, false);
  }

  private static Set<Trigger> triggers(Work work, int from, int to) {
    Set<Trigger> triggers = new HashSet<>();
    for (int number = from; number < to; number++) {
      triggers.add(
          TriggerBuilder.newTrigger()
              .withIdentity(work.phase() + number)
              .usingJobData(NUMBER, Integer.toString(number))
              .startAt(Date.from(work.due(number)))
              .withSchedule(
                  SimpleScheduleBuilder.simpleSchedule()
                      .withMisfireHandlingInstructionIgnoreMisfires())
              .build());
    }
    return triggers;
  }

  @Override
  public void close() {
    try {
      scheduler.shutdown();
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz cannot be ended", e);
    }
    pool.ifPresent(HikariDataSource::close);
  }
}
