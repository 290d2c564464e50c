package io.waterclock.topology.scheduler.emit;

import io.waterclock.decide.AlertPlan;
import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.RevisionChange;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.OverlappedRun;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.text.Instants;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.AuthorNote;
import io.waterclock.topology.scheduler.input.Inbound;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/** Encodes decisions as records, in the configured format. Not thread-safe. */
public final class OutgoingRecords {
  /** Of so many schedules the times of their latest withdrawals are known. */
  private static final int MOST_WITHDRAWALS = 1_000;

  private final Settings.Channels channels;
  private final Settings.Limits limits;
  private final FireRecords fires;
  private final FireLimit limit;

  /** All withdrawals of which the time is not known were before. */
  private Instant withdrawnBefore;

  /** The times of the latest withdrawals, by schedule. */
  private final Map<String, Instant> withdrawnAt =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
          boolean isOneTooMany = size() > MOST_WITHDRAWALS;
          if (isOneTooMany) {
            withdrawnBefore = Instants.later(withdrawnBefore, eldest.getValue().plusMillis(1));
          }
          return isOneTooMany;
        }
      };

  /**
   * @param withdrawnAt the time of the latest withdrawal that an earlier task has sent
   */
  public OutgoingRecords(
      Settings.Channels channels, Settings.Limits limits, Optional<Instant> withdrawnAt) {
    this.withdrawnBefore = withdrawnAt.map(at -> at.plusMillis(1)).orElse(Instant.MIN);
    this.channels = channels;
    this.limits = limits;
    this.fires =
        new FireRecords(
            channels.topics().ceSource(), channels.wire().encoding(), channels.targets().isOn());
    this.limit = new FireLimit(limits, fires);
  }

  public FireLimit limit() {
    return limit;
  }

  /**
   * @param said by the record that caused the decision
   */
  public List<Outgoing> of(ScheduleId id, Decision decision, AuthorNote said, Instant now) {
    List<Outgoing> records = new ArrayList<>(decision.fires().size() + decision.missed().size());
    for (FirePlan fire : decision.fires()) {
      Record<byte[], Object> record = fires.record(id, fire, now);
      checkSize(record, fire.by().schedule());
      if (fire.by().schedule().getLimit() == null) {
        records.add(new Outgoing(Sink.FIRES, record));
      } else {
        records.addAll(limited(id, fire, record, decision.state(), now));
      }
    }
    for (MissedRange range : decision.missed()) {
      records.add(
          record(Sink.MISSED, id.utf8(), RecordCodecs.missed(), missed(id, range, now), now));
    }
    for (AlertPlan alert : decision.alerts()) {
      records.add(
          record(
              Sink.ALERTS,
              id.utf8(),
              RecordCodecs.alert(),
              AlertRecords.alert(id, alert, now),
              now));
    }
    for (RevisionChange change : decision.revisions()) {
      records.add(revision(id, change, said, now));
    }
    if (decision.state().isEmpty()) {
      records.add(tombstone(Sink.STATUS, id.utf8(), new RecordHeaders(), now));
    } else if (decision.status().isPresent()) {
      records.add(status(status(id, decision.state().get(), decision.status().get(), now), now));
    }
    decision
        .removed()
        .ifPresent(accepted -> records.add(removal(id, accepted.revision(), accepted.writtenAt())));
    return records;
  }

  /**
   * The fire of a definition with a limit, which an edit may have replaced: it waits for the limit
   * of the definition in force, so that a later withdrawal finds it.
   */
  private List<Outgoing> limited(
      ScheduleId id,
      FirePlan fire,
      Record<byte[], Object> record,
      Optional<ScheduleState> after,
      Instant now) {
    Schedule inForce = after.map(ScheduleState::current).orElse(fire.by()).schedule();
    if (inForce.getLimit() != null) {
      return List.of(waiting(fire, record, new LimitName(inForce.getLimit())));
    }
    if (!fire.isFollowed()) {
      return List.of(new Outgoing(Sink.FIRES, record));
    }
    LimitName own = new LimitName(Objects.requireNonNull(fire.by().schedule().getLimit()));
    return List.of( // it starts at once, and the limiter says when
        waiting(fire, record, own),
        withdrawal(id, own, new WaitingNote.Moved(Optional.empty()), now));
  }

  private Outgoing waiting(FirePlan fire, Record<byte[], Object> record, LimitName limit) {
    Schedule schedule = fire.by().schedule();
    Instant firedAt = Instant.ofEpochMilli(record.timestamp());
    WaitingNote.Terms terms =
        new WaitingNote.Terms(
            Optional.ofNullable(schedule.getExpiresMs()).map(firedAt::plusMillis),
            Run.timeout(schedule, fire.occurrence().at(), fire.previous(), fire.next())
                .map(time -> Collections.min(List.of(time, WaitingNote.LONGEST_RUN))),
            role(fire));
    RecordHeaders headers = new RecordHeaders(record.headers());
    new WaitingNote.Fire(
            schedule.getPriority(), fire.occurrence().due().toEpochMilli(), terms, Optional.empty())
        .addTo(headers, limit);
    int home = HomePartition.of(limit.utf8(), channels.partitions());
    return new Outgoing(
        Sink.WAITING,
        new Record<>(
            record.key(),
            new Addressed((byte[]) record.value(), home),
            record.timestamp(),
            headers));
  }

  private static WaitingNote.Role role(FirePlan fire) {
    if (fire.isFollowed()) {
      return WaitingNote.Role.FOLLOWED;
    }
    return fire.isOrdered() ? WaitingNote.Role.ORDERED : WaitingNote.Role.OCCURRENCE;
  }

  /**
   * Says to the limiter what becomes of a schedule's fires that wait. The limiter orders such notes
   * by their times, so each of a schedule has its own, whichever instance sends it.
   */
  public Outgoing withdrawal(ScheduleId id, LimitName limit, WaitingNote note, Instant now) {
    Optional<Instant> last = Optional.ofNullable(withdrawnAt.remove(id.value()));
    Instant after = last.map(before -> before.plusMillis(1)).orElse(withdrawnBefore);
    Instant at = Instants.later(now, after);
    withdrawnAt.put(id.value(), at);
    return waiting(id.utf8(), limit, note, at);
  }

  /** Says to the limiter what has become of a fire. */
  public Outgoing waiting(byte[] key, LimitName limit, WaitingNote note, Instant now) {
    RecordHeaders headers = new RecordHeaders();
    note.addTo(headers, limit);
    return waiting(key, headers, HomePartition.of(limit.utf8(), channels.partitions()), now);
  }

  /** Says to each task of the limiter what has become of a fire whose group is not known. */
  public List<Outgoing> waitingAnywhere(byte[] key, WaitingNote note, Instant now) {
    RecordHeaders headers = new RecordHeaders();
    note.addTo(headers);
    return IntStream.range(0, channels.limits() ? channels.partitions() : 0)
        .mapToObj(partition -> waiting(key, headers, partition, now))
        .toList();
  }

  private static Outgoing waiting(byte[] key, RecordHeaders headers, int partition, Instant now) {
    return new Outgoing(
        Sink.WAITING,
        new Record<>(key, new Addressed(null, partition), now.toEpochMilli(), headers));
  }

  /**
   * A definition was small enough at its acceptance, but format and limits may have changed since.
   * A record that the producer refuses would end the task, so it must not reach the producer.
   */
  private void checkSize(Record<byte[], Object> fire, Schedule schedule) {
    int most = limits.maxWrittenBytes(schedule);
    if (fires.sizeAtMost(fire, schedule) <= most) {
      return;
    }
    int size = FireRecords.size(fire);
    if (size > most) {
      throw new IllegalStateException(
          "its fire has %s bytes, more than the %s that can be written now".formatted(size, most));
    }
  }

  /** The status record of a schedule's current state. */
  public Outgoing status(ScheduleState state, Instant now) {
    return status(statusOf(state, now), now);
  }

  public static ScheduleStatus statusOf(ScheduleState state, Instant now) {
    return status(state.id(), state, state.life(), now);
  }

  /**
   * The status of a schedule after the rejection of a definition; the accepted definition stays.
   */
  public Outgoing rejected(
      ScheduleId id,
      Optional<ScheduleState> state,
      String revision,
      List<Problem> problems,
      Instant now) {
    ScheduleStatus status =
        state.isPresent()
            ? status(id, state.get(), state.get().life(), now)
            : ScheduleStatus.newBuilder()
                .setScheduleId(id.value())
                .setState(State.REJECTED)
                .setSince(now)
                .build();
    status.setRejectedRevision(revision);
    status.setProblems(problems);
    return status(status, now);
  }

  /**
   * @param isJson whether the request was JSON: then the answer is
   */
  public Outgoing answer(Answer answer, int partition, boolean isJson, Instant now) {
    Encoding encoding = isJson ? Encoding.JSON : channels.wire().encoding();
    byte[] value = RecordCodecs.answer().encode(answer, encoding);
    return new Outgoing(
        Sink.ANSWERS,
        new Record<>(
            answer.getCorrelationId().getBytes(StandardCharsets.UTF_8),
            new Addressed(value, partition),
            now.toEpochMilli()));
  }

  public Outgoing watermark(Watermark watermark, Instant now) {
    String key = channels.topics().schedules() + "-" + watermark.getPartition();
    return record(
        Sink.WATERMARKS,
        key.getBytes(StandardCharsets.UTF_8),
        RecordCodecs.watermark(),
        watermark,
        now);
  }

  /** A dead letter for an unusable record, within the limit of the dead-letter topic. */
  public Outgoing dead(Inbound inbound, String error, Instant now) {
    DeadLetter letter = DeadLetter.of(inbound, error, limits.maxDeadLetterBytes());
    return new Outgoing(
        Sink.DLQ,
        new Record<>(
            letter.key().orElse(null),
            letter.value().orElse(null),
            now.toEpochMilli(),
            letter.headers()));
  }

  /** The definition in force, for another write to its topic. */
  public Outgoing definition(ScheduleState state) {
    Accepted current = state.current();
    byte[] value = RecordCodecs.schedule().encode(current.schedule(), channels.wire().encoding());
    return new Outgoing(
        Sink.SCHEDULES,
        new Record<>(
            state.id().utf8(),
            value,
            current.writtenAt().toEpochMilli(),
            origin(current.revision())));
  }

  /**
   * The tombstone of a definition.
   *
   * @param writtenAt the timestamp of the schedule's last write, which the tombstone repeats
   */
  public Outgoing removal(ScheduleId id, String revision, Instant writtenAt) {
    return tombstone(Sink.SCHEDULES, id.utf8(), origin(revision), writtenAt);
  }

  /** A stray, which is a definition or an outcome, for its home partition. */
  public Outgoing home(Inbound stray) {
    RecordHeaders headers = new RecordHeaders(stray.headers());
    headers.remove(HeaderNames.ORIGIN);
    headers.remove(HeaderNames.STRAY);
    headers.add(HeaderNames.STRAY, stray.revision().getBytes(StandardCharsets.UTF_8));
    boolean isOutcome = stray.topic().equals(channels.topics().outcomes());
    return new Outgoing(
        isOutcome ? Sink.OUTCOMES : Sink.SCHEDULES,
        new Record<>(
            stray.key().orElseThrow(),
            stray.value().orElse(null),
            stray.timestamp().toEpochMilli(),
            headers));
  }

  /**
   * A stray in transit.
   *
   * @param place where it was produced
   * @param carried empty when it has arrived
   */
  public Outgoing stray(String place, Optional<byte[]> carried, int home, Instant now) {
    return new Outgoing(
        Sink.STRAYS,
        new Record<>(
            place.getBytes(StandardCharsets.UTF_8),
            new Addressed(carried.orElse(null), home),
            now.toEpochMilli()));
  }

  /**
   * The tombstone of a moved stray, for compaction; its header says that it is not a delete.
   *
   * @param place where it was produced, in this partition
   */
  public Outgoing moved(byte[] key, String place, int partition, Instant now) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.MOVED, place.getBytes(StandardCharsets.UTF_8));
    return new Outgoing(
        Sink.ORIGINS,
        new Record<>(key, new Addressed(null, partition), now.toEpochMilli(), headers));
  }

  /**
   * The header for records that the scheduler writes to its own input. Such a record repeats an
   * earlier one with its timestamp, so that a stray that was written later is newer.
   */
  private static RecordHeaders origin(String revision) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.ORIGIN, revision.getBytes(StandardCharsets.UTF_8));
    return headers;
  }

  private Outgoing status(ScheduleStatus status, Instant now) {
    byte[] key = status.getScheduleId().getBytes(StandardCharsets.UTF_8);
    return record(Sink.STATUS, key, RecordCodecs.status(), status, now);
  }

  private static ScheduleStatus status(
      ScheduleId id, ScheduleState state, State life, Instant now) {
    ScheduleStatus status = new ScheduleStatus();
    status.setScheduleId(id.value());
    status.setState(life);
    status.setRevision(state.current().revision());
    status.setSince(now);
    status.setProblems(List.of());
    state.fault().ifPresent(status::setReason);
    CommandState commanded = state.commanded();
    commanded.pause().map(ExportedStates::of).ifPresent(status::setPause);
    status.setSkips(commanded.skips());
    status.setBackfills(
        commanded.backfills().stream()
            .map(it -> ExportedStates.of(it.through(it.firedThrough(), 0, List.of())))
            .toList());
    state.runs().failures().failing().map(ExportedStates::of).ifPresent(status::setFailing);
    status.setOverdue(
        state.runs().watches().overdue().stream().map(AlertRecords::overdue).toList());
    return status;
  }

  private static Missed missed(ScheduleId id, MissedRange range, Instant now) {
    MissedRange.Why why = range.why();
    return Missed.newBuilder()
        .setScheduleId(id.value())
        .setRevision(range.revision())
        .setFirst(range.first())
        .setLast(range.last())
        .setCount(range.count())
        .setCountIsLowerBound(!range.exact())
        .setReason(range.reason())
        .setCollapsedInto(why.collapsedInto().orElse(null))
        .setDecidedAt(now)
        .setRun(why.run().map(run -> overlapped(run, now)).orElse(null))
        .setPausedSince(why.pausedSince().orElse(null))
        .setGraceMs(why.graceMs().orElse(null))
        .build();
  }

  private static OverlappedRun overlapped(Run run, Instant now) {
    return new OverlappedRun(
        run.at(), run.firedAt(), run.endsAt().isAfter(now) ? null : run.endsAt(), run.due());
  }

  /** Leaves out what was said if the record would become too large. */
  private Outgoing revision(ScheduleId id, RevisionChange change, AuthorNote said, Instant now) {
    Revision revision = revision(id, change, now);
    revision.setAuthor(said.author().orElse(null));
    revision.setNote(said.note().orElse(null));
    byte[] value = ofRevision(change.accepted()).encode(revision, channels.wire().encoding());
    Outgoing full =
        new Outgoing(Sink.REVISIONS, new Record<>(id.utf8(), value, now.toEpochMilli()));
    if (said.equals(AuthorNote.NOTHING)
        || FireRecords.size(full.record()) <= limits.maxFireBytes()) {
      return full;
    }
    return revision(id, change, AuthorNote.NOTHING, now);
  }

  /** Without the content of a delayed record, which its definition and its fire have. */
  private static ScheduleSnapshot ofRevision(Accepted accepted) {
    return TargetRecord.isDelayed(accepted.schedule())
        ? ScheduleSnapshot.of(ScheduleSnapshot.withoutPayload(accepted.schedule()))
        : accepted.snapshot();
  }

  /** The revision without its definition. */
  private static Revision revision(ScheduleId id, RevisionChange change, Instant now) {
    Accepted accepted = change.accepted();
    Revision revision = new Revision();
    revision.setScheduleId(id.value());
    revision.setRevision(accepted.revision());
    revision.setOwnsAfter(accepted.ownsAfter());
    revision.setEffectiveAt(accepted.effectiveAt());
    revision.setAcceptedAt(now);
    revision.setTzdb(Tzdb.version());
    revision.setResolvedAt(accepted.resolvedAt().orElse(null));
    revision.setBoundedBy(accepted.boundedBy().orElse(null));
    if (change instanceof RevisionChange.Ended ended) {
      revision.setEndedAt(ended.through());
      revision.setEndedBy(ended.by());
    }
    return revision;
  }

  private static Outgoing tombstone(Sink sink, byte[] key, RecordHeaders headers, Instant now) {
    return new Outgoing(sink, new Record<>(key, null, now.toEpochMilli(), headers));
  }

  private <T extends SpecificRecordBase> Outgoing record(
      Sink sink, byte[] key, RecordCodec<T> codec, T value, Instant now) {
    return new Outgoing(
        sink,
        new Record<>(key, codec.encode(value, channels.wire().encoding()), now.toEpochMilli()));
  }
}
