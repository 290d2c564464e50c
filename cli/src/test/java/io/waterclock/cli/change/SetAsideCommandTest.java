package io.waterclock.cli.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.runtime.brokers.DeathNotes;
import io.waterclock.runtime.brokers.NotedDeaths;
import io.waterclock.schemas.Topics;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(600)
class SetAsideCommandTest {
  @RegisterExtension static final Broker broker = new Broker();

  @Test
  void a_record_is_noted_and_listed_with_those_that_killed_threads() throws Exception {
    Topics topics = broker.topics("noted");
    assertThat(broker.run(topics, "set-aside").out()).startsWith("No record has killed a thread");
    commit(DeathNotes.group("noted-scheduler"), topics, 1, 4, "4 2 java.lang.Error: why");

    CliRun done = broker.run(topics, "set-aside", "noted.schedules-1@7");
    assertThat(done.out()).contains("goes to noted.dlq undecoded when the scheduler reaches it");
    assertThat(NotedDeaths.parse(metadata("noted-scheduler", topics)).find(7))
        .flatMap(NotedDeaths.Note::verdict)
        .isPresent();
    assertThat(broker.run(topics, "set-aside").lines())
        .containsExactly(
            "noted.schedules-1@4  2 deaths, the last one by: java.lang.Error: why",
            "noted.schedules-1@7  set aside: an administrator has set it aside unread");
  }

  @Test
  void only_a_record_that_no_consumer_can_fetch_is_passed_over() throws Exception {
    Topics topics = broker.topics("unfetched");
    commit("unfetched-scheduler", topics, 1, 5, "");
    assertThat(broker.run(topics, "set-aside", "--unfetched", "unfetched.schedules-1@7").err())
        .contains("the next record that the scheduler reads is unfetched.schedules-1@5");
    assertThat(broker.run(topics, "set-aside", "--unfetched", "unfetched.schedules-1@5").out())
        .contains("continues behind unfetched.schedules-1@5");
    assertThat(committed("unfetched-scheduler", topics).offset()).isEqualTo(6);
  }

  @Test
  void an_argument_that_names_no_input_record_is_rejected() throws Exception {
    Topics topics = broker.topics("wrong-record");
    assertThat(broker.run(topics, "set-aside", "here").err())
        .contains("\"here\" names no record")
        .contains("wrong-record.schedules-3@1234");
    assertThat(broker.run(topics, "set-aside", "wrong-record.fires-0@1").err())
        .contains("does not read wrong-record.fires");
    assertThat(broker.run(topics, "set-aside", "wrong-record.schedules-99@1").err())
        .contains("There is no partition wrong-record.schedules-99");
  }

  private static String metadata(String application, Topics topics) throws Exception {
    return committed(DeathNotes.group(application), topics).metadata();
  }

  private static OffsetAndMetadata committed(String group, Topics topics) throws Exception {
    try (Admin admin = Admin.create(broker.clients())) {
      return Objects.requireNonNull(
          admin
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get()
              .get(new TopicPartition(topics.schedules(), 1)));
    }
  }

  private static void commit(
      String group, Topics topics, int partition, long offset, String metadata) throws Exception {
    try (Admin admin = Admin.create(broker.clients())) {
      admin
          .alterConsumerGroupOffsets(
              group,
              Map.of(
                  new TopicPartition(topics.schedules(), partition),
                  new OffsetAndMetadata(offset, metadata)))
          .all()
          .get();
    }
  }
}
