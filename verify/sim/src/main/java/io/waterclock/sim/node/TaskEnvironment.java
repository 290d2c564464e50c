package io.waterclock.sim.node;

import io.waterclock.sim.broker.Broker;
import io.waterclock.topology.scheduler.context.Settings;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * What all processes of a simulation share.
 *
 * @param now the true time in milliseconds, which is that of the brokers
 * @param oldestState how old state on disk may be
 * @param hasTarget whether routers see the target
 * @param restoresSlowly whether every second task restores its state for some seconds
 */
public record TaskEnvironment(
    Broker broker,
    Settings settings,
    LongSupplier now,
    Duration oldestState,
    BooleanSupplier hasTarget,
    boolean restoresSlowly,
    Fault fault) {

  /** The group of the schedulers. */
  public static final String GROUP = "waterclock";

  /** The group of the routers. */
  public static final String ROUTERS = "waterclock-router";

  /** The group of the intakes. */
  public static final String INTAKES = "waterclock-intake";

  /** The group of the limiters. */
  public static final String LIMITERS = "waterclock-limiter";

  /** The topic to which routers take fires. */
  public static final String TARGET = "target";

  /** The topic to which routers take delayed records. */
  public static final String DELAYED = "delayed";

  /** The largest record that a topic accepts. */
  static final int MOST_BYTES = 1_000_000;

  /** How long a member of a group may be silent. */
  public static final long SESSION_MS = 6_000;

  /** How long a transaction may be open. */
  public static final long TRANSACTION_MS = 10_000;

  /** The inputs of a task, the schedules topic first. */
  public List<String> inputs() {
    return Stream.concat(
            inputsOfClients().stream(), Stream.of(settings.channels().topics().strays()))
        .toList();
  }

  /** The inputs to which clients write. */
  List<String> inputsOfClients() {
    return List.of(
        settings.channels().topics().schedules(),
        settings.channels().topics().commands(),
        settings.channels().topics().outcomes());
  }

  /** The topic to which a store writes its changes. */
  public static String changelog(String store) {
    return "waterclock-" + store + "-changelog";
  }
}
