package io.waterclock.bench.scenario;

import io.waterclock.bench.http.Flood;
import io.waterclock.bench.http.IdleServer;
import io.waterclock.bench.http.Watchers;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Child;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.MeasuredScheduler;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.scenario.LiveLoad.Span;
import io.waterclock.console.Console;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** How late fires are while a console is watched and flooded with requests. */
@Command(
    name = "console",
    description =
        "Schedules fire every second: how late they are alone, beside a console in its own process,"
            + " and with console=on; each while no one watches, while ten watch, and during a flood"
            + " of requests. The flood goes to a server that does nothing, too: what any flood"
            + " takes of the same cores.",
    mixinStandardHelpOptions = true)
public final class ConsoleScenario implements Callable<Integer> {
  /** The options of the launcher; the heap is large enough for what fires meanwhile. */
  static final List<String> JVM = List.of("-XX:+UseSerialGC");

  private static final int SCHEDULES = 1_000;
  private static final int WATCHERS = 10;

  /** In a second, open loop. */
  private static final int REQUESTS = 5_000;

  private static final int KEPT_FIRES = 10_000_000;
  private static final Duration REST = Duration.ofSeconds(5);
  private static final Duration REHEARSED = Duration.ofSeconds(5);
  private static final List<String> PATHS =
      List.of(
          "/api/v1/overview",
          "/api/v1/schedules",
          "/api/v1/session",
          "/",
          "/console.css",
          "/nothing");

  @Mixin private Options options = new Options();

  @Mixin private LiveOptions live = new LiveOptions();

  /** What goes on beside the scheduler, for some seconds. */
  @FunctionalInterface
  private interface Beside {
    String during(Duration length);
  }

  @Override
  public Integer call() {
    Duration warm = live.warm(options);
    Duration counted = live.counted(options);
    Report report =
        new Report(
            "console: lateness of " + SCHEDULES + " schedules that fire every second",
            options,
            List.of(
                "p50 ms",
                "p99 ms",
                "max ms",
                "fires",
                "scheduler CPU",
                "console CPU",
                "clients CPU",
                "answers"));
    report.with("counted", counted.toSeconds() + " s of each, after 5 s that are not");
    report.with(
        "console", "own process, nice -n 10, " + String.join(" ", JVM) + "; then console=on");
    report.with(
        "watchers",
        WATCHERS
            + " HTTP clients in one process, which follow the events and load again every 5 s");
    report.with(
        "flood",
        Report.count(REQUESTS)
            + " requests/s, open loop, 128 connections, one process; to "
            + String.join(" ", PATHS));
    report.with("CPU", "of one core, on average");
    try (Rig rig = Rig.start(options);
        Loader loader = rig.loader();
        Child<Watchers> watching = rig.child("watchers", Watchers::new);
        Child<Flood> flooding = rig.child("flood", Flood::new);
        LiveLoad load = LiveLoad.begin(rig, loader, SCHEDULES)) {
      Visitors visitors = new Visitors(watching, flooding);
      Await.instant(load.start().plus(warm));
      Measured alone = new Measured(rig, load, visitors, report, counted);
      alone.row("alone", Optional.empty(), length -> Report.NONE);
      try (Child<Console> console = rig.console(JVM, KEPT_FIRES)) {
        int port = console.ask(Console::port);
        alone.row("console, none watches", Optional.of(console), length -> Report.NONE);
        alone.row("console, " + WATCHERS + " watch", Optional.of(console), watch(visitors, port));
        alone.row("console, flood", Optional.of(console), flood(visitors, port));
      }
      try (Child<IdleServer> idle = rig.child("idle-server", IdleServer::new)) {
        alone.row(
            "flood of another server",
            Optional.of(idle),
            flood(visitors, idle.ask(IdleServer::port)));
      }
      alone.row("alone again", Optional.empty(), length -> Report.NONE);
      int port = rig.scheduler().ask(MeasuredScheduler::console);
      alone.row("console=on, none watches", Optional.empty(), length -> Report.NONE);
      alone.row("console=on, " + WATCHERS + " watch", Optional.empty(), watch(visitors, port));
      alone.row("console=on, flood", Optional.empty(), flood(visitors, port));
    }
    report.publish(System.out, options);
    return 0;
  }

  private record Visitors(Child<Watchers> watching, Child<Flood> flooding) {
    Duration cpu() {
      return cpuOf(watching).plus(cpuOf(flooding));
    }
  }

  private static Duration cpuOf(Child<?> child) {
    return CpuTimes.withDescendants(child.handle());
  }

  private static Beside watch(Visitors visitors, int port) {
    return length -> {
      Watchers.Came came = visitors.watching().ask(it -> it.watch(port, WATCHERS, length));
      return came.events() + " events, " + came.answers() + " answers";
    };
  }

  private static Beside flood(Visitors visitors, int port) {
    return length -> {
      Flood.Came came = visitors.flooding().ask(it -> it.send(port, REQUESTS, length, PATHS));
      long seconds = length.toSeconds();
      return String.format(
          "%,d/s, and %,d/s refused",
          (came.answered() - came.refused()) / seconds, came.refused() / seconds);
    };
  }

  private record Measured(
      Rig rig, LiveLoad load, Visitors visitors, Report report, Duration counted) {

    void row(String name, Optional<Child<?>> server, Beside beside) {
      Progress.say(name);
      String rehearsal = beside.during(REHEARSED);
      Await.pass(rehearsal.equals(Report.NONE) ? REHEARSED : Duration.ZERO);
      List<Duration> before = cpu(server);
      Instant from = Await.now();
      CompletableFuture<String> came = CompletableFuture.supplyAsync(() -> beside.during(counted));
      Await.instant(from.plus(counted));
      Span span = new Span(from, Await.now());
      List<Duration> after = cpu(server);
      String answers = came.join();
      Await.pass(REST);
      Histogram late = load.lateness(span);
      List<Object> figures = new ArrayList<>();
      figures.add(Percentile.P50.ms(late));
      figures.add(Percentile.P99.ms(late));
      figures.add(Percentile.MAX.ms(late));
      figures.add((double) late.getTotalCount());
      for (int i = 0; i < before.size(); i++) {
        figures.add(
            String.format(
                "%.0f %%", after.get(i).minus(before.get(i)).toMillis() / span.seconds() / 10));
      }
      figures.add(answers);
      report.add(name, figures);
    }

    private List<Duration> cpu(Optional<Child<?>> server) {
      return List.of(
          cpuOf(rig.scheduler()), server.map(c -> cpuOf(c)).orElse(Duration.ZERO), visitors.cpu());
    }
  }
}
