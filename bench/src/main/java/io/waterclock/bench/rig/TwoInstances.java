package io.waterclock.bench.rig;

import io.waterclock.bench.run.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
  private final Map<String, Child> children = new HashMap<>();
  private final Map<String, InstanceWatch.Holdings> held = new HashMap<>();

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
    children.put(name, rig.launch(name, all));
  }

  void awaitReady(String name) {
    child(name).ask("ready");
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
  public Instant kill(String name) {
    Set<String> members = watch.memberIds(name);
    Set<String> transactions = watch.transactionalIds(rig.stateDir(name));
    child(name).kill();
    Instant gone = Await.now();
    held.put(name, new InstanceWatch.Holdings(members, transactions, gone));
    return gone;
  }

  /** Ends an instance in order. */
  public Instant close(String name) {
    child(name).close();
    return Await.now();
  }

  /** Waits until the broker has let go what a killed instance held. */
  public InstanceWatch.Release awaitRelease(String name) {
    return watch.awaitRelease(Objects.requireNonNull(held.get(name)), RELEASE_BOUND);
  }

  private Child child(String name) {
    return Objects.requireNonNull(children.get(name), name);
  }

  @Override
  public void close() {
    watch.close();
  }
}
