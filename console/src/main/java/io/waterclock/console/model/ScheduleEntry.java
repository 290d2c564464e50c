package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.console.problems.OddZones;
import io.waterclock.console.problems.ProblemKind;
import io.waterclock.console.problems.RowCondition;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one schedule: its records as compact bytes, without payloads, and beside them
 * what lists show and filter by. A record that says nothing new is not kept: the newest definition
 * while it is the accepted one, and the status of a schedule that says no more than its state. Not
 * thread-safe.
 */
final class ScheduleEntry {
  /** Of an entry and its places in the table, without records and texts; measured. */
  private static final int OVERHEAD = 250;

  final String id;
  final int number;

  /** Of its fires in the log: how many, and the number of the newest; -1 for none. */
  int fires;

  long newestFire = -1;

  /** Where its newest fire lies. */
  int partition;

  /** As how many bytes the table counts it. */
  long counted;

  boolean isRejected;

  /** Whether it is active, and everything that comes is left out. */
  boolean neverFires;

  /** The hash of the revision in force. */
  private int inForce;

  /** The next occurrence; {@link #NONE} for none. */
  long nextMs = NONE;

  static final long NONE = Long.MAX_VALUE;

  /** False if the next occurrence needs calendars, skips or jitter. */
  boolean isPlain = true;

  /** Whether its occurrences depend on its zone. */
  boolean isZoned;

  /** True if every schedule with its trigger and zone has the same occurrences to come. */
  boolean isAlike;

  String trigger = "";
  String zone = "";
  @Nullable String owner;
  @Nullable String target;
  @Nullable String limit;

  /** Of the definition in force. */
  @Nullable String author;

  /**
   * The {@link RowCondition} of whose pause it is, or why it is rejected, faulted or failing; null
   * for nothing of these.
   */
  @Nullable String group;

  Map<String, String> labels = Map.of();

  /** The names of those that leave occurrences out. */
  List<String> calendars = List.of();

  @Nullable State state;

  private long sinceMs;

  /** Since when its fires fail; {@link #NONE} if they do not. */
  private long failingSinceMs = NONE;

  /** Since when an expectation is overdue; {@link #NONE} if none is. */
  private long overdueSinceMs = NONE;

  private boolean isWritten;
  private byte @Nullable [] revision;
  private byte @Nullable [] status;
  private byte @Nullable [] definition;
  private @Nullable String definitionPosition;

  ScheduleEntry(String id, int number) {
    this.id = id;
    this.number = number;
  }

  /**
   * Takes over the newest record of the schedules topic; an empty schedule cannot be read.
   *
   * @return whether it says anything new
   */
  boolean written(String position, Optional<Schedule> schedule) {
    isWritten = true;
    definitionPosition = position;
    definition =
        schedule
            .map(known -> body(RecordCodecs.schedule(), KeptPayload.instead(known)))
            .orElse(null);
    dropAccepted(revision());
    return definitionPosition != null;
  }

  void tombstone() {
    isWritten = false;
    definition = null;
    definitionPosition = null;
  }

  /**
   * Takes over a record of the revisions topic.
   *
   * @return the revision that it replaces
   */
  Optional<byte[]> accepted(Revision accepted) {
    KeptPayload.instead(accepted.getSchedule());
    Optional<Revision> other = revision().filter(known -> !same(known, accepted));
    if (accepted.getEndedBy() == RevisionEnd.REPLACED && other.isPresent()) {
      return Optional.empty(); // the end of an earlier one
    }
    Optional<byte[]> replaced =
        other.isPresent() ? Optional.ofNullable(revision) : Optional.empty();
    revision = body(RecordCodecs.revision(), withItsAuthor(accepted));
    dropAccepted(Optional.of(accepted));
    status().ifPresent(this::report);
    return replaced;
  }

  /** The record of an end says who ended it; the author of the definition is in the one before. */
  private Revision withItsAuthor(Revision accepted) {
    if (accepted.getEndedBy() == null) {
      return accepted;
    }
    Optional<Revision> begun = revision().filter(known -> same(known, accepted));
    return Revision.newBuilder(accepted)
        .setAuthor(begun.map(Revision::getAuthor).orElse(null))
        .setNote(begun.map(Revision::getNote).orElse(null))
        .build();
  }

  private static boolean same(Revision one, Revision other) {
    return one.getRevision().equals(other.getRevision());
  }

  void report(ScheduleStatus newest) {
    state = newest.getState();
    inForce = Objects.hashCode(newest.getRevision());
    sinceMs = newest.getSince().toEpochMilli();
    isRejected = newest.getRejectedRevision() != null;
    failingSinceMs =
        newest.getFailing() == null ? NONE : newest.getFailing().getSince().toEpochMilli();
    overdueSinceMs =
        newest.getOverdue().stream()
            .mapToLong(overdue -> overdue.getSince().toEpochMilli())
            .min()
            .orElse(NONE);
    boolean saysLittle =
        (newest.getState() == State.ACTIVE || newest.getState() == State.COMPLETED)
            && newest.getReason() == null
            && newest.getRejectedRevision() == null
            && newest.getProblems().isEmpty()
            && newest.getPause() == null
            && newest.getSkips().isEmpty()
            && newest.getBackfills().isEmpty()
            && !isFailing()
            && !isOverdue()
            && revision().filter(r -> r.getRevision().equals(newest.getRevision())).isPresent();
    status = saysLittle ? null : body(RecordCodecs.status(), newest);
  }

  /** False for a fire of a revision that an edit has replaced: what it says comes next does not. */
  boolean isInForce(Fire fire) {
    return inForce == fire.getRevision().hashCode();
  }

  void noStatus() {
    state = null;
    status = null;
    isRejected = false;
    failingSinceMs = NONE;
    overdueSinceMs = NONE;
  }

  /** A schedule of which only fires are left is not listed. */
  boolean exists() {
    return isWritten || state != null;
  }

  /** Frees what only a schedule that exists needs. */
  void forget() {
    revision = null;
    definition = null;
    definitionPosition = null;
    nextMs = NONE;
  }

  long bytes() {
    return OVERHEAD
        + id.length()
        + length(revision)
        + length(status)
        + length(definition)
        + textBytes(trigger)
        + textBytes(zone)
        + textBytes(owner)
        + textBytes(target)
        + textBytes(limit)
        + textBytes(author)
        + textBytes(group)
        + textBytes(labels)
        + textBytes(calendars);
  }

  private static int length(byte @Nullable [] record) {
    return record == null ? 0 : record.length;
  }

  /** About how many bytes a text, texts, or the texts of a map take. */
  static long textBytes(@Nullable Object texts) {
    if (texts instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .mapToLong(one -> OVERHEAD + textBytes(one.getKey()) + textBytes(one.getValue()))
          .sum();
    }
    return texts == null ? 0 : texts.toString().length();
  }

  Optional<Instant> since() {
    return state == null ? Optional.empty() : Optional.of(Instant.ofEpochMilli(sinceMs));
  }

  /** Everything that is known of it; a new copy, for some microseconds. */
  KnownSchedule known() {
    Optional<Revision> accepted = revision();
    Optional<WrittenDefinition> newest = Optional.empty();
    if (isWritten) {
      newest =
          definitionPosition != null
              ? Optional.of(
                  new WrittenDefinition(
                      definitionPosition,
                      Optional.ofNullable(definition)
                          .map(bytes -> decode(RecordCodecs.schedule(), bytes))))
              : accepted.map(
                  r -> new WrittenDefinition(r.getRevision(), Optional.of(r.getSchedule())));
    }
    return new KnownSchedule(id, newest, status(), accepted, Optional.empty());
  }

  /** Whether its zone is to be compared with those of its owner's others. */
  boolean hasZone() {
    return isZoned && state != null && state != State.COMPLETED && state != State.REJECTED;
  }

  String family() {
    return OddZones.family(id, owner == null ? "" : owner);
  }

  /** Why a person should look at it for its own sake, the gravest reason. */
  Optional<ProblemKind> problem() {
    if (state == State.FAULTED) {
      return Optional.of(ProblemKind.FAULTED);
    }
    if (isRejected) {
      return Optional.of(
          state == State.REJECTED ? ProblemKind.REJECTED : ProblemKind.EDIT_REJECTED);
    }
    if (isFailing()) {
      return Optional.of(ProblemKind.FAILING);
    }
    if (isOverdue()) {
      return Optional.of(ProblemKind.OVERDUE);
    }
    if (neverFires) {
      return Optional.of(ProblemKind.NEVER_FIRES);
    }
    return state == State.PAUSED ? Optional.of(ProblemKind.PAUSED) : Optional.empty();
  }

  /** Since when it has its problem: its fires fail, they are late, or its state is what it is. */
  long problemSinceMs() {
    ProblemKind kind = problem().orElse(ProblemKind.PAUSED);
    return switch (kind) {
      case FAILING -> failingSinceMs;
      case OVERDUE -> overdueSinceMs;
      default -> sinceMs;
    };
  }

  private boolean isOverdue() {
    return overdueSinceMs != NONE;
  }

  boolean isFailing() {
    return failingSinceMs != NONE;
  }

  Optional<ScheduleStatus> status() {
    if (status != null) {
      return Optional.of(decode(RecordCodecs.status(), status));
    }
    State known = state;
    return known == null
        ? Optional.empty()
        : Optional.of(
            ScheduleStatus.newBuilder()
                .setScheduleId(id)
                .setState(known)
                .setRevision(revision().map(Revision::getRevision).orElse(null))
                .setSince(Instant.ofEpochMilli(sinceMs))
                .build());
  }

  /** The record of its newest accepted revision, which is not changed. */
  Optional<byte[]> revisionBody() {
    return Optional.ofNullable(revision);
  }

  private Optional<Revision> revision() {
    return revisionBody().map(bytes -> decode(RecordCodecs.revision(), bytes));
  }

  private void dropAccepted(Optional<Revision> accepted) {
    String position = definitionPosition;
    if (position != null && accepted.filter(r -> r.getRevision().equals(position)).isPresent()) {
      definition = null;
      definitionPosition = null;
    }
  }

  private static <T extends SpecificRecordBase> byte[] body(RecordCodec<T> codec, T record) {
    return codec.encodeBody(record);
  }

  static <T extends SpecificRecordBase> T decode(RecordCodec<T> codec, byte[] bytes) {
    return codec.decodeBody(bytes, 0, bytes.length);
  }
}
