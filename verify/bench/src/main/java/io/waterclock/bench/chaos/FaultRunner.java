package io.waterclock.bench.chaos;

import io.waterclock.bench.chaos.cluster.EffectDatabase;
import io.waterclock.bench.chaos.cluster.EffectWorker;
import io.waterclock.bench.chaos.cluster.Interference;
import io.waterclock.bench.chaos.cluster.RegistryServer;
import io.waterclock.bench.chaos.cluster.SchedulerNode;
import io.waterclock.bench.chaos.cluster.Victims;
import io.waterclock.bench.chaos.plan.FaultPlan;
import io.waterclock.bench.chaos.plan.PlannedFault;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Carries out a plan: makes each fault at its time, and heals it. */
final class FaultRunner {
  /** A step that the scheduler takes for a correct clock, and ones that it must refuse. */
  private static final List<Integer> STEPS_MS =
      List.of(4_000, -4_000, 2_500, -2_500, 60_000, 3_600_000);

  private static final List<Integer> DRIFTS_PPM = List.of(200_000, -200_000, 50_000, -300_000);

  private static final List<RegistryServer.Mode> AWAY =
      List.of(
          RegistryServer.Mode.REFUSING, RegistryServer.Mode.FAILING, RegistryServer.Mode.SILENT);

  /**
   * A fault that was made.
   *
   * @param note what came of it, besides
   * @param hits how many requests it hit; empty if it hits no requests, or whatever comes
   */
  record Made(
      PlannedFault fault, Instant at, Instant healedAt, String note, Optional<Integer> hits) {}

  /** What came of a fault, besides, and how many requests it hit. */
  private record Came(String note, Optional<Integer> hits) {
    private static Came of(String note) {
      return new Came(note, Optional.empty());
    }
  }

  private final Victims victims;
  private final Runnable removeRead;
  private final List<String> growing;
  private final List<RequestFailure> failures;
  private final Comebacks comebacks;
  private final List<Made> made = new ArrayList<>();
  private final ExecutorService executor = Executors.newCachedThreadPool();

  /**
   * @param removeRead removes what the schedulers have read of some topics
   * @param growing the topics that may get more partitions
   * @param failures those of requests that clients send to the brokers
   * @param comebacks measures the time from each heal to the first fire
   */
  FaultRunner(
      Victims victims,
      Runnable removeRead,
      List<String> growing,
      List<RequestFailure> failures,
      Comebacks comebacks) {
    this.victims = victims;
    this.growing = growing;
    this.failures = failures;
    this.removeRead = removeRead;
    this.comebacks = comebacks;
  }

  /**
   * Makes all faults; returns when all are healed. A fault waits until the one before it is healed
   * that hits the same victim: on a busy machine that can take longer than planned, and both would
   * start the process again.
   *
   * @throws BenchException if one could not be made or healed
   */
  void run(FaultPlan plan) {
    Instant start = Await.now();
    List<CompletableFuture<Void>> running = new ArrayList<>();
    Map<String, CompletableFuture<Void>> latest = new HashMap<>();
    for (PlannedFault fault : plan.faults()) {
      Await.instant(start.plus(fault.at()));
      CompletableFuture<Void> one =
          latest
              .getOrDefault(fault.victim(), CompletableFuture.allOf())
              .thenRunAsync(() -> make(fault), executor);
      latest.put(fault.victim(), one);
      running.add(one);
      if (running.stream().anyMatch(CompletableFuture::isCompletedExceptionally)) {
        break;
      }
    }
    try {
      CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      throw new BenchException("a fault could not be made or healed: " + e.getCause(), e);
    } finally {
      executor.shutdown();
    }
  }

  /** Those so far. */
  List<Made> made() {
    synchronized (made) {
      return List.copyOf(made);
    }
  }

  private void make(PlannedFault fault) {
    Progress.say("fault " + fault);
    Instant at = Await.now();
    Heal heal = begin(fault);
    Await.instant(at.plus(fault.duration()));
    Came came = heal.heal();
    Instant healed = Await.now();
    comebacks.healed(fault.kind(), healed.toEpochMilli());
    synchronized (made) {
      made.add(new Made(fault, at, healed, came.note(), came.hits()));
    }
  }

  /** Ends a fault, and says what came of it. */
  @FunctionalInterface
  private interface Heal {
    Came heal();
  }

  private static Heal then(Runnable action) {
    return () -> {
      action.run();
      return Came.of("");
    };
  }

  private Heal begin(PlannedFault fault) {
    return switch (fault.kind().target()) {
      case SCHEDULER -> onScheduler(fault, victims.schedulers().get(fault.target() - 1));
      case BROKER -> onBrokers(fault);
      case TOPICS -> onTopics(fault);
      case REGISTRY -> onRegistry(one(AWAY, fault));
      case DATABASE -> onDatabase(fault, victims.database());
      case WORKER -> onWorker(victims.worker());
    };
  }

  private Heal onScheduler(PlannedFault fault, SchedulerNode node) {
    switch (fault.kind()) {
      case KILL -> {
        node.kill();
        return then(node::restart);
      }
      case STALL_SHORT, STALL_LONG -> {
        node.stall();
        return then(node::goOn);
      }
      case TERM -> {
        String note = terminate(node);
        return () -> restart(node, note);
      }
      case WIPE -> {
        node.kill();
        node.wipe();
        return then(node::restart);
      }
      case OLD_STATE -> {
        String note = terminate(node);
        node.age();
        return () -> restart(node, note);
      }
      case UPGRADE -> {
        String note = terminate(node);
        node.upgrade();
        return () -> restart(node, note);
      }
      case FULL_DISK -> {
        return disk(node.fillDisk(), node::freeDisk);
      }
      case SLOW_DISK -> {
        boolean isSlow = node.slowDiskDown(Duration.ofMillis(100 + 3L * fault.variant()));
        return disk(isSlow, node::speedDiskUp);
      }
      case CLOCK_STEP -> {
        node.setClock(Duration.ofMillis(one(STEPS_MS, fault)), 0);
        return then(() -> node.setClock(Duration.ZERO, 0));
      }
      case CLOCK_DRIFT -> {
        node.setClock(Duration.ZERO, one(DRIFTS_PPM, fault));
        return then(() -> node.setClock(Duration.ZERO, 0));
      }
      default -> {
        return interfere(fault, interference(fault));
      }
    }
  }

  private static Heal disk(boolean isOwn, Runnable end) {
    return () -> {
      end.run();
      return Came.of(isOwn ? "" : "skipped: no disk of its own can be mounted here");
    };
  }

  private Heal interfere(PlannedFault fault, Interference what) {
    victims.brokers().proxy(fault.target()).interfere(what);
    return () -> {
      victims.brokers().proxy(fault.target()).interfere(new Interference.None());
      String note =
          what instanceof Interference.Fail fail ? fail.request() + " " + fail.error() : "";
      return new Came(note, what.counted());
    };
  }

  private Interference interference(PlannedFault fault) {
    return switch (fault.kind()) {
      case DELAY -> new Interference.Delay(Duration.ofMillis(20 + fault.variant()));
      case CUT -> new Interference.Cut();
      case HALF_OPEN ->
          new Interference.HalfOpen(fault.variant() % 3 != 1, fault.variant() % 3 != 2);
      case WITHHOLD_COMMIT -> new Interference.WithholdCommit(new AtomicInteger());
      case FAIL_REQUEST -> one(failures, fault).interference();
      default -> throw new IllegalArgumentException(fault.toString());
    };
  }

  private static <T> T one(List<T> of, PlannedFault fault) {
    return of.get(fault.variant() % of.size());
  }

  private static String terminate(SchedulerNode node) {
    return node.terminate() ? "" : "SIGTERM did not end it";
  }

  private static Came restart(SchedulerNode node, String note) {
    node.restart();
    return Came.of(note);
  }

  private Heal onBrokers(PlannedFault fault) {
    int size = victims.brokers().size();
    List<Integer> ids =
        switch (fault.kind()) {
          case TWO_BROKERS_KILL, TWO_BROKERS_STALL ->
              IntStream.range(0, 2).mapToObj(n -> 1 + (fault.variant() + n) % size).toList();
          default -> List.of(fault.target());
        };
    switch (fault.kind()) {
      case BROKER_STALL, TWO_BROKERS_STALL -> {
        ids.forEach(victims.brokers()::stall);
        return then(() -> ids.forEach(victims.brokers()::goOn));
      }
      case BROKER_TERM -> ids.forEach(victims.brokers()::terminate);
      default -> ids.forEach(victims.brokers()::kill);
    }
    return then(() -> victims.brokers().restart(ids));
  }

  private Heal onTopics(PlannedFault fault) {
    return switch (fault.kind()) {
      case RETENTION -> attempt(removeRead, () -> {});
      case COMPACTION ->
          attempt(victims.topics()::compactEagerly, victims.topics()::compactAsUsual);
      default -> {
        String topic = one(growing, fault);
        Heal heal = attempt(() -> victims.topics().addPartition(topic), () -> {});
        yield () -> Came.of(topic + " " + heal.heal().note());
      }
    };
  }

  private Heal onRegistry(RegistryServer.Mode mode) {
    victims.registry().goAway(mode);
    return () -> {
      victims.registry().comeBack();
      return Came.of(mode.toString());
    };
  }

  private static Heal onDatabase(PlannedFault fault, EffectDatabase database) {
    if (fault.variant() % 2 == 0) {
      database.kill();
      return then(database::restart);
    }
    database.stall();
    return then(database::goOn);
  }

  private static Heal onWorker(EffectWorker worker) {
    worker.kill();
    return then(worker::restart);
  }

  /** The brokers may be away, by another fault: then there is nothing to clean. */
  private static Heal attempt(Runnable begin, Runnable end) {
    String note;
    try {
      begin.run();
      note = "";
    } catch (BenchException e) {
      note = "not begun: " + e.getMessage() + ", " + e.getCause();
    }
    String begun = note;
    return () -> {
      while (true) {
        try {
          end.run();
          return Came.of(begun);
        } catch (BenchException e) {
          Progress.say("tries again: " + e.getMessage());
        }
      }
    };
  }
}
