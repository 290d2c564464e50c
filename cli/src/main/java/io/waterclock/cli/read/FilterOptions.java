package io.waterclock.cli.read;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Selector;
import io.waterclock.client.schedules.WhereExpression;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.schemas.avro.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A filter of schedules; a schedule must match all options. */
public final class FilterOptions {
  /** The states of schedules, and what may be true in any of them. */
  enum ListedState {
    ACTIVE,
    PAUSED,
    COMPLETED,
    FAULTED,
    REJECTED,
    FAILING
  }

  @Option(
      names = "--state",
      paramLabel = "STATE",
      split = ",",
      description =
          "Only schedules in one of these states: ${COMPLETION-CANDIDATES} (default: all but"
              + " REJECTED, the ids without any accepted definition). FAILING: those whose fires"
              + " fail, whatever their state.")
  List<ListedState> states = List.of();

  @Option(names = "--owner", paramLabel = "OWNER", description = "Only schedules of this owner.")
  Optional<String> owner = Optional.empty();

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "Only schedules with this label; may be repeated.")
  Map<String, String> labels = Map.of();

  @Option(
      names = {"--id-prefix", "--starts-with"},
      paramLabel = "TEXT",
      description = "Only schedules whose id begins with this text.")
  String start = "";

  @Option(
      names = "--where",
      paramLabel = "EXPRESSION",
      description =
          "Only schedules for which this is true, for example \"catch_up = replay and not"
              + " labels.test\"; docs/schedules-as-code.md lists the fields.")
  Optional<WhereExpression> where = Optional.empty();

  /** Whether any of the options is given. */
  public boolean isGiven() {
    return !withNext().isAll();
  }

  /** Whether it needs the next fire of each schedule, which only {@code list} computes. */
  boolean looksAtNext() {
    return where.filter(expression -> expression.names("next")).isPresent();
  }

  /**
   * The filter.
   *
   * @throws WrongUsage if it looks at the next fire, which is not known here
   */
  public Selector selector() {
    if (looksAtNext()) {
      throw new WrongUsage("--where: only waterclock list knows next.");
    }
    return withNext();
  }

  /**
   * The ids of the schedules that match; every id if none of the options is given. Reads the
   * schedules otherwise.
   *
   * @throws WrongUsage as {@link #selector}
   */
  public Predicate<String> ids(Cluster cluster) {
    if (!isGiven()) {
      return any -> true;
    }
    Set<String> matching =
        cluster.catalogue(ReadProgress.UNSEEN).all().stream()
            .filter(selector()::selects)
            .map(KnownSchedule::id)
            .collect(Collectors.toSet());
    return matching::contains;
  }

  /** The filter of schedules with their next fires. */
  Selector withNext() {
    Set<State> named =
        states.stream()
            .filter(state -> state != ListedState.FAILING)
            .map(state -> State.valueOf(state.name()))
            .collect(Collectors.toUnmodifiableSet());
    return new Selector(named, states.contains(ListedState.FAILING), owner, labels, start, where);
  }

  /**
   * What a list shows: without {@code --state}, no id without any accepted definition; with
   * REJECTED, also those whose newest definition alone was rejected.
   *
   * @param selector that of these options
   */
  Predicate<KnownSchedule> lists(Selector selector) {
    return states.isEmpty() ? selector::selects : selector;
  }

  /** Whether only the default of {@code --state} hides it. */
  boolean hides(KnownSchedule entry) {
    return states.isEmpty() && isRejected(entry) && withNext().test(entry);
  }

  /** Whether no definition of it was ever accepted. */
  static boolean isRejected(KnownSchedule entry) {
    return entry.state().filter(State.REJECTED::equals).isPresent();
  }
}
