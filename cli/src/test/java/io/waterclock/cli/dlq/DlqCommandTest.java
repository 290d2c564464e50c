package io.waterclock.cli.dlq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(600)
class DlqCommandTest {
  @RegisterExtension static final Broker broker = new Broker();

  /** A commit returns before its markers are everywhere. */
  private static final Duration BOUND = Duration.ofMinutes(4);

  private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");

  @Test
  @Tag("all")
  void letters_are_listed_by_reason_topic_key_and_time_the_newest_first() throws Exception {
    Topics topics = broker.topics("dlqlist");
    String first = letter(topics, "mail/1", "there is no schedule mail/1", DAY);
    String second = letter(topics, "mail/2", "There is NO schedule mail/2", DAY.plusSeconds(3600));
    letter(topics, "other", "the record has more than 1000 headers", DAY.plusSeconds(7200));

    assertThat(letters(topics, "--reason", "no SCHEDULE")).containsExactly(second, first);
    assertThat(letters(topics, "--starts-with", "mail/", "--max", "1")).containsExactly(second);
    assertThat(letters(topics, "--key", "mail/1")).containsExactly(first);
    assertThat(letters(topics, "--from", "2026-11-20T00:30:00Z", "--to", "2026-11-20T01:30:00Z"))
        .containsExactly(second);
    assertThat(letters(topics, "--topic", topics.schedules())).isEmpty();
    assertThat(letters(topics, "--topic", topics.commands())).hasSize(3);
    assertThat(broker.run(topics, "dlq", "list", "--max", "2").lines())
        .last()
        .isEqualTo("3 dead letters, of which the newest 2 are shown");
  }

  @Test
  @Tag("all")
  void letters_of_an_owner_are_those_whose_record_or_schedule_names_it() throws Exception {
    Topics topics = broker.topics("dlqowner");
    broker.write(topics.schedules(), "mail/1", json("{'every':'1h','owner':'acme'}"));
    String command = letter(topics, "mail/1", "no", DAY);
    ProducerRecord<byte[], byte[]> definition =
        record(topics, "mail/2", topics.schedules(), DAY.plusSeconds(1));
    String refused =
        broker.write(
            new ProducerRecord<>(
                topics.dlq(),
                null,
                definition.timestamp(),
                definition.key(),
                json("{'every':'2h','owner':'acme'}"),
                definition.headers()));
    letter(topics, "mail/3", "no", DAY);
    assertThat(letters(topics, "--owner", "acme")).containsExactly(refused, command);
  }

  @Test
  void a_letter_is_shown_with_its_record_and_where_it_goes() throws Exception {
    Topics topics = broker.topics("dlqshow");
    String place = letter(topics, "mail/1", "no", DAY);
    assertThat(broker.run(topics, "dlq", "show", place).lines())
        .contains(
            "reason: no",
            "from: dlqshow.commands-1@5",
            "a redrive sends it to: dlqshow.commands",
            "key: mail/1",
            "header own: 1",
            "value: v");
    assertThat(broker.run(topics, "dlq", "show", "--json", place).out())
        .contains("\"goes_to\":\"dlqshow.commands\"", "\"value\":\"v\"");
    assertThat(broker.run(topics, "dlq", "show", "dlqshow.dlq-0@999").err())
        .contains("There is no dead letter dlqshow.dlq-0@999.");
    CliRun wrong = broker.run(topics, "dlq", "show", "dlqshow.commands-0@1");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("names no dead letter");
  }

  @Test
  void a_redrive_is_counted_then_done_then_listed_as_resolved() throws Exception {
    Topics topics = broker.topics("dlqredrive");
    String place = letter(topics, "mail/1", "no", DAY);
    letter(topics, "mail/2", "yes", DAY);
    assertThat(broker.run(topics, "dlq", "redrive", "--reason", "no", "--dry-run").lines())
        .containsExactly("1 dead letter would be sent again to dlqredrive.commands");
    CliRun empty = broker.run(topics, "dlq", "discard", "--reason", "", "--yes");
    assertThat(empty.exitCode()).isEqualTo(2);
    assertThat(empty.err()).contains("--reason must not be empty.");
    CliRun asked = broker.run(topics, "dlq", "redrive", "--reason", "no");
    assertThat(asked.err()).contains("Nothing was changed.");
    assertThat(letters(topics)).hasSize(2);
    CliRun done =
        broker.run(topics, "dlq", "redrive", place, "--yes", "--author", "ann", "--note", "mended");
    assertThat(done.lines()).containsExactly("1 dead letter sent again to dlqredrive.commands");
    assertThat(done.exitCode()).isZero();
    await().atMost(BOUND).untilAsserted(() -> assertThat(letters(topics)).hasSize(1));
    assertThat(broker.run(topics, "dlq", "discard", "--all", "--yes", "--json").out())
        .contains("\"verdict\":\"discarded\"", "\"key\":\"mail/2\"");
    await().atMost(BOUND).untilAsserted(() -> assertThat(letters(topics)).isEmpty());
    assertThat(broker.run(topics, "dlq", "list", "--resolved", "--json").lines())
        .hasSize(2)
        .anyMatch(
            line ->
                line.contains(place)
                    && line.contains("\"done\":\"redriven\"")
                    && line.contains("\"author\":\"ann\",\"note\":\"mended\""));
  }

  @Test
  void what_stays_is_said_with_exit_code_1_and_no_filter_with_2() throws Exception {
    Topics topics = broker.topics("dlqstays");
    broker.write(record(topics, "k", "another", DAY));
    CliRun run = broker.run(topics, "dlq", "redrive", "--all", "--yes");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .containsExactly("1 dead letter stays: it goes to the topic another, which must be named");
    CliRun missing = broker.run(topics, "dlq", "redrive", "--topic", "another", "--yes");
    assertThat(missing.lines()).containsExactly("1 dead letter stays: there is no topic another");
    assertThat(broker.run(topics, "dlq", "redrive", "--yes").exitCode()).isEqualTo(2);
    assertThat(CliRun.of("dlq").err()).contains("A command is missing");
  }

  @Test
  void a_named_letter_that_is_not_there_is_named_with_exit_code_1() throws Exception {
    Topics topics = broker.topics("dlqgone");
    String place = letter(topics, "mail/1", "no", DAY);
    String gone = "dlqgone.dlq-2@999";
    String[] discard = {"dlq", "discard", place, gone, "--yes"};
    CliRun run = broker.run(topics, discard);
    assertThat(run.lines()).containsExactly("1 dead letter discarded");
    assertThat(run.err()).contains("not found, ").contains(": " + gone).doesNotContain(place);
    assertThat(run.exitCode()).isEqualTo(1);
    await().atMost(BOUND).untilAsserted(() -> assertThat(letters(topics)).isEmpty());
    for (String option : List.of("--yes", "--dry-run")) {
      CliRun again = broker.run(topics, "dlq", "redrive", place, option);
      assertThat(again.err()).contains("resolved already").contains(": " + place);
      assertThat(again.exitCode()).isEqualTo(1);
    }
    CliRun unnamed = broker.run(topics, "dlq", "redrive", "--reason", "no", "--yes");
    assertThat(unnamed.err()).contains("no dead letter matches.");
    assertThat(unnamed.exitCode()).isZero();
  }

  /** The places of the letters that a list has. */
  private static List<String> letters(Topics topics, String... options) {
    String[] command = new String[options.length + 3];
    command[0] = "dlq";
    command[1] = "list";
    command[2] = "--json";
    System.arraycopy(options, 0, command, 3, options.length);
    return broker.run(topics, command).lines().stream()
        .map(line -> line.replaceFirst("^\\{\"letter\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  private static String letter(Topics topics, String key, String reason, Instant at)
      throws Exception {
    return broker.write(record(topics, key, topics.commands(), at, reason));
  }

  private static ProducerRecord<byte[], byte[]> record(
      Topics topics, String key, String origin, Instant at) {
    return record(topics, key, origin, at, "no");
  }

  private static ProducerRecord<byte[], byte[]> record(
      Topics topics, String key, String origin, Instant at, String reason) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topics.dlq(), null, at.toEpochMilli(), key.getBytes(UTF_8), "v".getBytes(UTF_8));
    record.headers().add("own", "1".getBytes(UTF_8));
    record.headers().add(HeaderNames.ERROR, reason.getBytes(UTF_8));
    record.headers().add(HeaderNames.ORIGIN_TOPIC, origin.getBytes(UTF_8));
    record.headers().add(HeaderNames.ORIGIN_PARTITION, "1".getBytes(UTF_8));
    record.headers().add(HeaderNames.ORIGIN_OFFSET, "5".getBytes(UTF_8));
    return record;
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }
}
