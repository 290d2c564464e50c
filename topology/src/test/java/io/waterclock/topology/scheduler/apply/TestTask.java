package io.waterclock.topology.scheduler.apply;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** The context of partition 0 of a scheduler, with stores in memory and nothing around it. */
public final class TestTask {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
  private static final WaitingMemory ENOUGH = WaitingMemory.of(Long.MAX_VALUE >> 1);
  private static final Settings.Limits LIMITS =
      new Settings.Limits(Duration.ofSeconds(1), 1_000_000);

  private TestTask() {}

  /**
   * @param progress the store of that name, which a test may keep for the next context
   */
  public static TaskContext with(KeyValueStore<Bytes, byte[]> progress) {
    return with(
        progress,
        Stores.inMemoryKeyValueStore(ScheduleStore.NAME).get(),
        new MockProcessorContext<>(),
        Wire.of(WireFormat.AVRO),
        RecordDeaths.none());
  }

  /**
   * @param targets what is known of topics, of which any may be a target
   */
  public static TaskContext with(Settings.Limits limits, TargetTopics targets) {
    return with(
        Stores.inMemoryKeyValueStore(ProgressStore.NAME).get(),
        Stores.inMemoryKeyValueStore(ScheduleStore.NAME).get(),
        new MockProcessorContext<>(),
        settings(Wire.of(WireFormat.AVRO), limits),
        RecordDeaths.none(),
        targets,
        new RejectionLog(() -> NOW, ""),
        ENOUGH);
  }

  /** A task that shares this memory with others. */
  public static TaskContext with(WaitingMemory waiting) {
    return with(
        Stores.inMemoryKeyValueStore(ProgressStore.NAME).get(),
        Stores.inMemoryKeyValueStore(ScheduleStore.NAME).get(),
        new MockProcessorContext<>(),
        settings(Wire.of(WireFormat.AVRO), LIMITS),
        RecordDeaths.none(),
        TargetTopics.unknown(),
        new RejectionLog(() -> NOW, ""),
        waiting);
  }

  /** As below, without a look at the log. */
  public static TaskContext with(
      KeyValueStore<Bytes, byte[]> progress,
      KeyValueStore<Bytes, byte[]> schedules,
      MockProcessorContext<byte[], Object> context,
      Wire wire,
      RecordDeaths deaths) {
    return with(progress, schedules, context, wire, deaths, new RejectionLog(() -> NOW, ""));
  }

  /**
   * @param progress the store of that name
   * @param schedules the store of that name
   * @param context receives what the task sends
   */
  public static TaskContext with(
      KeyValueStore<Bytes, byte[]> progress,
      KeyValueStore<Bytes, byte[]> schedules,
      MockProcessorContext<byte[], Object> context,
      Wire wire,
      RecordDeaths deaths,
      RejectionLog rejections) {
    return with(
        progress,
        schedules,
        context,
        settings(wire, LIMITS),
        deaths,
        TargetTopics.unknown(),
        rejections,
        ENOUGH);
  }

  private static TaskContext with(
      KeyValueStore<Bytes, byte[]> progress,
      KeyValueStore<Bytes, byte[]> schedules,
      MockProcessorContext<byte[], Object> context,
      Settings settings,
      RecordDeaths deaths,
      TargetTopics targets,
      RejectionLog rejections,
      WaitingMemory waiting) {
    context.addStateStore(progress);
    context.addStateStore(schedules);
    context.addStateStore(Stores.inMemoryKeyValueStore(CommandStore.NAME).get());
    ApplicationContext application =
        new ApplicationContext(
            () -> NOW,
            ClockGuard.of(() -> NOW, () -> true),
            new ApplicationContext.Brokers(
                task -> {
                  throw new IllegalStateException("this task has no gate");
                },
                partition -> CompletableFuture.completedFuture(Set.of()),
                targets),
            TaskReports.none(),
            new ApplicationContext.Incoming(deaths, rejections, waiting));
    return TaskContext.of(context, settings, application);
  }

  private static Settings settings(Wire wire, Settings.Limits limits) {
    return new Settings(
        new Settings.Channels(
            Topics.ofDefault(),
            1,
            new TargetRules(
                new AllowList(List.of("*")), limits.owners(), Topics.ofDefault(), "waterclock"),
            true,
            wire,
            ZoneId.of("UTC")),
        limits,
        Settings.Pace.standard(),
        new Settings.Retention(Duration.ofHours(1), Duration.ofHours(1), Duration.ofDays(7)),
        Settings.Alerting.OFF,
        Settings.Identity.of("test"));
  }
}
