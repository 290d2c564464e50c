package io.waterclock.sim.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members join, leave and die in a group of the model and in one of Kafka, which has the
 * cooperative sticky assignor. {@code -Dwaterclock.seed=N} repeats a run.
 *
 * <p>Which partition a member gets depends on the names of the members. So the test compares how
 * many partitions each member has in the end, and how many the members that stayed gave up: a
 * member keeps what it has, unless the balance demands otherwise. In both, no partition has two
 * owners at any time, and the generation grows by one for the event, and by one for the partitions
 * that are free only then; where several members give up partitions, by up to one for each.
 */
final class RebalanceModelTest {
  private static final String TOPIC = "log";
  private static final String GROUP = "group";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int SESSION_MS = 5_000;
  private static final int MOST_MEMBERS = 4;

  @TempDir private Path folder;

  private final long seed = Long.getLong("waterclock.seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final int partitions = 3 + random.nextInt(5);
  private final List<String> story = new ArrayList<>();
  private final Group group = new Broker().createGroup(GROUP, partitions);
  private final World model = new World("the model");
  private final World real = new World("Kafka");
  private long nowMs;

  private enum Event {
    JOIN,
    LEAVE,
    DIE
  }

  /** One of the two groups. */
  private final class World {
    private final String name;
    private final List<Member> members = new ArrayList<>();
    private Set<Integer> ofTheDead = Set.of();
    private int generation;
    private int givenUp;
    private int givings;

    World(String name) {
      this.name = name;
    }

    /** Those with the most partitions first. */
    List<Member> bySize() {
      return members.stream()
          .sorted(Comparator.comparing((Member member) -> -member.owned.size()))
          .toList();
    }

    List<Integer> sizes() {
      return bySize().stream().map(member -> member.owned.size()).toList();
    }

    void take(Member member, Collection<Integer> more) {
      for (int partition : more) {
        assertThat(members)
            .as("%s: owners of %s before %s, %s", name, partition, member.name, story)
            .noneMatch(other -> other.owned.contains(partition));
        assertThat(ofTheDead).as("%s: of the dead, %s", name, story).doesNotContain(partition);
      }
      member.owned.addAll(more);
    }

    void giveUp(Member member, Collection<Integer> less) {
      if (!less.isEmpty()) {
        member.owned.removeAll(less);
        givenUp += less.size();
        givings++;
      }
    }

    /**
     * @param grown since the event before
     * @param empty generations without members among these
     */
    void checkGenerations(int grown, int empty) {
      assertThat(grown - empty)
          .as("generations of %s, %s", name, story)
          .isBetween(givings > 0 ? 2 : 1, 1 + givings);
    }
  }

  private static class Member {
    final String name;
    final Set<Integer> owned = new HashSet<>();

    Member(String name) {
      this.name = name;
    }
  }

  /** A consumer. */
  private final class RealMember extends Member implements ConsumerRebalanceListener {
    private final KafkaConsumer<String, String> consumer;
    private boolean isClosed;

    RealMember(EmbeddedKafka kafka, String name) {
      super(name);
      Map<String, Object> settings =
          Map.of(
              "bootstrap.servers",
              kafka.bootstrapServers(),
              "group.id",
              GROUP,
              "partition.assignment.strategy",
              CooperativeStickyAssignor.class.getName(),
              "session.timeout.ms",
              SESSION_MS,
              "heartbeat.interval.ms",
              50,
              "retry.backoff.ms",
              10,
              "fetch.max.wait.ms",
              10);
      consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
      consumer.subscribe(List.of(TOPIC), this);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> more) {
      real.take(this, numbers(more));
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> less) {
      if (!isClosed) {
        real.giveUp(this, numbers(less));
      }
    }

    void close(GroupMembershipOperation operation) {
      isClosed = true;
      consumer.close(CloseOptions.groupMembershipOperation(operation));
    }
  }

  private static List<Integer> numbers(Collection<TopicPartition> partitions) {
    return partitions.stream().map(TopicPartition::partition).toList();
  }

  @Test
  @Tag("all")
  void members_have_as_many_partitions_as_in_kafka_and_give_up_as_many() throws Exception {
    System.out.println("Rebalances by Kafka and by its model: waterclock.seed=" + seed);
    story.add("waterclock.seed=" + seed + ", partitions: " + partitions);
    try (EmbeddedKafka kafka =
            EmbeddedKafka.start(folder, 0, Map.of("group.min.session.timeout.ms", "500"));
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, partitions, (short) 1))).all().get();
      try {
        int empty = 0;
        for (Event drawn : events()) {
          Event event = possible(drawn);
          int which = random.nextInt(Math.max(1, model.members.size()));
          story.add(event == Event.JOIN ? "JOIN" : event + " of the one with rank " + which);
          inModel(event, which);
          inKafka(kafka, event, which);
          if (model.members.isEmpty()) {
            empty++;
            continue;
          }
          int modelled = model.generation;
          settleModel();
          model.checkGenerations(model.generation - modelled, empty);
          int before = real.generation;
          settleKafka();
          real.checkGenerations(real.generation - before, empty);
          assertThat(real.givenUp).as("given up, %s", story).isEqualTo(model.givenUp);
          empty = 0;
        }
      } finally {
        real.members.forEach(
            member -> ((RealMember) member).close(GroupMembershipOperation.LEAVE_GROUP));
      }
    }
  }

  private List<Event> events() {
    List<Event> later =
        new ArrayList<>(
            List.of(
                Event.JOIN,
                Event.JOIN,
                Event.JOIN,
                Event.LEAVE,
                Event.LEAVE,
                Event.DIE,
                Event.DIE));
    Collections.shuffle(later, new Random(random.nextLong()));
    later.addAll(0, List.of(Event.JOIN, Event.LEAVE, Event.JOIN, Event.JOIN));
    return later;
  }

  /** The last member does not die: no other would see when its session ends. */
  private Event possible(Event drawn) {
    return switch (model.members.size()) {
      case 0 -> Event.JOIN;
      case 1 -> drawn == Event.DIE ? Event.LEAVE : drawn;
      case MOST_MEMBERS -> drawn == Event.JOIN ? Event.LEAVE : drawn;
      default -> drawn;
    };
  }

  private void inModel(Event event, int which) {
    switch (event) {
      case JOIN -> {
        Member member = new Member("m" + story.size());
        model.members.add(member);
        group.join(member.name, Set.of(), deadline());
      }
      case LEAVE -> {
        Member member = model.bySize().get(which);
        model.members.remove(member);
        group.leave(member.name);
      }
      case DIE -> {
        model.members.forEach(member -> group.heartbeat(member.name, deadline()));
        Member member = model.bySize().get(which);
        model.members.remove(member);
        nowMs += SESSION_MS;
        model.ofTheDead = Set.copyOf(member.owned);
        group.heartbeat(member.name, nowMs);
        settleModel();
        model.ofTheDead = Set.of();
        group.expire(++nowMs);
      }
    }
  }

  private long deadline() {
    return nowMs + SESSION_MS;
  }

  /** Lets the members do what the group wants of them, in a random order. */
  private void settleModel() {
    model.givenUp = 0;
    model.givings = 0;
    boolean isStable = false;
    while (!isStable) {
      isStable = true;
      group.expire(nowMs);
      List<Member> order = new ArrayList<>(model.members);
      Collections.shuffle(order, new Random(random.nextLong()));
      for (Member member : order) {
        Group.Duty duty = group.heartbeat(member.name, deadline());
        isStable &= duty == Group.Duty.NOTHING;
        switch (duty) {
          case NOTHING -> {}
          case JOIN -> group.join(member.name, member.owned, deadline());
          case SYNC -> follow(member, group.sync(member.name));
          case UNKNOWN -> throw new AssertionError("expelled: " + member.name + ", " + story);
        }
      }
    }
  }

  private void follow(Member member, Group.Assignment assignment) {
    model.generation = assignment.generation();
    Set<Integer> less = new HashSet<>(member.owned);
    less.removeAll(assignment.partitions());
    Set<Integer> more = new HashSet<>(assignment.partitions());
    more.removeAll(member.owned);
    model.giveUp(member, less);
    model.take(member, more);
    if (!less.isEmpty()) {
      group.join(member.name, member.owned, deadline());
    }
  }

  private void inKafka(EmbeddedKafka kafka, Event event, int which) {
    if (event == Event.JOIN) {
      real.members.add(new RealMember(kafka, "m" + story.size()));
      return;
    }
    RealMember member = (RealMember) real.bySize().get(which);
    real.members.remove(member);
    if (event == Event.LEAVE) {
      member.close(GroupMembershipOperation.LEAVE_GROUP);
    } else {
      member.close(GroupMembershipOperation.REMAIN_IN_GROUP);
      real.ofTheDead = Set.copyOf(member.owned);
      // the last heartbeat was not long before
      long untilNs = System.nanoTime() + Duration.ofMillis(SESSION_MS / 3).toNanos();
      while (System.nanoTime() < untilNs) {
        poll();
      }
      real.ofTheDead = Set.of();
    }
  }

  private void settleKafka() {
    real.givenUp = 0;
    real.givings = 0;
    int before = real.generation;
    await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(
            () -> {
              poll();
              assertThat(real.sizes()).as("%s", story).isEqualTo(model.sizes());
              assertThat(generations()).as("%s", story).hasSize(1).noneMatch(it -> it <= before);
            });
    real.generation = generations().iterator().next();
  }

  private void poll() {
    real.members.forEach(member -> ((RealMember) member).consumer.poll(Duration.ofMillis(5)));
  }

  private Set<Integer> generations() {
    Set<Integer> found = new HashSet<>();
    real.members.forEach(
        member -> found.add(((RealMember) member).consumer.groupMetadata().generationId()));
    return found;
  }
}
