package io.waterclock.bench.rig;

import io.waterclock.bench.run.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Two instances of a scheduler that share the partitions of a {@link Rig}, and may go and come. */
public final class TwoInstances implements AutoCloseable {
  public static final String A = "a";
  public static final String B = "b";

  private static final Duration BALANCE_BOUND = Duration.ofMinutes(3);
  private static final Duration RELEASE_BOUND = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(250);

  private final Rig rig;
  private final Map<String, String> settings;
  private final boolean isStatic;
  private final InstanceWatch watch;

  /**
   * @param settings of both
   * @param isStatic whether the group knows an instance again when it comes back
   */
  public TwoInstances(Rig rig, Map<String, String> settings, boolean isStatic) {
    this.rig = rig;
    this.settings = settings;
    this.isStatic = isStatic;
    this.watch = new InstanceWatch(rig);
  }

  /** Starts both; returns when each decides its share. */
  public void startBoth() {
    launch(A);
    awaitReady(A);
    launch(B);
    awaitBalance();
  }

  /** Starts an instance, in its old place if it had one; does not wait for it. */
  public void launch(String name) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("client.id", name);
    if (isStatic) {
      all.put("main.consumer.group.instance.id", name);
    }
    rig.launch(name, all);
  }

  void awaitReady(String name) {
    rig.scheduler(name).ask("ready");
  }

  /** Returns when both have as many partitions, and decide them. */
  public void awaitBalance() {
    int share = rig.partitions() / 2;
    Await.until(
        "each instance has " + share + " partitions",
        BALANCE_BOUND,
        LOOK,
        () -> partitions(A).size() >= share && partitions(B).size() >= share);
    awaitReady(A);
    awaitReady(B);
  }

  public Set<Integer> partitions(String name) {
    return watch.partitions(name);
  }

  /** Ends an instance as {@code kill -9} does. */
  public InstanceWatch.Holdings kill(String name) {
    Set<String> members = watch.memberIds(name);
    Set<String> transactions = watch.transactionalIds(rig.stateDir(name));
    rig.scheduler(name).kill();
    return new InstanceWatch.Holdings(members, transactions, Await.now());
  }

  public Instant close(String name) {
    rig.scheduler(name).close();
    return Await.now();
  }

  public InstanceWatch.Release awaitRelease(InstanceWatch.Holdings held) {
    return watch.awaitRelease(held, RELEASE_BOUND);
  }

  @Override
  public void close() {
    watch.close();
  }
}
