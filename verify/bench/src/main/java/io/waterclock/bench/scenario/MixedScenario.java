package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.meter.ExpectedRecords;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.scenario.LiveLoad.Span;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Bad definitions and commands among good ones: what they do to the lateness of the others. */
@Command(
    name = "mixed",
    description =
        "Bad definitions and commands come among as many good ones while others fire every second:"
            + " how late those are, before, beside good records alone, and beside the mixture;"
            + " whether each good one fires and each bad one is refused with a reason.",
    mixinStandardHelpOptions = true)
public final class MixedScenario implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String MIXTURE = "mixd";

  private static final List<String> BAD_DEFINITIONS =
      List.of(
          "{\"cron\":\"61 * * * *\",\"labels\":{\"n\":\"%d\"}}",
          "{\"every\":\"5m\",\"catchup\":\"%d\"}",
          "{\"at\":\"tomorrow-%d\"}",
          "{\"cron\":\"0 0 30 2 *\",\"description\":\"%d\"}",
          "{\"every\":\"1h\",\"timezone\":\"Atlantis/%d\"}");

  private static final List<String> BAD_COMMANDS =
      List.of(
          "{\"command_id\":\"c-%d\",\"trigger\":{}}",
          "{\"command_id\":\"c-%d\",\"skip\":{\"occurrence\":\"soon\"}}",
          "{\"command_id\":\"c-%d\"}",
          "{\"command_id\":\"c-%d\",\"pause\":{\"because\":\"of it\"}}");

  @Mixin private Options options = new Options();

  @Mixin private LiveOptions live = new LiveOptions(500);

  @Option(names = "--bad", description = "And as many good ones. Default 10000; --quick 2000.")
  private Optional<Integer> bad = Optional.empty();

  @Option(
      names = "--rate",
      description = "Good and bad records written in a second; default ${DEFAULT-VALUE}.")
  private int rate = 1_000;

  @Override
  public Integer call() {
    int others = live.schedules();
    Options.atLeast(1, "--rate", rate);
    int count = options.size("--bad", bad, 10_000, 2_000);
    if (count % 2 != 0) {
      throw new BadOptionException(
          "--bad " + count + ": wants an even number, half for definitions");
    }
    Duration warm = live.warm(options);
    Duration counted = live.counted(options);
    Report report =
        new Report(
            "mixed: " + count + " bad records and " + count + " good ones, " + others + " others",
            options);
    report.with("bad", "definitions and commands, half of each, of nine kinds");
    report.with("good", "definitions that fire at once");
    report.with("written", rate + " records/s");
    report.with("baseline", "the same " + others + " in the " + counted.toSeconds() + " s before");
    try (Rig rig = Rig.start(options);
        Arrivals statuses = rig.arrivals(rig.topics().status());
        Arrivals deadLetters = rig.arrivals(rig.topics().dlq());
        Loader schedules = rig.loader();
        Loader commands = new Loader(rig.bootstrapServers(), rig.topics().commands());
        LiveLoad load = LiveLoad.begin(rig, schedules, others)) {
      Await.instant(load.start().plus(warm));
      mixture(schedules, commands, "warm", count / 10);
      Await.instant(Await.now().plusSeconds(3));
      Span quiet = Span.next(counted);
      Progress.say("lateness before is measured; good records come");
      Span good = during(() -> good(schedules, count));
      Progress.say("the mixture comes");
      ExpectedRecords fired = new ExpectedRecords(MIXTURE, count, record -> true);
      ExpectedRecords rejected =
          new ExpectedRecords(MIXTURE, count / 2, MixedScenario::isRejection);
      ExpectedRecords refused = new ExpectedRecords(MIXTURE, count / 2, MixedScenario::isError);
      load.also(fired);
      statuses.to(rejected);
      deadLetters.to(refused);
      Span mixed = during(() -> mixture(schedules, commands, MIXTURE, count));
      fired.await("good ones of the mixture fired", BOUND);
      rejected.await("bad definitions have a status with the reason", BOUND);
      refused.await("bad commands are in the dead-letter topic with the reason", BOUND);
      report.with("good of the mixture", "each of " + count + " fired once");
      report.with(
          "bad of the mixture",
          String.format(
              "each refused once with a reason: %1$s definitions in their status,"
                  + " %1$s commands in the dead-letter topic",
              count / 2));
      Histogram before = load.lateness(quiet);
      Percentile[] shown = {Percentile.P50, Percentile.P99, Percentile.MAX};
      LiveLoad.add(report, " beside good ones alone", load.lateness(good), before, shown);
      LiveLoad.add(report, " beside the mixture", load.lateness(mixed), before, shown);
    }
    report.publish(System.out, options);
    return 0;
  }

  private static boolean isRejection(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return false;
    }
    ScheduleStatus status = RecordCodecs.status().decode(record.value());
    return status.getRejectedRevision() != null && !status.getProblems().isEmpty();
  }

  private static boolean isError(ConsumerRecord<byte[], byte[]> record) {
    Header error = record.headers().lastHeader(HeaderNames.ERROR);
    return error != null && error.value().length > 0;
  }

  private void good(Loader schedules, int count) {
    Await.evenly(count, rate, n -> schedules.send("good", n, Definitions.once(Await.now(), n)));
    schedules.awaitAccepted();
  }

  /** Writes two good definitions, one bad definition and one bad command in every four records. */
  private void mixture(Loader schedules, Loader commands, String phase, int bad) {
    Await.evenly(
        2 * bad,
        rate,
        n -> {
          switch (n % 4) {
            case 0 -> schedules.send(phase, n, json(BAD_DEFINITIONS, n / 4));
            case 2 -> commands.send(phase, n, json(BAD_COMMANDS, n / 4));
            default -> schedules.send(phase, n, Definitions.once(Await.now(), n));
          }
        });
    schedules.awaitAccepted();
    commands.awaitAccepted();
  }

  private static byte[] json(List<String> kinds, int n) {
    return kinds.get(n % kinds.size()).formatted(n).getBytes(StandardCharsets.UTF_8);
  }

  /** From the beginning of a load until a second after its end, all of it visible by then. */
  private static Span during(Runnable load) {
    Instant from = Await.now();
    load.run();
    Instant until = Await.now().plusSeconds(1);
    Await.instant(until.plusSeconds(3));
    return new Span(from, until);
  }
}
