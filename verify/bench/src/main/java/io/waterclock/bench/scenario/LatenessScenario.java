package io.waterclock.bench.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.EvenLoad;
import io.waterclock.bench.load.OpenLoop;
import io.waterclock.bench.load.ScheduleKind;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.scenario.Trial.Both;
import io.waterclock.bench.scenario.Trial.Late;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fires that are due evenly: how late each becomes visible. */
@Command(
    name = "lateness",
    description = "Fires that are due evenly: how long after that a consumer sees each.",
    mixinStandardHelpOptions = true)
public final class LatenessScenario implements Callable<Integer> {
  private static final int LEARNED = 10_000;
  private static final String LIMIT = "bench";
  private static final String LIMIT_JSON = "{\"max_running\":100000,\"timeout\":\"10s\"}";

  @Mixin private Options.Profiled options = new Options.Profiled();

  @Mixin private EvenLoad load = new EvenLoad();

  @Option(
      names = "--commit-ms",
      description = "Commit interval of the baseline; default ${DEFAULT-VALUE}.")
  private int commitMs = 1;

  @Option(
      names = "--limit",
      description =
          "Schedules that share a limit with room for all of them; the baseline is the same"
              + " scheduler with schedules that have none.")
  private boolean limit;

  @Override
  public Integer call() {
    Options.atLeast(1, "--commit-ms", commitMs);
    // those of the first half must not fire in the second
    ScheduleKind kind = limit ? ScheduleKind.ONCE : ScheduleKind.EVERY;
    OpenLoop loop = load.loop(options, kind);
    Report report = new Report("lateness: " + loop.rate() + " fires/s, open loop", options);
    report.with(
        "counted",
        loop.counted().toSeconds() + " s after a warm-up of " + loop.warmUp().toSeconds() + " s");
    report.with(
        "fires",
        "Avro with snapshot and CloudEvents headers, payload "
            + Definitions.PAYLOAD_BYTES
            + " bytes, from schedules that fire "
            + kind.interval()
                .map(interval -> "every " + interval.toSeconds() + " s")
                .orElse("once"));
    if (limit) {
      report.with("limit", LIMIT_JSON);
      report.with("baseline", "the same scheduler, after it, and schedules without a limit");
      try (Rig rig = Rig.start(options, Map.of("limits", "true"))) {
        add(report, limited(rig, loop));
      }
    } else {
      report.with(
          "baseline", "plain transactional producer, same records, commit " + commitMs + " ms");
      try (Rig rig = Rig.start(options)) {
        add(report, measure(rig, loop));
      }
    }
    report.publish(System.out, options);
    return 0;
  }

  private Both<Late> measure(Rig rig, OpenLoop loop) {
    int learned = Math.min(LEARNED, loop.rate());
    return Trial.both(
        rig,
        () -> RigContender.producer(rig, learned, commitMs),
        "late",
        (trial, phase, whenReady) -> {
          trial.warmUp(learned);
          return trial.lateness(phase, loop, whenReady);
        });
  }

  private Both<Late> limited(Rig rig, OpenLoop loop) {
    try (KafkaProducer<byte[], byte[]> limits =
        Clients.producer(rig.bootstrapServers(), Map.of())) {
      Future<RecordMetadata> unused =
          limits.send(
              new ProducerRecord<>(
                  rig.topics().limits(), LIMIT.getBytes(UTF_8), LIMIT_JSON.getBytes(UTF_8)));
      limits.flush();
    }
    Late limited;
    try (Trial trial = new Trial(RigContender.limited(rig, LIMIT))) {
      trial.warmUp(Math.min(LEARNED, loop.rate()));
      limited = trial.lateness("late", loop, rig::startProfile);
    }
    rig.endProfile();
    try (Trial trial = new Trial(RigContender.scheduler(rig, () -> {}))) {
      return new Both<>(limited, trial.lateness("base", loop, () -> {}));
    }
  }

  private static void add(Report report, Both<Late> both) {
    Late fires = both.waterclock();
    Late baseline = both.baseline();
    for (Percentile percentile : Percentile.values()) {
      report.add(
          percentile.title(),
          percentile.ms(fires.histogram()),
          percentile.ms(baseline.histogram()),
          "ms");
    }
    report.add(
        "CPU of broker + writer + consumer, warm-up included",
        List.of(fires.cpu().toString(), baseline.cpu().toString()));
  }
}
