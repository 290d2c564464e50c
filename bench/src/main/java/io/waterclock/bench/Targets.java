package io.waterclock.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.waterclock.bench.Verdict.Bound;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What Waterclock is to show on a machine with two cores, judged by the figures of a run. A part
 * that failed, or that did not measure a figure, leaves the verdict open.
 */
final class Targets {
  static final String LATENESS_LOW = "lateness-1000";
  static final String LATENESS_HIGH = "lateness-40000";
  static final String HERD = "herd";
  static final String IDLE = "idle";
  static final String RECOVERY = "recovery";
  static final String CATCH_UP = "catchup";
  static final String PEERS = "peers";

  private static final String WATERCLOCK = "waterclock";
  private static final String RATE = "rate, due to last visible";
  private static final String PEER_RATE = "herd, rate, due to last";
  private static final String PEER_P99 = "lateness, p99";
  private static final String AFTER = "visible again, after the later of both";
  private static final String TICK = "a tick with nothing due";

  private static final String MILLION = "1,000,000";

  /** Noise aside, a tick costs the same however many schedules wait. */
  private static final double SAME = 1.5;

  private final Map<String, JsonNode> parts;

  /**
   * @param parts what each part of the run has written, by its name
   */
  Targets(Map<String, JsonNode> parts) {
    this.parts = Map.copyOf(parts);
  }

  List<Verdict> verdicts() {
    String herd = size(HERD);
    String recovery = size(RECOVERY);
    Optional<String> most = largest();
    Optional<String> judged = sizes().anyMatch(MILLION::equals) ? Optional.of(MILLION) : most;
    String idle = judged.orElse("?");
    return List.of(
        judge("1,000 fires/s, p50", late(LATENESS_LOW, "p50"), Bound.AT_MOST, 10, "ms"),
        judge("1,000 fires/s, p99", late(LATENESS_LOW, "p99"), Bound.AT_MOST, 35, "ms"),
        judge("40,000 fires/s, p99", late(LATENESS_HIGH, "p99"), Bound.BELOW, 250, "ms"),
        judge(
            "herd of " + herd + ", rate beside a plain producer",
            ratio(figure(HERD, RATE, WATERCLOCK), figure(HERD, RATE, "baseline")),
            Bound.AT_LEAST,
            0.5,
            "times"),
        judge(
            "herd of " + herd + ", rate beside " + best("quickest", quickest()),
            ratio(
                figure(HERD, RATE, WATERCLOCK),
                quickest().flatMap(peer -> figure(PEERS, PEER_RATE, peer))),
            Bound.AT_LEAST,
            10,
            "times"),
        new Verdict(
            "p99 beside " + best("most punctual", mostPunctual()),
            figure(PEERS, PEER_P99, WATERCLOCK),
            Bound.BELOW,
            mostPunctual().flatMap(peer -> figure(PEERS, PEER_P99, peer)),
            "ms"),
        judge(idle + " waiting, CPU", idle("CPU", judged), Bound.AT_MOST, 3, "% of a core"),
        judge(
            idle + " waiting, heap of each",
            idle("heap for each schedule", judged),
            Bound.AT_MOST,
            100,
            "bytes"),
        judge(
            "a tick at " + most.orElse("?") + " beside one at " + smallest().orElse("?"),
            ratio(idle(TICK, most), idle(TICK, smallest())),
            Bound.AT_MOST,
            SAME,
            "times"),
        judge(
            "a replay beside, p99 of the others",
            ratio(figure(CATCH_UP, "p99", WATERCLOCK), figure(CATCH_UP, "p99", "baseline")),
            Bound.BELOW,
            2,
            "times"),
        judge(
            "killed with " + recovery + ", standby: visible after both time-outs",
            figure(RECOVERY, AFTER, "killed, standby"),
            Bound.AT_MOST,
            2,
            "s"),
        judge(
            "killed with " + recovery + ", no standby: visible after both time-outs",
            figure(RECOVERY, AFTER, "killed, no standby"),
            Bound.AT_MOST,
            6,
            "s"),
        judge(
            "killed with " + recovery + ", restarted alone: visible after both time-outs",
            figure(RECOVERY, AFTER, "killed, restarted alone"),
            Bound.AT_MOST,
            6,
            "s"));
  }

  private static Verdict judge(
      String target, Optional<Double> figure, Bound bound, double limit, String unit) {
    return new Verdict(target, figure, bound, Optional.of(limit), unit);
  }

  private Optional<Double> late(String part, String percentile) {
    return figure(part, percentile, WATERCLOCK);
  }

  private Optional<Double> idle(String figure, Optional<String> column) {
    return column.flatMap(size -> figure(IDLE, figure, size));
  }

  private static Optional<Double> ratio(Optional<Double> value, Optional<Double> base) {
    return value.flatMap(v -> base.filter(b -> b > 0).map(b -> v / b));
  }

  /** Names a peer, and those that it was not compared with as their runs are void. */
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
        + (others.isEmpty() ? "" : " (void: " + String.join(", ", others) + ")");
  }

  private Optional<String> quickest() {
    return measured(PEER_RATE)
        .max(Comparator.comparing(peer -> figure(PEERS, PEER_RATE, peer).orElseThrow()));
  }

  private Optional<String> mostPunctual() {
    return measured(PEER_P99)
        .min(Comparator.comparing(peer -> figure(PEERS, PEER_P99, peer).orElseThrow()));
  }

  private Stream<String> measured(String figure) {
    return durablePeers().filter(peer -> figure(PEERS, figure, peer).isPresent());
  }

  private Stream<String> durablePeers() {
    JsonNode durable = figures(PEERS).path("schedules survive its end");
    return columns(durable)
        .filter(name -> !name.equals(WATERCLOCK) && durable.path(name).asText().equals("yes"));
  }

  /** The columns of the idle schedules, but for the one with none. */
  private Stream<String> sizes() {
    return columns(figures(IDLE).path(TICK))
        .filter(name -> !name.equals("unit") && !name.equals("0"));
  }

  private Optional<String> smallest() {
    return sizes().findFirst();
  }

  private Optional<String> largest() {
    return sizes().reduce((before, after) -> after);
  }

  private static Stream<String> columns(JsonNode figure) {
    Iterator<String> names = figure.fieldNames();
    return Stream.generate(() -> names).limit(figure.size()).map(Iterator::next);
  }

  /** How many schedules a part had. */
  private String size(String part) {
    JsonNode size = parts.getOrDefault(part, MissingNode.getInstance()).path("configuration");
    return size.path(Report.SCHEDULES).asText("?");
  }

  private Optional<Double> figure(String part, String figure, String column) {
    JsonNode value = figures(part).path(figure).path(column);
    return value.isNumber() ? Optional.of(value.asDouble()) : Optional.empty();
  }

  private JsonNode figures(String part) {
    return parts.getOrDefault(part, MissingNode.getInstance()).path("figures");
  }
}
