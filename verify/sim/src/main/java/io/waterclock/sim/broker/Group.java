package io.waterclock.sim.broker;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A consumer group with a cooperative, sticky assignment of numbered partitions, as the classic
 * protocol has it: after a change of the members all of them join again, or are expelled when their
 * sessions end; then a new generation begins. A partition goes to a new owner only after the old
 * one has given it up.
 */
public final class Group {
  private final int partitions;
  private final TreeMap<String, Member> members = new TreeMap<>();
  private final Map<Place, Committed> offsets = new HashMap<>();
  private final Map<Long, Map<Place, Committed>> pending = new LinkedHashMap<>();
  private long written;
  private int generation;
  private boolean joining;
  private int moves;

  private static final class Member {
    private long deadlineMs;
    private boolean joined;
    private boolean synced;
    private Set<Integer> owned = Set.of();
    private Set<Integer> assigned = Set.of();
  }

  /** What a member has to do. */
  public enum Duty {
    NOTHING,
    /** The group does not know it any more. */
    UNKNOWN,
    JOIN,
    SYNC
  }

  /** What a member gets in a generation. */
  public record Assignment(int generation, Set<Integer> partitions) {}

  /**
   * A committed offset.
   *
   * @param at its place in the log of the coordinator
   * @param metadata beside it
   */
  private record Committed(long offset, long at, String metadata) {}

  Group(int partitions) {
    this.partitions = partitions;
  }

  /** A member enters, or joins again with what it owns. */
  public void join(String name, Set<Integer> owned, long deadlineMs) {
    Member member = members.computeIfAbsent(name, any -> new Member());
    begin();
    member.joined = true;
    member.owned = Set.copyOf(owned);
    member.deadlineMs = deadlineMs;
    completeIfAllJoined();
  }

  private void begin() {
    if (!joining) {
      joining = true;
      members.values().forEach(member -> member.joined = false);
    }
  }

  /** Keeps a session alive. */
  public Duty heartbeat(String name, long deadlineMs) {
    Member member = members.get(name);
    if (member == null) {
      return Duty.UNKNOWN;
    }
    member.deadlineMs = deadlineMs;
    if (joining) {
      return member.joined ? Duty.NOTHING : Duty.JOIN;
    }
    return member.synced ? Duty.NOTHING : Duty.SYNC;
  }

  /** True while the member knows the current generation and may commit. */
  public boolean isSynced(String name) {
    Member member = members.get(name);
    return member != null && (member.synced || (joining && !member.joined));
  }

  /** A member learns its assignment. */
  public Assignment sync(String name) {
    Member member = member(name);
    member.synced = true;
    return new Assignment(generation, member.assigned);
  }

  /** A member leaves at once. */
  public void leave(String name) {
    if (members.remove(name) != null) {
      begin();
      completeIfAllJoined();
    }
  }

  /** Expels the members whose sessions have ended. */
  public void expire(long nowMs) {
    if (members.values().removeIf(member -> member.deadlineMs < nowMs)) {
      begin();
      completeIfAllJoined();
    }
  }

  /** When the next session ends, if nothing keeps it alive. */
  public Optional<Long> nextExpiryMs() {
    return members.values().stream().map(member -> member.deadlineMs).min(Long::compare);
  }

  /** Lets the next assignment move a partition from one member to another. */
  public void moveOne() {
    moves++;
    if (!members.isEmpty()) {
      begin();
    }
  }

  private void completeIfAllJoined() {
    if (!joining || !members.values().stream().allMatch(m -> m.joined)) {
      return;
    }
    joining = false;
    generation++;
    Map<Integer, String> owners = new HashMap<>();
    members.forEach((name, member) -> member.owned.forEach(p -> owners.putIfAbsent(p, name)));
    Map<String, Set<Integer>> targets = targets(owners);
    members.forEach(
        (name, member) -> {
          Set<Integer> mine = new TreeSet<>(targets.getOrDefault(name, Set.of()));
          mine.removeIf(p -> owners.containsKey(p) && !name.equals(owners.get(p)));
          member.assigned = mine;
          member.synced = false;
        });
  }

  private Map<String, Set<Integer>> targets(Map<Integer, String> owners) {
    List<String> names = List.copyOf(members.keySet());
    if (names.isEmpty()) {
      return Map.of();
    }
    Map<String, Integer> kept = kept(owners, names);
    Map<String, Set<Integer>> targets = new HashMap<>();
    Set<Integer> free = new TreeSet<>();
    for (int p = 0; p < partitions; p++) {
      String owner = owners.get(p);
      Set<Integer> its =
          owner == null ? Set.of() : targets.computeIfAbsent(owner, n -> new HashSet<>());
      if (owner == null
          || its.size() >= kept.getOrDefault(owner, 0)
          || (moves > 0 && names.size() > 1)) {
        moves -= owner != null && moves > 0 ? 1 : 0;
        free.add(p);
      } else {
        its.add(p);
      }
    }
    for (int p : free) {
      String least =
          names.stream()
              .filter(name -> names.size() == 1 || !name.equals(owners.get(p)))
              .min(
                  (a, b) ->
                      Integer.compare(
                          targets.getOrDefault(a, Set.of()).size(),
                          targets.getOrDefault(b, Set.of()).size()))
              .orElseThrow();
      targets.computeIfAbsent(least, n -> new HashSet<>()).add(p);
    }
    return targets;
  }

  /** How many of its partitions each member may keep: no two differ by more than one. */
  private Map<String, Integer> kept(Map<Integer, String> owners, List<String> names) {
    int least = partitions / names.size();
    int withMore = partitions % names.size();
    Map<String, Integer> kept = new HashMap<>();
    for (String name : names) {
      long owned = owners.values().stream().filter(name::equals).count();
      boolean hasMore = owned > least && withMore > 0;
      withMore -= hasMore ? 1 : 0;
      kept.put(name, hasMore ? least + 1 : least);
    }
    return kept;
  }

  private Member member(String name) {
    Member member = members.get(name);
    if (member == null) {
      throw new BrokerException(
          BrokerException.Reason.ILLEGAL_GENERATION, name + " is no member of the group");
    }
    return member;
  }

  /**
   * @param name empty for a client that is no member: in a transaction nothing is compared then
   */
  void commitInTransaction(long producerId, String name, int of, Map<Place, Long> committed) {
    if (!name.isEmpty()) {
      checkGeneration(name, of);
    }
    Map<Place, Committed> its = pending.computeIfAbsent(producerId, any -> new HashMap<>());
    committed.forEach((place, offset) -> its.put(place, new Committed(offset, written++, "")));
  }

  private void checkGeneration(String name, int of) {
    member(name);
    if (of != generation) {
      throw new BrokerException(
          BrokerException.Reason.ILLEGAL_GENERATION, of + " is not " + generation);
    }
  }

  /** A member commits an offset outside a transaction. */
  public void commit(String name, Assignment of, Place place, long offset, String metadata) {
    checkGeneration(name, of.generation());
    keepLater(place, new Committed(offset, written++, metadata));
  }

  void end(long producerId, boolean isCommitted) {
    Map<Place, Committed> ended = pending.remove(producerId);
    if (ended != null && isCommitted) {
      ended.forEach(this::keepLater);
    }
  }

  /** Commits an offset outside a transaction. */
  public void commit(Place place, long offset) {
    keepLater(place, new Committed(offset, written++, ""));
  }

  /** Of two offsets the one that was written later stays, in whatever order they are committed. */
  private void keepLater(Place place, Committed committed) {
    offsets.merge(place, committed, (one, other) -> one.at() > other.at() ? one : other);
  }

  /** Whether an open transaction may still change the committed offset. */
  public boolean isUnstable(Place place) {
    return pending.values().stream().anyMatch(map -> map.containsKey(place));
  }

  /** The committed offset. */
  public Optional<Long> offset(Place place) {
    return Optional.ofNullable(offsets.get(place)).map(Committed::offset);
  }

  /** What was committed beside the offset. */
  public Optional<String> metadata(Place place) {
    return Optional.ofNullable(offsets.get(place)).map(Committed::metadata);
  }

  /** Kafka forgets the offsets of a group that was away for long. */
  public void forgetOffsets() {
    offsets.clear();
  }
}
