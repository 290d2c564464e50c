package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.CommitPace;
import io.waterclock.topology.scheduler.context.FixedGate;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.count.CountReports;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** A task of the limiter with one partition, on a clock that tests set. */
final class LimiterRig {
  static final Instant BEGIN = Instant.parse("2026-11-25T10:00:00Z");

  LimitFeed limits = new LimitFeed();
  Instant now = BEGIN;
  boolean isTrusted = true;

  /** What the wall clock is ahead of {@link #now}, at which records are written. */
  Duration ahead = Duration.ZERO;

  private final Settings settings =
      TestTask.with(new Settings.Limits(Duration.ofSeconds(1), 1_000_000), TargetTopics.unknown())
          .settings();
  private final KeyValueStore<Bytes, byte[]> store =
      Stores.keyValueStoreBuilder(
              Stores.inMemoryKeyValueStore(LimiterStore.NAME), Serdes.Bytes(), Serdes.ByteArray())
          .withLoggingDisabled()
          .withCachingDisabled()
          .build();

  /** Where each look at a range of the store began. */
  final List<Bytes> looks = new ArrayList<>();

  boolean isOpen = true;
  boolean isBehind;
  LimiterCounts counts = new LimiterCounts();
  private final Gate gate =
      new FixedGate(true) {
        @Override
        public boolean isOpen() {
          return isOpen;
        }

        @Override
        public boolean isBehind() {
          return isBehind;
        }
      };
  private long offset;
  private long limitOffset;
  private MockProcessorContext<byte[], Object> context;
  private LimiterProcessor limiter;

  /** A record that it has sent. */
  record Sent(String to, Record<byte[], Object> record) {
    String key() {
      return new String(record.key(), UTF_8);
    }
  }

  LimiterRig() {
    this.context = newContext();
    this.limiter = started();
  }

  private MockProcessorContext<byte[], Object> newContext() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "limits");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    MockProcessorContext<byte[], Object> made =
        new MockProcessorContext<>(properties, new TaskId(0, 0), null);
    made.setCurrentSystemTimeMs(now.toEpochMilli());
    if (!store.isOpen()) {
      store.init(made.getStateStoreContext(), store);
    }
    made.addStateStore(watched());
    return made;
  }

  @SuppressWarnings("unchecked")
  private KeyValueStore<Bytes, byte[]> watched() {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            KeyValueStore.class.getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("range")) {
                looks.add((Bytes) arguments[0]);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** How many rows of a kind the store has. */
  long rows(char kind) {
    long rows = 0;
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      while (all.hasNext()) {
        rows += all.next().key.get()[0] == kind ? 1 : 0;
      }
    }
    return rows;
  }

  private LimiterProcessor started() {
    LimiterProcessor made =
        new LimiterProcessor(
            limits,
            settings,
            ClockGuard.of(() -> now.plus(ahead), () -> isTrusted),
            task -> gate,
            ThreadLocal.withInitial(
                () -> new CommitPace.OfThread(() -> now.toEpochMilli() * 1_000_000)),
            new CountReports<>() {
              @Override
              public void assigned(TaskId task, LimiterCounts given) {
                counts = given;
              }

              @Override
              public void revoked(TaskId task) {}
            },
            new RejectionLog(() -> now, "", line -> {}));
    made.init(context);
    return made;
  }

  MockProcessorContext<byte[], Object> context() {
    return context;
  }

  /** The task ends and begins again, with what is stored. */
  void restart() {
    limiter.close();
    context = newContext();
    limiter = started();
  }

  void tick() {
    context.setCurrentSystemTimeMs(now.toEpochMilli());
    context.scheduledPunctuators().forEach(each -> each.getPunctuator().punctuate(0));
  }

  /** Sends a record with a note for a group, or for none. */
  void send(String key, byte @Nullable [] value, Optional<String> group, WaitingNote note) {
    RecordHeaders headers = new RecordHeaders();
    group.ifPresentOrElse(
        name -> note.addTo(headers, new LimitName(name)), () -> note.addTo(headers));
    process(key.getBytes(UTF_8), value, headers);
  }

  void process(byte @Nullable [] key, byte @Nullable [] value, RecordHeaders headers) {
    context.setCurrentSystemTimeMs(now.toEpochMilli());
    context.setRecordMetadata("waiting", 0, offset++);
    limiter.process(new Record<>(key, value, now.toEpochMilli(), headers));
  }

  /** A record of the topic limits. */
  void limit(String group, @Nullable String json) {
    limit(group, json == null ? null : json.getBytes(UTF_8), new RecordHeaders());
  }

  /** The same with headers. */
  void limit(String group, byte @Nullable [] value, RecordHeaders headers) {
    MockProcessorContext<Void, Void> global = new MockProcessorContext<>();
    global.setRecordMetadata("limits", 0, limitOffset++);
    LimitReader reader =
        new LimitReader(limits, settings, new RejectionLog(() -> now, "", line -> {}));
    reader.init(global);
    reader.process(new Record<>(group.getBytes(UTF_8), value, now.toEpochMilli(), headers));
  }

  /** Whether it has asked for a commit since the last call. */
  boolean commits() {
    boolean asked = context.committed();
    context.resetCommit();
    return asked;
  }

  /** What it has sent since the last call, in its order. */
  List<Sent> sent() {
    List<Sent> all = new ArrayList<>();
    for (MockProcessorContext.CapturedForward<? extends byte[], ?> each : context.forwarded()) {
      Record<? extends byte[], ?> record = each.record();
      all.add(
          new Sent(
              each.childName().orElseThrow(),
              new Record<>(
                  record.key(), (Object) record.value(), record.timestamp(), record.headers())));
    }
    context.resetForwards();
    return all;
  }
}
