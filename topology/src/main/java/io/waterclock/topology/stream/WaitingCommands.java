package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.state.CommandStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Commands for schedules that are not known: each waits until the schedules topic is read up to
 * where it ends now, as its schedule may be on its way. The commands are in the store, so that a
 * restart forgets none; in memory there are only their numbers. A stray that is about to be in the
 * topic counts as if it were there already.
 *
 * <p>Where the topic ends is asked for once for all commands that have come since it was asked
 * last.
 */
final class WaitingCommands {
  private static final int MOST_AT_ONCE = 500;

  private final CommandStore store;
  private final Applier applier;
  private final Gate gate;
  private final Homeward homeward;
  private final Map<ScheduleId, Deque<Long>> waiting = new LinkedHashMap<>();
  private Optional<Marked> marked = Optional.empty();
  private long nextSeq;

  /**
   * @param through inclusive: the last command that waits for the mark
   */
  private record Marked(Gate.Mark mark, long through) {}

  WaitingCommands(CommandStore store, Applier applier, Gate gate, Homeward homeward) {
    this.store = store;
    this.applier = applier;
    this.gate = gate;
    this.homeward = homeward;
    for (CommandStore.Waiting command : store.waiting()) {
      Inbound inbound = InboundBytes.decode(command.record());
      remember(ScheduleId.parse(inbound.key().orElseThrow()), command.seq());
    }
  }

  boolean contains(ScheduleId id) {
    return !waiting.isEmpty() && waiting.containsKey(id);
  }

  void add(ScheduleId id, Inbound inbound) {
    applier.keep(new CommandStore.Waiting(nextSeq, InboundBytes.encode(inbound)));
    remember(id, nextSeq);
  }

  /** Takes everything that waits for a schedule, in the order in which it came. */
  List<Inbound> take(ScheduleId id) {
    Deque<Long> seqs = waiting.remove(id);
    return seqs == null ? List.of() : seqs.stream().map(this::release).toList();
  }

  /** Takes commands that have waited for long enough, some at a time. */
  List<Inbound> takeDue() {
    if (waiting.isEmpty()) {
      marked = Optional.empty();
      return List.of();
    }
    if (marked.isEmpty()) {
      marked = Optional.of(new Marked(gate.mark(), nextSeq - 1));
    }
    Marked current = marked.get();
    if (!current.mark().isPassed()) {
      return List.of();
    }
    List<Inbound> due = new ArrayList<>();
    while (due.size() < MOST_AT_ONCE && !waiting.isEmpty()) {
      Map.Entry<ScheduleId, Deque<Long>> first = waiting.entrySet().iterator().next();
      if (first.getValue().getFirst() > current.through() || homeward.contains(first.getKey())) {
        break;
      }
      due.add(release(first.getValue().removeFirst()));
      if (first.getValue().isEmpty()) {
        waiting.remove(first.getKey());
      }
    }
    if (due.size() < MOST_AT_ONCE) {
      marked = Optional.empty();
    }
    return due;
  }

  private void remember(ScheduleId id, long seq) {
    waiting.computeIfAbsent(id, unknown -> new ArrayDeque<>(1)).addLast(seq);
    nextSeq = seq + 1;
  }

  private Inbound release(long seq) {
    Inbound inbound = InboundBytes.decode(store.waiting(seq).orElseThrow());
    applier.release(seq);
    return inbound;
  }
}
