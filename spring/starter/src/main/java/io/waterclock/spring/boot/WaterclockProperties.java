package io.waterclock.spring.boot;

import io.waterclock.client.worker.Reporting;
import io.waterclock.client.worker.StartAt;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.spring.schedule.Removal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of Waterclock in an application. An unknown setting stops the start.
 *
 * @param enabled Whether the application uses Waterclock at all.
 * @param prefix Prefix of the topics, the tenant.
 * @param timeout How long to wait for the scheduler's answer, and for the brokers.
 * @param format Format in which definitions and commands are written.
 * @param properties Settings of all Kafka clients of Waterclock that win over those of
 *     spring.kafka, and settings of a schema registry such as schema.registry.url.
 * @param schedules Declared schedules.
 * @param worker The worker that runs the handlers.
 * @param claims Claims of fires in the database.
 * @param endpoint The endpoint of the actuator.
 * @param scheduler A scheduler in the application's JVM.
 */
@ConfigurationProperties(prefix = "waterclock", ignoreUnknownFields = false)
public record WaterclockProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("waterclock") String prefix,
    @DefaultValue("10s") Duration timeout,
    @DefaultValue("avro") WireFormat format,
    @DefaultValue Map<String, String> properties,
    @DefaultValue Schedules schedules,
    @DefaultValue Worker worker,
    @DefaultValue Claims claims,
    @DefaultValue Endpoint endpoint,
    @DefaultValue Scheduler scheduler) {
  public WaterclockProperties {
    prefix = new Topics(prefix).prefix();
  }

  /**
   * Declared schedules.
   *
   * @param enabled Whether the application writes its declared schedules when it starts.
   * @param owner Name by which the application knows the schedules that it has declared;
   *     spring.application.name unless set. Without a name it removes none.
   * @param removal What becomes of schedules whose declaration has disappeared from the code. To
   *     look for them reads the topics of all schedules once at each start.
   * @param removalDelay Time from the start to the removal; a schedule that another instance writes
   *     meanwhile stays.
   * @param removalMayEmpty Whether an application without any declared schedule removes the last
   *     ones of its owner.
   */
  public record Schedules(
      @DefaultValue("true") boolean enabled,
      @Nullable String owner,
      @DefaultValue("log") Removal.Mode removal,
      @DefaultValue("5m") Duration removalDelay,
      @DefaultValue("false") boolean removalMayEmpty) {}

  /**
   * The worker that runs the handlers.
   *
   * @param enabled Whether the application runs fires; without handlers it never does.
   * @param groupId Consumer group, the same for all instances of the service and for no other
   *     service; spring.application.name unless set.
   * @param startAt Where a group that has never run begins: at the first fire that the topic
   *     retains (beginning), or at those to come (now).
   * @param threads How many handlers run at a time.
   * @param buffer How many fires of a partition wait in the worker before it stops reading the
   *     partition.
   * @param report Which outcomes it reports beside those that a schedule asks for: none (asked),
   *     how each run ended (results), or starts and drops too (all).
   * @param retry How long a fire waits in Kafka before each further run when the attempts of a run
   *     have failed; then it is a dead letter. Empty: it never waits.
   * @param deadLetterTopic Topic for failed fires; the prefix's dlq unless set.
   * @param drain How long running handlers may go on when the application stops; keep it below
   *     spring.lifecycle.timeout-per-shutdown-phase.
   * @param restart Pause before a worker that has failed is started again.
   * @param consumer Settings of the consumer of fires, such as session.timeout.ms.
   */
  public record Worker(
      @DefaultValue("true") boolean enabled,
      @Nullable String groupId,
      @DefaultValue("beginning") StartAt startAt,
      @DefaultValue("8") int threads,
      @DefaultValue("1000") int buffer,
      @DefaultValue("results") Reporting report,
      @DefaultValue({"1m", "10m", "1h", "6h"}) List<Duration> retry,
      @Nullable String deadLetterTopic,
      @DefaultValue("20s") Duration drain,
      @DefaultValue("10s") Duration restart,
      @DefaultValue Map<String, String> consumer) {}

  /**
   * Claims of fires in the database, for handlers with @OncePerFire.
   *
   * @param consumer Name under which the service claims fires; the worker's group unless set.
   * @param createTable Whether the worker creates the table waterclock_claims if it is missing.
   * @param transactionManager Name of the transaction manager of the DataSource, if there are
   *     several.
   */
  public record Claims(
      @Nullable String consumer,
      @DefaultValue("false") boolean createTable,
      @Nullable String transactionManager) {}

  /**
   * The endpoint of the actuator.
   *
   * @param showPayloads Whether it shows the payloads and headers of schedules.
   */
  public record Endpoint(@DefaultValue("false") boolean showPayloads) {}

  /**
   * A scheduler in the application's JVM.
   *
   * @param enabled Whether the application runs a scheduler; needs the module waterclock-runtime.
   * @param properties Settings of the scheduler, with the names of its configuration file, such as
   *     state.dir.
   */
  public record Scheduler(
      @DefaultValue("false") boolean enabled, @DefaultValue Map<String, String> properties) {}
}
