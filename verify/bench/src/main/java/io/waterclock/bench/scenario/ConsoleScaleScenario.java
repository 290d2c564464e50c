package io.waterclock.bench.scenario;

import io.waterclock.bench.http.Chromium;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Child;
import io.waterclock.bench.rig.ConsoleTopics;
import io.waterclock.bench.rig.MeasuredScheduler;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.console.Console;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A console of very many schedules and fires: heap, time to start, first paint. */
@Command(
    name = "console-scale",
    description =
        "Writes the topics of many schedules and fires, starts a console in its own process and"
            + " measures: time and processor time until it knows them all, its heap, and when its"
            + " first screen is painted in Chromium, with the bytes that the page loads. The"
            + " baseline is a console of the same topics before.",
    mixinStandardHelpOptions = true)
public final class ConsoleScaleScenario implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofMinutes(10);
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int PAINTS = 5;
  private static final double MB = 1e6;

  @Mixin private Options options = new Options();

  private record Figures(
      double startS, double cpuS, double heapMb, Optional<Chromium.Paint> paint) {}

  @Override
  public Integer call() {
    int count = options.quick() ? 20_000 : 1_000_000;
    int fired = options.quick() ? 200_000 : 10_000_000;
    Report report =
        new Report(
            "console: " + Report.count(count) + " schedules, " + Report.count(fired) + " fires",
            options,
            List.of("all of them", "empty topics"));
    report.with("console", "own process, " + String.join(" ", jvm()));
    report.with(
        "paint",
        Chromium.isThere()
            ? "Chromium without a window, a new profile each time, the median of " + PAINTS
            : "there is no Chromium here");
    try (Rig rig = Rig.start(options)) {
      rig.scheduler().close();
      Figures empty = measure(rig, 1);
      Progress.say("the topics are written");
      ConsoleTopics.write(rig.bootstrapServers(), rig.topics(), count, fired);
      Progress.say("the console starts");
      Figures all = measure(rig, fired);
      List<Figures> both = List.of(all, empty);
      report.each("time to start", both, Figures::startS, "s");
      report.each("processor time to start", both, Figures::cpuS, "s");
      report.each("heap after a collection", both, Figures::heapMb, "MB");
      report.each("first paint", both, f -> f.paint().map(Chromium.Paint::firstMs), "ms");
      report.each(
          "first screen with its numbers", both, f -> f.paint().map(Chromium.Paint::shownMs), "ms");
      report.each("page", both, f -> f.paint().map(p -> p.bytes() / 1e3), "kB");
    }
    report.publish(System.out, options);
    return 0;
  }

  private static List<String> jvm() {
    List<String> all = new ArrayList<>(ConsoleScenario.JVM);
    all.add("-Xmx2g");
    return all;
  }

  private static Figures measure(Rig rig, int fires) {
    Instant from = Await.now();
    try (Child<Console> console = rig.console(jvm(), fires)) {
      String address = "http://127.0.0.1:" + console.ask(Console::port);
      Await.until(
          "the console has read its topics", BOUND, LOOK, () -> console.ask(Console::isComplete));
      double startS = Duration.between(from, Await.now()).toMillis() / 1e3;
      double cpuS = CpuTimes.withDescendants(console.handle()).toMillis() / 1e3;
      double heapMb = console.ask(it -> MeasuredScheduler.heapAfterCollection()) / MB;
      return new Figures(startS, cpuS, heapMb, paint(address));
    }
  }

  private static Optional<Chromium.Paint> paint(String address) {
    if (!Chromium.isThere()) {
      return Optional.empty();
    }
    List<Chromium.Paint> paints = new ArrayList<>();
    try (Chromium browser = new Chromium()) {
      browser.open(address, ".verdict"); // loads what a browser loads once
      for (int i = 0; i < PAINTS; i++) {
        paints.add(browser.open(address, ".verdict"));
      }
    }
    paints.sort(Comparator.comparingDouble(Chromium.Paint::shownMs));
    return Optional.of(paints.get(PAINTS / 2));
  }
}
