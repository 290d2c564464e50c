package io.waterclock.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.waterclock.bench.report.Verdict.Bound;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The targets of Waterclock on a machine with two cores, judged by the figures of a run. A part
 * that failed, that did not measure a figure, or that did it at another size, leaves the verdict
 * open.
 */
public final class Targets {
  static final String LATENESS_LOW = "lateness-1000";
  static final String LATENESS_HIGH = "lateness-40000";
  public static final String HERD = "herd";
  public static final String IDLE = "idle";
  public static final String RECOVERY = "recovery";
  public static final String CATCH_UP = "catchup";
  public static final String PEERS = "peers";

  /** The configuration that says how many occurrences were replayed. */
  public static final String MISSED = "missed";

  public static final String SURVIVE_PROCESS = "schedules survive its end";
  public static final String SURVIVE_MACHINE = "schedules survive the machine's end";

  private static final String WATERCLOCK = "waterclock";
  private static final String RATE = "rate, due to last visible";
  private static final String PEER_RATE = "herd, rate, due to last";
  private static final String PEER_P99 = "lateness, p99";
  private static final String AFTER = "visible again, after the later of both";
  private static final String TICK = "a tick with nothing due";

  private static final String MILLION = "1,000,000";
  private static final String TEN_MILLION = "10,000,000";

  /** Noise aside, a tick costs the same however many schedules wait. */
  private static final double SAME = 1.5;

  private final Map<String, JsonNode> parts;

  /**
   * @param parts what each part of the run has written, by its name
   */
  public Targets(Map<String, JsonNode> parts) {
    this.parts = Map.copyOf(parts);
  }

  public List<Verdict> verdicts() {
    Optional<Double> herd = ofMillion(HERD, Report.SCHEDULES, besideBaseline(HERD, RATE));
    Optional<Double> replay = ofMillion(CATCH_UP, MISSED, besideBaseline(CATCH_UP, "p99"));
    Optional<String> quickest = quickest(measured(PEER_RATE));
    Optional<String> quickestOnDisk =
        quickest(measured(PEER_RATE).filter(peer -> survives(SURVIVE_MACHINE, peer)));
    Optional<String> mostPunctual =
        measured(PEER_P99).min(Comparator.comparing(peer -> measured(PEER_P99, peer)));
    return List.of(
        atMost("1,000 fires/s, p50", figure(LATENESS_LOW, "p50", WATERCLOCK), 10, "ms"),
        atMost(
            "1,000 fires/s, p99 beside a plain producer",
            besideBaseline(LATENESS_LOW, "p99"),
            1.2,
            "times"),
        atMost("40,000 fires/s, p99", figure(LATENESS_HIGH, "p99", WATERCLOCK), 60, "ms"),
        atLeast("herd of 1,000,000, rate beside a plain producer", herd, 0.8),
        atMost(
            "to define a schedule", figure(HERD, "to define each schedule", WATERCLOCK), 15, "us"),
        atLeast(
            "herd of 1,000,000, rate beside " + best("quickest", quickest),
            besideRate(quickest),
            10),
        atLeast(
            "the same beside the quickest that waits for the disk"
                + quickestOnDisk.map(peer -> ", " + peer).orElse(""),
            besideRate(quickestOnDisk),
            10),
        new Verdict(
            "p99 beside " + best("most punctual", mostPunctual),
            figure(PEERS, PEER_P99, WATERCLOCK).filter(ms -> !hasFailed(PEER_P99)),
            Bound.BELOW,
            mostPunctual.flatMap(peer -> figure(PEERS, PEER_P99, peer)),
            "ms"),
        atMost("1,000,000 waiting, CPU", figure(IDLE, "CPU", MILLION), 3, "% of a core"),
        atMost(
            "10,000,000 waiting, heap",
            figure(IDLE, "heap after collection", TEN_MILLION),
            256,
            "MB"),
        atMost(
            "a tick at 10,000,000 beside one at 10,000",
            ratio(figure(IDLE, TICK, TEN_MILLION), figure(IDLE, TICK, "10,000")),
            SAME,
            "times"),
        atMost("a replay of 1,000,000 beside, p99 of the others", replay, 1.5, "times"),
        recovery("standby", 2),
        recovery("no standby", 6),
        recovery("restarted alone", 1.5),
        atMost(
            "killed with 1,000,000, no standby: lateness of the other's partitions",
            ofCrash("lateness of the other's partitions, max", "no standby"),
            500,
            "ms"));
  }

  private Verdict recovery(String how, double limit) {
    return atMost(
        "killed with 1,000,000, " + how + ": visible after both time-outs",
        ofCrash(AFTER, how),
        limit,
        "s");
  }

  private Optional<Double> ofCrash(String figure, String how) {
    return ofMillion(RECOVERY, Report.SCHEDULES, figure(RECOVERY, figure, "killed, " + how));
  }

  /** A figure, if its part was done with a million, as its target is about. */
  private Optional<Double> ofMillion(String part, String configuration, Optional<Double> figure) {
    String size = part(part).path("configuration").path(configuration).asText();
    return figure.filter(value -> size.equals(MILLION));
  }

  private static Verdict atMost(String target, Optional<Double> figure, double limit, String unit) {
    return new Verdict(target, figure, Bound.AT_MOST, Optional.of(limit), unit);
  }

  private Optional<Double> besideBaseline(String part, String figure) {
    return ratio(figure(part, figure, WATERCLOCK), figure(part, figure, "baseline"));
  }

  private static Verdict atLeast(String target, Optional<Double> ratio, double limit) {
    return new Verdict(target, ratio, Bound.AT_LEAST, Optional.of(limit), "times");
  }

  private static Optional<Double> ratio(Optional<Double> value, Optional<Double> base) {
    return value.flatMap(v -> base.filter(b -> b > 0).map(b -> v / b));
  }

  /** Names a peer, and those that it was not compared with as their runs have no figures. */
  private String best(String how, Optional<String> peer) {
    List<String> others =
        durablePeers()
            .filter(
                name ->
                    figure(PEERS, PEER_RATE, name).isEmpty()
                        || figure(PEERS, PEER_P99, name).isEmpty())
            .toList();
    return "the "
        + how
        + " peer with a database"
        + peer.map(name -> ", " + name).orElse("")
        + (others.isEmpty() ? "" : " (void or failed: " + String.join(", ", others) + ")");
  }

  private Optional<Double> besideRate(Optional<String> peer) {
    boolean isMillion =
        figure(PEERS, "herd, size", WATERCLOCK).filter(size -> size == 1e6).isPresent();
    return ratio(
            figure(PEERS, PEER_RATE, WATERCLOCK),
            peer.flatMap(name -> figure(PEERS, PEER_RATE, name)))
        .filter(times -> isMillion && !hasFailed(PEER_RATE));
  }

  private Optional<String> quickest(Stream<String> peers) {
    return peers.max(Comparator.comparing(peer -> measured(PEER_RATE, peer)));
  }

  private double measured(String figure, String peer) {
    return figure(PEERS, figure, peer).orElseThrow();
  }

  /** True when a peer could not be measured: it may be the best. */
  private boolean hasFailed(String figure) {
    return durablePeers()
        .anyMatch(peer -> figures(PEERS).path(figure).path(peer).asText().equals(Attempt.FAILED));
  }

  private Stream<String> measured(String figure) {
    return durablePeers().filter(peer -> figure(PEERS, figure, peer).isPresent());
  }

  private Stream<String> durablePeers() {
    Iterable<String> names = () -> figures(PEERS).path(SURVIVE_PROCESS).fieldNames();
    return StreamSupport.stream(names.spliterator(), false)
        .filter(name -> !name.equals(WATERCLOCK) && survives(SURVIVE_PROCESS, name));
  }

  private boolean survives(String what, String peer) {
    return figures(PEERS).path(what).path(peer).asText().equals("yes");
  }

  private Optional<Double> figure(String part, String figure, String column) {
    JsonNode value = figures(part).path(figure).path(column);
    return value.isNumber() ? Optional.of(value.asDouble()) : Optional.empty();
  }

  private JsonNode figures(String part) {
    return part(part).path("figures");
  }

  private JsonNode part(String name) {
    return parts.getOrDefault(name, MissingNode.getInstance());
  }
}
