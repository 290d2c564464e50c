package io.waterclock.bench.scenario;

import io.waterclock.bench.chaos.cluster.RegistryServer;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.MeasuredScheduler;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.run.VoidRunException;
import io.waterclock.bench.scenario.LiveLoad.Span;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Attacks, one after the other, while schedules fire: how late those are meanwhile. */
@Command(
    name = "attack",
    description =
        "Hostile records, schemas and connections, one kind after the other, while schedules fire"
            + " every second: how late those are, beside a quiet stretch of the same run. Then each once"
            + " more, and a restart of the scheduler, which has console=on and the heap of the"
            + " manifests.",
    mixinStandardHelpOptions = true)
public final class AttackScenario implements Callable<Integer> {
  private static final Duration REST = Duration.ofSeconds(5);
  private static final Duration REHEARSED = Duration.ofSeconds(3);
  private static final String QUIET = "quiet";

  /** Schedules that fire every second. */
  private static final int OTHERS = 50;

  /** Hostile records in a second. */
  private static final int RATE = 1_000;

  private static final int SCHEMAS = 100;
  private static final int DEEP = 1_000;
  private static final int IDLE_CONNECTIONS = 300;
  private static final int ZEROS = 200 << 20;
  private static final int LARGE = 900_000;
  private static final int MANY_HEADERS = 500_000;
  private static final byte[] HARMLESS = bytes("{\"at\":\"2099-01-01T00:00:00Z\"}");
  private static final Map<String, Header> FORGED =
      Map.of(
          "forged origins", new RecordHeader(HeaderNames.ORIGIN, bytes("waterclock.schedules-0@0")),
          "forged imports", new RecordHeader(HeaderNames.IMPORT, bytes("{}")));

  @Mixin private Options options = new Options(Options.HEAP_OF_MANIFESTS);

  @Mixin private LiveOptions live = new LiveOptions();

  @Override
  public Integer call() {
    Duration warm = live.warm(options);
    Duration counted = live.counted(options);
    Report report =
        new Report(
            "attack: lateness of " + OTHERS + " schedules that fire every second",
            options,
            List.of("p50", "p99", "max", "fires", "ready again", "console"));
    report.with("counted", counted.toSeconds() + " s of each, " + RATE + " records/s");
    report.with("process", "the scheduler's, with a console in it, as with console=on");
    report.with("ready again", "after 3 s of the attack and a restart");
    report.with("console", "is complete again, after the same restart");
    int port = Ports.free();
    try (RegistryServer registry = new RegistryServer()) {
      String nested = nested();
      for (int n = 0; n < SCHEMAS; n++) {
        registry.add(nested);
      }
      Map<String, String> settings =
          Map.of("health.port", Integer.toString(port), "schema.registry.url", registry.url());
      measure(settings, port, warm, counted, report);
    }
    report.publish(System.out, options);
    return 0;
  }

  private void measure(
      Map<String, String> settings, int port, Duration warm, Duration counted, Report report) {
    try (Rig rig = Rig.start(options, settings);
        Loader schedules = rig.loader();
        LiveLoad load = LiveLoad.begin(rig, schedules, OTHERS)) {
      Await.instant(load.start().plus(warm));
      Progress.say(
          "small records come once, not counted: the JVM has to load and compile its code");
      rig.scheduler().tell(MeasuredScheduler::console);
      small(rig, port, REHEARSED).values().forEach(Runnable::run);
      schedules.awaitAccepted();
      Await.pass(REST);
      Map<String, List<Object>> figures = new LinkedHashMap<>();
      all(rig, port, counted)
          .forEach(
              (name, attack) -> {
                Progress.say(name);
                Instant from = Await.now();
                attack.run();
                Await.instant(from.plus(counted));
                List<Object> late = lateness(name, load, from);
                Progress.say("  p50, p99, max in ms, fires: " + late);
                figures.put(name, late);
                Await.pass(REST);
              });
      // after all figures of lateness: a JVM that has just started has compiled nothing
      all(rig, port, REHEARSED)
          .forEach(
              (name, attack) -> {
                Progress.say(name + ", and a restart");
                attack.run();
                List<Object> row = Objects.requireNonNull(figures.get(name));
                List<Object> again = restart(rig, settings);
                row.addAll(again);
                Progress.say("  ready again, and its console complete, in ms: " + again);
                report.add(name, row, "ms");
              });
    }
  }

  /** One attack that succeeds must not hide what the others do. */
  private static List<Object> lateness(String attack, LiveLoad load, Instant from) {
    try {
      Histogram late = load.lateness(new Span(from, Await.now()));
      return new ArrayList<>(
          List.of(
              Percentile.P50.ms(late),
              Percentile.P99.ms(late),
              Percentile.MAX.ms(late),
              (double) late.getTotalCount()));
    } catch (VoidRunException e) {
      Progress.say(attack + ": " + e.getMessage());
      return new ArrayList<>(List.of(Report.NONE, Report.NONE, "over a minute", Report.NONE));
    }
  }

  /** How long each took; one that fails must not hide the others either. */
  private static List<Object> restart(Rig rig, Map<String, String> settings) {
    boolean hadEnded = !rig.scheduler().handle().isAlive();
    Instant from = Await.now();
    try {
      rig.relaunch(settings);
      double ready = msSince(from);
      rig.scheduler().tell(MeasuredScheduler::console);
      return List.of(hadEnded ? "had ended, then " + Math.round(ready) : ready, msSince(from));
    } catch (BenchException e) {
      Progress.say(String.valueOf(e.getMessage()));
      return List.of("never", "never");
    }
  }

  private static double msSince(Instant from) {
    return Duration.between(from, Await.now()).toMillis();
  }

  private static Map<String, Runnable> all(Rig rig, int port, Duration counted) {
    Map<String, Runnable> attacks = small(rig, port, counted);
    attacks.putAll(large(rig, counted));
    return attacks;
  }

  private static Map<String, Runnable> small(Rig rig, int port, Duration counted) {
    Map<String, Runnable> attacks = new LinkedHashMap<>();
    attacks.put(QUIET, () -> {});
    attacks.put("idle connections to the port for health", () -> stall(port, counted));
    Map<String, IntFunction<byte[]>> hostile = new LinkedHashMap<>();
    hostile.put("schemas of a thousand nested records", n -> wire(1 + n % SCHEMAS));
    hostile.put("ids of schemas that do not exist", n -> wire(1_000 + n));
    hostile.put("bytes that are nothing", n -> bytes("\0nothing"));
    hostile.put("forged origins", n -> HARMLESS);
    hostile.put("forged imports", n -> HARMLESS);
    hostile.put(
        "forged lines in descriptions",
        n -> bytes("{\"every\":\"0s\",\"description\":\"x\\n[main] ERROR \\u001b[2J\"}"));
    hostile.forEach(
        (name, value) -> attacks.put(name, () -> flood(rig, counted, value, FORGED.get(name))));
    return attacks;
  }

  private static Map<String, Runnable> large(Rig rig, Duration counted) {
    Map<String, Runnable> attacks = new LinkedHashMap<>();
    attacks.put("200 MB of zeros in a small record", () -> zeros(rig));
    attacks.put("24 schedules with 500,000 headers each", () -> headers(rig));
    attacks.put("40 schedules of 900 kB every second", () -> repeat(rig, counted, 40, LARGE));
    attacks.put("150 schedules of 250 kB every second", () -> repeat(rig, counted, 150, 250_000));
    attacks.put("2,400 schedules of 16 kB every second", () -> repeat(rig, counted, 2_400, 16_000));
    attacks.put("300 triggers of 900 kB for one schedule", () -> trigger(rig, counted));
    attacks.put("200 schedules of 900 kB that stay", () -> define(rig));
    return attacks;
  }

  /** Half of a request each, and a new one in the place of each that is closed. */
  private static void stall(int port, Duration counted) {
    Instant until = Await.now().plus(counted);
    List<Socket> sockets = new ArrayList<>();
    try {
      while (Await.now().isBefore(until)) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(bytes("GET /live HTTP/1.1\r\nHost: "));
        sockets.add(socket);
        if (sockets.size() > IDLE_CONNECTIONS) {
          sockets.remove(0).close();
        }
        Await.instant(Await.now().plusMillis(10));
      }
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param forged a header of each record, or none
   */
  private static void flood(
      Rig rig, Duration counted, IntFunction<byte[]> hostile, @Nullable Header forged) {
    List<Header> headers = forged == null ? List.of() : List.of(forged);
    String topic = rig.topics().schedules();
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(rig.bootstrapServers(), Map.of())) {
      Await.evenly(
          Math.toIntExact(counted.toSeconds()) * RATE,
          RATE,
          n -> {
            byte[] key = bytes("attack/" + (forged == null ? n : 0));
            Future<?> unused =
                producer.send(new ProducerRecord<>(topic, null, key, hostile.apply(n), headers));
          });
    }
  }

  /** Schedules with a large payload, until they are deleted. */
  private static void repeat(Rig rig, Duration counted, int schedules, int bytes) {
    byte[] definition = bytes("{\"every\":\"1s\",\"payload\":\"%s\"}".formatted(large(bytes)));
    String phase = "large-" + bytes;
    try (Loader loader = rig.loader()) {
      loader.write(phase, schedules, n -> definition);
      Await.pass(counted);
      loader.delete(phase, schedules);
    }
  }

  /** Schedules with a large payload, which every start finds. */
  private static void define(Rig rig) {
    byte[] definition =
        bytes("{\"at\":\"2099-01-01T00:00:00Z\",\"payload\":\"%s\"}".formatted(large(LARGE)));
    try (Loader loader = rig.loader()) {
      loader.write("kept", 200, n -> definition);
    }
  }

  /** Records that consist of headers, which take forty times their bytes in memory. */
  private static void headers(Rig rig) {
    List<Header> headers = Collections.nCopies(MANY_HEADERS, new RecordHeader("", new byte[0]));
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(rig.bootstrapServers(), Map.of("max.request.size", 2 << 20))) {
      for (int n = 0; n < 24; n++) {
        byte[] key = bytes("attack/headers-" + n);
        if (!isTaken(
            producer,
            new ProducerRecord<>(
                rig.topics().schedules(), null, key, bytes("{\"every\":\"1h\"}"), headers))) {
          return;
        }
      }
    }
  }

  /** A record that the broker refuses does no harm. */
  private static boolean isTaken(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    try {
      producer.send(record).get();
      return true;
    } catch (ExecutionException e) {
      Progress.say("the broker refuses it: " + e.getCause());
      return false;
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
  }

  private static void trigger(Rig rig, Duration counted) {
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(rig.bootstrapServers(), Map.of())) {
      byte[] key = bytes("attack/triggered");
      Instant until = Await.now().plus(counted);
      Future<?> unusedAnswer =
          producer.send(
              new ProducerRecord<>(
                  rig.topics().schedules(), key, bytes("{\"cron\":\"0 0 1 1 *\"}")));
      producer.flush();
      String payload = large(LARGE);
      for (int n = 0; n < 300; n++) {
        byte[] command =
            bytes(
                "{\"command_id\":\"%s-%s\",\"trigger\":{\"payload\":\"%s\"}}"
                    .formatted(until.toEpochMilli(), n, payload));
        Future<?> unused =
            producer.send(new ProducerRecord<>(rig.topics().commands(), key, command));
      }
      producer.flush();
      Await.instant(until);
    }
  }

  private static String large(int bytes) {
    return "x".repeat(bytes);
  }

  private static void zeros(Rig rig) {
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(
            rig.bootstrapServers(),
            Map.of(
                "compression.type", "zstd",
                "max.request.size", 2 * ZEROS,
                "buffer.memory", 2L * ZEROS))) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(rig.topics().schedules(), bytes("attack/0"), new byte[ZEROS]);
      if (isTaken(producer, record)) {
        Progress.say("the broker has taken it");
      }
    }
  }

  /** Confluent's wire format. */
  private static byte[] wire(int schema) {
    return ByteBuffer.allocate(1 + Integer.BYTES + 10).put((byte) 0).putInt(schema).array();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A schema of records within records. */
  private static String nested() {
    return IntStream.range(0, DEEP)
        .mapToObj(
            level ->
                "{\"type\":\"record\",\"name\":\"R%d\",\"fields\":[{\"name\":\"f\",\"type\":"
                    .formatted(level))
        .collect(Collectors.joining("", "", "\"null\"" + "}]}".repeat(DEEP)));
  }
}
