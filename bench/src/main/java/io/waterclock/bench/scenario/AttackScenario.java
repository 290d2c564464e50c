package io.waterclock.bench.scenario;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.run.VoidRunException;
import io.waterclock.schemas.Headers;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Attacks, one after the other, while schedules fire: how late those are meanwhile. */
@Command(
    name = "attack",
    description =
        "Hostile records, schemas and connections, one kind after the other, while schedules fire"
            + " every second: how late those are, beside a quiet stretch of the same run.",
    mixinStandardHelpOptions = true)
public final class AttackScenario implements Callable<Integer> {
  private static final Duration REST = Duration.ofSeconds(5);
  private static final Duration REHEARSED = Duration.ofSeconds(3);
  private static final int DEEP = 1_000;
  private static final int IDLE_CONNECTIONS = 300;
  private static final int ZEROS = 200 << 20;

  @Mixin private Options options = new Options();

  @Mixin private LiveOptions live = new LiveOptions(50);

  @Option(names = "--rate", description = "Hostile records in a second; default ${DEFAULT-VALUE}.")
  private int rate = 1_000;

  @Override
  public Integer call() throws IOException {
    int others = live.schedules();
    Options.atLeast(1, "--rate", rate);
    Duration warm = live.warm(options);
    Duration counted = live.counted(options);
    Report report =
        new Report(
            "attack: lateness of " + others + " schedules that fire every second",
            options,
            List.of("p50", "p99", "max", "fires"));
    report.with("counted", counted.toSeconds() + " s of each, " + rate + " records/s");
    HttpServer registry = registry();
    registry.start();
    int port = Ports.free();
    Map<String, String> settings =
        Map.of(
            "health.port",
            Integer.toString(port),
            "schema.registry.url",
            "http://127.0.0.1:" + registry.getAddress().getPort());
    try (Rig rig = Rig.start(options, settings);
        Loader schedules = rig.loader();
        LiveLoad load = LiveLoad.begin(rig, schedules, others)) {
      Await.instant(load.start().plus(warm));
      Progress.say("each attack comes once, not counted: the JVM has to load and compile its code");
      attacks(rig, port, REHEARSED).values().forEach(Runnable::run);
      schedules.awaitAccepted();
      Await.pass(REST);
      attacks(rig, port, counted)
          .forEach(
              (name, attack) -> {
                Progress.say(name);
                Instant from = Await.now();
                attack.run();
                Await.instant(from.plus(counted));
                row(report, name, load, from);
                Await.pass(REST);
              });
    } finally {
      registry.stop(0);
    }
    report.publish(System.out, options);
    return 0;
  }

  /** One attack that succeeds must not hide what the others do. */
  private static void row(Report report, String attack, LiveLoad load, Instant from) {
    Histogram late;
    try {
      late = load.lateness(new Span(from, Await.now()));
    } catch (VoidRunException e) {
      Progress.say(attack + ": " + e.getMessage());
      report.add(attack, List.of("-", "-", "over a minute", "-"), "ms");
      return;
    }
    report.add(
        attack,
        List.of(
            Percentile.P50.ms(late),
            Percentile.P99.ms(late),
            Percentile.MAX.ms(late),
            (double) late.getTotalCount()),
        "ms");
  }

  private Map<String, Runnable> attacks(Rig rig, int port, Duration counted) {
    String topic = rig.topics().schedules();
    Map<String, Runnable> attacks = new LinkedHashMap<>();
    attacks.put("quiet", () -> {});
    attacks.put("idle connections to the port for health", () -> stall(port, counted));
    attacks.put(
        "schemas of a thousand nested records",
        () -> flood(rig, counted, n -> new ProducerRecord<>(topic, key(n), wire(n % 100))));
    attacks.put(
        "ids of schemas that do not exist",
        () -> flood(rig, counted, n -> new ProducerRecord<>(topic, key(n), wire(1_000 + n))));
    attacks.put(
        "bytes that are nothing",
        () -> flood(rig, counted, n -> new ProducerRecord<>(topic, key(n), bytes("\0nothing"))));
    attacks.put(
        "forged origins",
        () -> flood(rig, counted, n -> marked(topic, Headers.ORIGIN, "waterclock.schedules-0@0")));
    attacks.put(
        "forged imports", () -> flood(rig, counted, n -> marked(topic, Headers.IMPORT, "{}")));
    attacks.put(
        "forged lines in descriptions",
        () ->
            flood(
                rig,
                counted,
                n ->
                    new ProducerRecord<>(
                        topic,
                        key(n),
                        bytes(
                            "{\"every\":\"0s\",\"description\":\"x\\n[main] ERROR \\u001b[2J\"}"))));
    attacks.put("200 MB of zeros in a small record", () -> zeros(rig, topic));
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

  private void flood(
      Rig rig, Duration counted, IntFunction<ProducerRecord<byte[], byte[]>> hostile) {
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(rig.bootstrapServers(), Map.of())) {
      Await.evenly(
          Math.toIntExact(counted.toSeconds()) * rate,
          rate,
          n -> {
            Future<?> unused = producer.send(hostile.apply(n));
          });
    }
  }

  /** A record that the broker refuses does no harm. */
  private static void zeros(Rig rig, String topic) {
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(
            rig.bootstrapServers(),
            Map.of(
                "compression.type", "zstd",
                "max.request.size", 2 * ZEROS,
                "buffer.memory", 2L * ZEROS))) {
      producer.send(new ProducerRecord<>(topic, key(0), new byte[ZEROS])).get();
      Progress.say("the broker has taken it");
    } catch (ExecutionException e) {
      Progress.say("the broker refuses it: " + e.getCause());
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
  }

  private static ProducerRecord<byte[], byte[]> marked(String topic, String header, String value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, key(0), bytes("{\"at\":\"2099-01-01T00:00:00Z\"}"));
    record.headers().add(header, bytes(value));
    return record;
  }

  /** Confluent's wire format. */
  private static byte[] wire(int schema) {
    return ByteBuffer.allocate(1 + Integer.BYTES + 10).put((byte) 0).putInt(schema).array();
  }

  private static byte[] key(int number) {
    return bytes("attack/" + number);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Has a hundred schemas, each of records within records, and no other. */
  private static HttpServer registry() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] deep = bytes("{\"schema\":\"" + nested().replace("\"", "\\\"") + "\"}");
    byte[] unknown = bytes("{\"error_code\":40403,\"message\":\"Schema not found\"}");
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          boolean isDeep = path.matches("/schemas/ids/\\d{1,2}");
          answer(exchange, isDeep ? 200 : 404, isDeep ? deep : unknown);
        });
    return server;
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String nested() {
    StringBuilder schema = new StringBuilder();
    for (int level = 0; level < DEEP; level++) {
      schema
          .append("{\"type\":\"record\",\"name\":\"R")
          .append(level)
          .append("\",\"fields\":[{\"name\":\"f\",\"type\":");
    }
    schema.append("\"null\"");
    return schema.append("}]}".repeat(DEEP)).toString();
  }
}
