package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A random trace: two workers share two partitions, whose fires run, fail, hang, are dropped and
 * collapse, while the partitions change their owner: handed back, taken away, or lost with their
 * worker. Some schedules have fires in both partitions, as those that move when the topic gets
 * partitions, or return from a retry. After each step the rules agree with the model; at the end
 * all fires are finished.
 */
final class WorkerTrace {
  private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMillis(400);
  private static final Duration HAND_OVER = Duration.ofMillis(500);
  private static final Duration REBALANCE = Duration.ofMillis(50);
  private static final int PARTITIONS = 2;
  private static final int SCHEDULES = 9;

  /** Those from this one on have fires in all partitions. */
  private static final int FIRST_SPREAD = 6;

  private static final int CAPACITY = 6;
  private static final int STEPS = 400;

  /** A partition, and the trace's knowledge of it. */
  private static final class Partition {
    final List<Entry> log = new ArrayList<>();
    final Set<Entry> accounted = new HashSet<>();

    /** The offsets of fires that ran to their end or were dropped, whether or not committed. */
    final Set<Long> ended = new HashSet<>();

    long committed;
    Optional<WorkerHeartbeat> heartbeat = Optional.empty();

    /** All downtimes in committed offsets, however old. */
    List<Downtime> downtimes = List.of();

    /** The fires that were emitted while a worker with a later heartbeat owned the partition. */
    final Set<Entry> seenAlive = new HashSet<>();

    final Set<Entry> emittedInHand = new HashSet<>();
    Optional<Hands> owner = Optional.empty();
    Optional<Tenure> tenure = Optional.empty();
  }

  /** A worker and its model. */
  private final class Hands {
    final Memory claims = new Memory();
    final FireBuffer<Entry> buffer = new FireBuffer<>(CAPACITY, Map.of(), Fire::getScheduleId);
    final Turns<Entry> turns =
        new Turns<>(
            buffer, claims, starts::lastStart, PATIENCE, new SplittableRandom(random.nextLong()));
    final NaiveWorker model = new NaiveWorker();
    final Map<BufferedFire<Entry>, NaiveWorker.Item> running = new HashMap<>();

    NaiveWorker.Item item(BufferedFire<Entry> work) {
      return Optional.ofNullable(running.get(work)).orElseThrow();
    }
  }

  /** A record whose outcome or dead letter is not written yet. */
  private record Proof(Partition partition, Tenure tenure, Entry entry, UnfinishedRecord mark) {}

  private final SplittableRandom random;
  private final Memory starts = new Memory();
  private final List<Partition> partitions = new ArrayList<>();
  private final List<Hands> workers = new ArrayList<>();
  private final List<Proof> proofs = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private Instant now = BEGIN;

  private WorkerTrace(long seed) {
    random = new SplittableRandom(seed);
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(new Partition());
      workers.add(new Hands());
    }
  }

  /**
   * @throws AssertionError with the seed and the last steps
   */
  static void run(long seed) {
    WorkerTrace trace = new WorkerTrace(seed);
    try {
      for (int i = 0; i < STEPS; i++) {
        trace.step();
        trace.check();
      }
      trace.finish();
    } catch (AssertionError | RuntimeException e) {
      List<String> last =
          trace.told.subList(Math.max(0, trace.told.size() - 25), trace.told.size());
      throw new AssertionError(
          "-Dwaterclock.seed=" + seed + ": " + e + "\n  " + String.join("\n  ", last), e);
    }
  }

  private void tell(String what) {
    told.add(now.toEpochMilli() - BEGIN.toEpochMilli() + " " + what);
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private void step() {
    int dice = random.nextInt(100);
    Partition partition = any(partitions);
    Hands worker = any(workers);
    if (dice < 22) {
      emit();
    } else if (dice < 47) {
      read(partition);
    } else if (dice < 67) {
      take(worker);
    } else if (dice < 80) {
      end(worker);
    } else if (dice < 87) {
      prove();
    } else if (dice < 93) {
      advance(random.nextInt(random.nextInt(20) == 0 ? 5_000 : 200));
    } else if (dice < 95) {
      commit(partition);
    } else if (dice < 98) {
      if (partition.tenure.isPresent()) {
        giveBack(partition);
      } else {
        takeOver(partition, worker);
      }
    } else if (dice < 99) {
      lose(partition);
    } else {
      die(worker);
    }
  }

  private void emit() {
    int schedule = random.nextInt(SCHEDULES);
    int number = (schedule < FIRST_SPREAD ? schedule : random.nextInt(PARTITIONS)) % PARTITIONS;
    Partition partition = partitions.get(number);
    long offset = partition.log.size();
    now = now.plusMillis(1);
    if (random.nextInt(15) == 0) {
      partition.log.add(new Entry(number, offset, Optional.empty()));
      return;
    }
    Optional<Entry> again =
        random.nextInt(12) > 0 || offset == 0 ? Optional.empty() : Optional.of(any(partition.log));
    Entry entry =
        again
            .map(before -> new Entry(number, offset, before.content()))
            .orElseGet(() -> new Entry(number, offset, Optional.of(fire(schedule))));
    partition.log.add(entry);
    if (partition.tenure.isPresent()) {
      partition.emittedInHand.add(entry);
    }
    tell("emitted " + entry);
  }

  private Fire fire(int number) {
    Fire fire =
        TestFires.of(
            "s" + number,
            now,
            MINUTE,
            schedule -> {
              schedule.setCatchUp(List.of(CatchUp.values()).get(number % CatchUp.values().length));
              schedule.setPriority(random.nextInt(3));
              schedule.setGraceMs(random.nextInt(300));
              schedule.setMaxAttempts(1 + random.nextInt(3));
              schedule.setBackoffMs(random.nextInt(random.nextInt(4) == 0 ? 2_000 : 300));
              if (random.nextInt(3) == 0) {
                schedule.setTimeoutMs(100L + random.nextInt(600));
              }
              if (random.nextInt(6) == 0) {
                schedule.setExpiresMs(random.nextInt(2_000) + 1L);
              }
              if (number == 0) {
                schedule.setToleranceMs(MINUTE.toMillis() - 300);
              }
            });
    if (random.nextInt(6) == 0) {
      fire.setCause(any(List.of(Cause.CATCH_UP, Cause.BACKFILL, Cause.TRIGGERED)));
    }
    return fire;
  }

  private void read(Partition partition) {
    if (partition.tenure.isEmpty()) {
      return;
    }
    Tenure tenure = partition.tenure.get();
    Hands worker = partition.owner.orElseThrow();
    if (tenure.source().isCrowded() || tenure.position() >= partition.log.size()) {
      worker.buffer.passed(tenure.source(), tenure.position());
      return;
    }
    Entry entry = partition.log.get((int) tenure.position());
    tell("read " + entry);
    if (entry.content().isEmpty()) {
      if (random.nextBoolean()) {
        tenure.passed(entry.offset());
        partition.accounted.add(entry);
      } else {
        tenure.read(entry.offset());
        UnfinishedRecord mark = tenure.source().mark(entry.offset());
        proofs.add(new Proof(partition, tenure, entry, mark));
      }
    } else {
      tenure.read(entry.offset());
      add(tenure, worker, entry);
    }
    worker.buffer.passed(tenure.source(), tenure.position());
  }

  private void add(Tenure tenure, Hands worker, Entry entry) {
    Optional<Turn.Drop<Entry>> left =
        worker.buffer.add(
            new BufferedFire<>(
                tenure.source(), entry.offset(), entry.fire(), entry.policy(), entry));
    Optional<NaiveWorker.Item> expected = worker.model.add(tenure, entry);
    assertThat(left.map(gone -> gone.work().attachment()))
        .isEqualTo(expected.map(item -> item.entry));
    left.ifPresent(
        gone -> {
          NaiveWorker.Item item = expected.orElseThrow();
          assertThat(partitionOf(item).seenAlive)
              .as("emitted while workers were there")
              .doesNotContain(item.entry);
          assertThat(gone.reason())
              .isEqualTo(
                  tenure.fate(entry) == Backlog.Fate.SKIP
                      ? DropReason.SKIPPED
                      : DropReason.COLLAPSED);
          ended(gone.work(), item);
        });
  }

  private boolean take(Hands worker) {
    Optional<Turn<Entry>> turn = worker.turns.next(now);
    Optional<NaiveWorker.Item> item =
        worker.model.take(turn.map(taken -> taken.work().attachment()), now);
    item.ifPresent(taken -> began(worker, turn.orElseThrow(), taken));
    return turn.isPresent();
  }

  private void began(Hands worker, Turn<Entry> turn, NaiveWorker.Item item) {
    Fire fire = item.entry.fire();
    tell("turn of " + item.entry + ": " + turn.getClass().getSimpleName());
    Optional<DropReason> reason = item.attempts > 0 ? Optional.empty() : reason(worker, item.entry);
    assertThat(
            turn instanceof Turn.Drop<Entry> drop ? Optional.of(drop.reason()) : Optional.empty())
        .isEqualTo(reason);
    BufferedFire<Entry> work = turn.work();
    if (reason.isPresent()) {
      worker.turns.done(work);
      over(worker, item);
      ended(work, item);
      return;
    }
    Partition partition = partitionOf(item);
    assertThat(partition.log.subList(0, (int) item.entry.offset()))
        .filteredOn(before -> before.isOf(item.entry.schedule()))
        .extracting(Entry::offset)
        .as("in order: no fire of the schedule before %s is unfinished", item.entry)
        .isSubsetOf(partition.ended);
    boolean isLate =
        item.attempts > 0 && item.deadline.filter(end -> !now.isBefore(end)).isPresent();
    assertThat(turn instanceof Turn.Late).as("late").isEqualTo(isLate);
    if (isLate) {
      failed(worker, work, item, false);
      return;
    }
    if (item.attempts == 0) {
      item.deadline = item.entry.policy().timeout().map(now::plus);
      starts.started(fire, now);
      assertThat(work.collapsed().map(others -> others.getCount()).orElse(0L))
          .isEqualTo(item.standsFor);
    }
    item.attempts++;
    assertThat(work.attempt()).isEqualTo(item.attempts);
    assertThat(work.deadline()).isEqualTo(item.deadline);
    worker.running.put(work, item);
  }

  private Optional<DropReason> reason(Hands worker, Entry entry) {
    Fire fire = entry.fire();
    if (worker.model.claimed.contains(fire.getFireId())) {
      return Optional.of(DropReason.DUPLICATE);
    }
    if (entry
        .policy()
        .expires()
        .filter(time -> !now.isBefore(fire.getFiredAt().plus(time)))
        .isPresent()) {
      return Optional.of(DropReason.EXPIRED);
    }
    boolean isTooSoon =
        fire.getCause() == Cause.SCHEDULED
            && entry.policy().tolerance().isPresent()
            && starts
                .lastStart(entry.schedule())
                .filter(last -> !last.fireId().equals(fire.getFireId()))
                .filter(
                    last ->
                        now.isBefore(
                            last.at().plus(MINUTE).minus(entry.policy().tolerance().get())))
                .isPresent();
    if (isTooSoon) {
      return Optional.of(DropReason.TOO_SOON);
    }
    worker.model.claimed.add(fire.getFireId());
    return Optional.empty();
  }

  private void end(Hands worker) {
    if (!worker.running.isEmpty()) {
      end(worker, any(List.copyOf(worker.running.keySet())), random.nextInt(10) < 6);
    }
  }

  private void end(Hands worker, BufferedFire<Entry> work, boolean well) {
    NaiveWorker.Item item = worker.item(work);
    worker.running.remove(work);
    if (well) {
      tell("success of " + item.entry);
      worker.turns.done(work);
      over(worker, item);
      ended(work, item);
    } else {
      failed(worker, work, item, random.nextInt(10) == 0);
    }
  }

  private void failed(
      Hands worker, BufferedFire<Entry> work, NaiveWorker.Item item, boolean isFinal) {
    RetryDecision ending = worker.turns.failed(work, isFinal, now).orElseThrow();
    tell("failure of " + item.entry + ": " + ending);
    boolean timedOut = item.deadline.filter(end -> !now.isBefore(end)).isPresent();
    Instant latest = item.latestRetry(now);
    if (!item.tenure.startsAt(now)) {
      assertThat(ending).isInstanceOf(RetryDecision.HandedBack.class);
    } else if (timedOut) {
      assertThat(ending).isEqualTo(RetryDecision.Failed.TIMED_OUT);
    } else if (isFinal) {
      assertThat(ending).isEqualTo(RetryDecision.Failed.GIVEN_UP);
    } else if (item.attempts == item.entry.policy().maxAttempts()) {
      assertThat(ending).isEqualTo(RetryDecision.Failed.ATTEMPTS_EXHAUSTED);
    } else if (ending instanceof RetryDecision.Again again) {
      assertThat(again.at()).isBetween(now, latest);
      assertThat(item.deadline.filter(end -> !again.at().isBefore(end))).isEmpty();
      assertThat(item.tenure.startsAt(again.at())).isTrue();
    } else if (ending instanceof RetryDecision.HandedBack) {
      assertThat(item.tenure.startsAt(latest)).isFalse();
    } else {
      assertThat(ending).isEqualTo(RetryDecision.Failed.TIMED_OUT);
      assertThat(item.deadline.filter(end -> !latest.isBefore(end))).isPresent();
    }
    if (ending instanceof RetryDecision.Again again) {
      worker.model.again(item, again.at());
      return;
    }
    over(worker, item);
    worker.model.claimed.remove(item.entry.fire().getFireId());
    if (ending instanceof RetryDecision.HandedBack) {
      worker.model.forget(item.tenure, item.entry.schedule());
    } else {
      ended(work, item);
    }
  }

  private static void over(Hands worker, NaiveWorker.Item item) {
    worker.model.turns.remove(item.entry.schedule());
  }

  private void ended(BufferedFire<Entry> work, NaiveWorker.Item item) {
    Partition partition = partitionOf(item);
    partition.ended.add(item.entry.offset());
    proofs.add(new Proof(partition, item.tenure, item.entry, work.mark()));
  }

  private Partition partitionOf(NaiveWorker.Item item) {
    return partitions.get(item.entry.partition());
  }

  private void prove() {
    if (!proofs.isEmpty()) {
      Proof proof = proofs.remove(random.nextInt(proofs.size()));
      proof.mark().settle();
      proof.tenure().settled(proof.entry().offset());
      proof.partition().accounted.add(proof.entry());
    }
  }

  private void advance(int ms) {
    now = now.plusMillis(ms);
    for (Hands worker : workers) {
      for (Turns.Overdue<Entry> overdue : worker.turns.overdue(now)) {
        BufferedFire<Entry> work = overdue.work();
        NaiveWorker.Item item = worker.item(work);
        assertThat(overdue.isAbandoned()).isEqualTo(item.cancelledAt.isPresent());
        if (overdue.isAbandoned()) {
          assertThat(now).isAfterOrEqualTo(item.cancelledAt.get().plus(PATIENCE));
          worker.running.remove(work);
          failed(worker, work, item, false);
          assertThat(worker.turns.failed(work, false, now))
              .as("the worker has abandoned it")
              .isEmpty();
        } else {
          assertThat(now).isAfterOrEqualTo(item.deadline.orElseThrow());
          item.cancelledAt = Optional.of(now);
        }
      }
      for (NaiveWorker.Item item : worker.running.values()) {
        assertThat(item.deadline.filter(end -> !now.isBefore(end) && item.cancelledAt.isEmpty()))
            .as("cancelled")
            .isEmpty();
      }
    }
  }

  private void commit(Partition partition) {
    partition.tenure.ifPresent(
        tenure -> {
          partition.committed = tenure.source().committable();
          partition.heartbeat =
              Optional.of(
                  new WorkerHeartbeat(
                      tenure.takenOverAt(), now, tenure.source().backlog().downtimes()));
          partition.downtimes = tenure.downtimes();
          partition.seenAlive.addAll(partition.emittedInHand);
          partition.emittedInHand.clear();
        });
  }

  private void takeOver(Partition partition, Hands worker) {
    tell("taken over from " + partition.committed + ", end " + partition.log.size());
    List<WorkerHeartbeat> ofGroup = partitions.stream().flatMap(p -> p.heartbeat.stream()).toList();
    long end = partition.log.size();
    Backlog backlog = Backlog.takenOver(partition.heartbeat, ofGroup, REBALANCE, now, end);
    List<Downtime> downtimes = new ArrayList<>(partition.downtimes);
    if (partition.heartbeat.isEmpty()) {
      other(partition)
          .heartbeat
          .ifPresent(group -> downtimes.add(new Downtime(Optional.empty(), group.since(), end)));
    }
    downtimes.add(new Downtime(lastAlive(partition), now, end));
    AssignedPartition source = worker.buffer.open(backlog, partition.committed);
    partition.owner = Optional.of(worker);
    partition.tenure =
        Optional.of(new Tenure(source, partition.committed, List.copyOf(downtimes), now));
    partition.emittedInHand.clear();
  }

  /** The group's last heartbeat before its downtime. */
  private Optional<Instant> lastAlive(Partition partition) {
    Optional<WorkerHeartbeat> ofOther = other(partition).heartbeat;
    return partition
        .heartbeat
        .map(
            own ->
                ofOther
                    .filter(heartbeat -> !heartbeat.since().isAfter(own.at().plus(REBALANCE)))
                    .map(WorkerHeartbeat::at)
                    .filter(own.at()::isBefore)
                    .orElse(own.at()))
        .or(() -> ofOther.map(WorkerHeartbeat::at));
  }

  /** There are two partitions. */
  private Partition other(Partition partition) {
    return partitions.get(1 - partitions.indexOf(partition));
  }

  private void giveBack(Partition partition) {
    tell("given back");
    Hands worker = partition.owner.orElseThrow();
    Tenure tenure = partition.tenure.orElseThrow();
    Instant until = now.plus(HAND_OVER);
    assertThat(entries(worker.turns.drain(tenure.source(), until)))
        .containsExactlyInAnyOrderElementsOf(worker.model.drain(tenure, until));
    for (int i = random.nextInt(12); i > 0 && now.isBefore(until); i--) {
      switch (random.nextInt(4)) {
        case 0 -> take(worker);
        case 1 -> end(worker);
        case 2 -> prove();
        default -> advance(random.nextInt(150));
      }
      check();
    }
    close(partition, worker, tenure);
    commit(partition);
    partition.owner = Optional.empty();
    partition.tenure = Optional.empty();
  }

  private void lose(Partition partition) {
    partition.tenure.ifPresent(
        tenure -> {
          tell("lost");
          close(partition, partition.owner.orElseThrow(), tenure);
          partition.owner = Optional.empty();
          partition.tenure = Optional.empty();
        });
  }

  private void close(Partition partition, Hands worker, Tenure tenure) {
    List<BufferedFire<Entry>> running = worker.turns.close(tenure.source());
    assertThat(entries(running)).containsExactlyInAnyOrderElementsOf(worker.model.close(tenure));
    for (BufferedFire<Entry> work : running) {
      NaiveWorker.Item item = worker.item(work);
      if (item.cancelledAt.isEmpty()) {
        worker.turns.cancel(work, now);
        item.cancelledAt = Optional.of(now);
      }
      if (random.nextBoolean()) {
        end(worker, work, random.nextBoolean());
      }
    }
    assertThat(tenure.source().committable()).isEqualTo(tenure.committable());
    tell("closed at " + tenure.committable() + " of " + partition.log.size());
  }

  private static List<Entry> entries(List<BufferedFire<Entry>> works) {
    return works.stream().map(BufferedFire::attachment).toList();
  }

  private void die(Hands worker) {
    tell("a worker is killed");
    workers.set(workers.indexOf(worker), new Hands());
    for (Partition partition : partitions) {
      if (partition.owner.filter(owner -> owner == worker).isPresent()) {
        partition.owner = Optional.empty();
        partition.tenure = Optional.empty();
      }
    }
  }

  private void check() {
    for (Partition partition : partitions) {
      partition.tenure.ifPresent(
          tenure ->
              assertThat(tenure.source().committable())
                  .as("committable")
                  .isEqualTo(tenure.committable()));
    }
    for (Hands worker : workers) {
      worker.model.observe();
      assertThat(worker.running.values())
          .as("one run of a schedule at a time")
          .containsExactlyInAnyOrderElementsOf(worker.model.turns.values());
    }
  }

  /** Reads and runs all fires to their end. */
  private void finish() {
    for (int round = 0; round < 2_000 && !isFinished(); round++) {
      for (Partition partition : partitions) {
        if (partition.tenure.isEmpty()) {
          takeOver(partition, any(workers));
        }
        read(partition);
        commit(partition);
      }
      for (Hands worker : workers) {
        boolean goesOn = true;
        while (goesOn) {
          goesOn = take(worker);
        }
        for (BufferedFire<Entry> work : List.copyOf(worker.running.keySet())) {
          end(worker, work, true);
        }
      }
      while (!proofs.isEmpty()) {
        prove();
      }
      advance(100);
      check();
    }
    for (Partition partition : partitions) {
      assertThat(partition.committed).as("all is finished").isEqualTo(partition.log.size());
      assertThat(partition.accounted).as("nothing is lost").containsAll(partition.log);
    }
  }

  private boolean isFinished() {
    return partitions.stream().allMatch(partition -> partition.committed == partition.log.size());
  }
}
