package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.admit.CalendarReader;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.FirePartitioner;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.input.RecordTime;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The whole graph: four co-partitioned sources, one processor with three stores, one sink for each
 * output topic, one sink for the origins of strays, and a reader of the calendars topic in each
 * instance. A record in the strays topic comes back to the processor in its home task, which writes
 * it to schedules or outcomes.
 */
public final class SchedulerTopology {
  private static final String SCHEDULES = "from-schedules";
  private static final String COMMANDS = "from-commands";
  private static final String OUTCOMES = "from-outcomes";
  private static final String STRAYS = "from-strays";
  private static final String CALENDARS = "from-calendars";
  private static final String CALENDAR_READER = "calendar-reader";
  private static final String SCHEDULER = "scheduler";
  private static final int DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;

  private SchedulerTopology() {}

  public static Topology build(
      Settings settings, ApplicationContext application, TopologyParts parts) {
    Topology topology = new Topology();
    CalendarFeed calendars = new CalendarFeed();
    Supplier<Processor<byte[], byte[], byte[], Object>> processors =
        processors(settings, application, calendars, System::nanoTime);
    addSource(topology, SCHEDULES, settings.channels().topics().schedules(), application);
    addSource(topology, COMMANDS, settings.channels().topics().commands(), application);
    addSource(topology, OUTCOMES, settings.channels().topics().outcomes(), application);
    addSource(topology, STRAYS, settings.channels().topics().strays(), application);
    topology.addProcessor(
        SCHEDULER,
        () -> parts.around().apply(processors.get()),
        SCHEDULES,
        COMMANDS,
        OUTCOMES,
        STRAYS);
    topology.addStateStore(store(parts, ScheduleStore.NAME, settings), SCHEDULER);
    topology.addStateStore(store(parts, ProgressStore.NAME, settings), SCHEDULER);
    topology.addStateStore(store(parts, CommandStore.NAME, settings), SCHEDULER);
    for (Sink sink : Sink.values()) {
      String topic = sink.topic(settings.channels().topics());
      ByteArraySerializer bytes = new ByteArraySerializer();
      switch (sink) {
        case FIRES ->
            topology.addSink(
                sink.node(),
                topic,
                bytes,
                bytes,
                new FirePartitioner(settings.channels().partitions()),
                SCHEDULER);
        case WAITING, ANSWERS, STRAYS, ORIGINS ->
            topology.addSink(
                sink.node(),
                topic,
                bytes,
                Addressed.serializer(),
                Addressed.partitioner(),
                SCHEDULER);
        default -> topology.addSink(sink.node(), topic, bytes, bytes, SCHEDULER);
      }
    }
    addCalendars(topology, settings, application, calendars);
    return topology;
  }

  /**
   * The processors without their graph, for a caller that carries their records and keeps their
   * stores itself. A task gets a processor of its own; the processors of one thread share the
   * budget of its ticks.
   *
   * @param calendars the calendars as this instance has read them
   * @param nanoTime as of {@link System#nanoTime}
   */
  public static Supplier<Processor<byte[], byte[], byte[], Object>> processors(
      Settings settings,
      ApplicationContext application,
      CalendarFeed calendars,
      LongSupplier nanoTime) {
    ThreadLocal<SharedByThread> shared = SharedByThread.of(settings, nanoTime);
    return () -> new SchedulerProcessor(settings, application, shared, calendars);
  }

  /** Must come last, because the order numbers the sub-topologies, and with them the tasks. */
  private static void addCalendars(
      Topology topology,
      Settings settings,
      ApplicationContext application,
      CalendarFeed calendars) {
    topology.addGlobalStore(
        // in memory, so that the reader gets the whole topic at each start
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(CalendarReader.STORE),
                Serdes.Bytes(),
                Serdes.ByteArray())
            .withLoggingDisabled(),
        CALENDARS,
        new RecordTime(application.clock()),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        settings.channels().topics().calendars(),
        CALENDAR_READER,
        () ->
            new CalendarReader(
                calendars,
                settings.channels().wire().schemas(),
                application.incoming().rejections()));
  }

  private static void addSource(
      Topology topology, String name, String topic, ApplicationContext application) {
    topology.addSource(
        AutoOffsetReset.earliest(),
        name,
        new RecordTime(application.clock()),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topic);
  }

  /**
   * A store with a changelog, so that another instance can restore it, with room for the largest
   * record.
   */
  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(
      TopologyParts parts, String name, Settings settings) {
    int largest = Math.max(DEFAULT_MAX_MESSAGE_BYTES, settings.limits().maxFireBytes());
    Map<String, String> changelog = new HashMap<>(parts.changelogSettings());
    changelog.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(largest));
    return Stores.keyValueStoreBuilder(
            parts.stores().apply(name), Serdes.Bytes(), Serdes.ByteArray())
        .withLoggingEnabled(changelog)
        .withCachingDisabled();
  }
}
