package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TargetRulesTest {
  private static final ScheduleId ID = ScheduleId.parse("acme/daily");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mail | mail | true",
        "mail | mails | false",
        "mail | mai | false",
        "orders.* | orders.created | true",
        "orders.* | orders. | true",
        "orders.* | orders | false",
        "orders.* | ordersXcreated | false",
        "*.delayed | a.b.delayed | true",
        "*.delayed | a.delayed.b | false",
        "a*b*c | abc | true",
        "a*b*c | axbxbxc | true",
        "a*b*c | axbx | false",
        "*aaaaaaaaaaaaaaaaaaaab | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | false",
        "x, orders.* ,mail | mail | true",
        "x, orders.* ,mail | orders.new | true",
        "x, orders.* ,mail | y | false"
      })
  void a_name_is_allowed_if_an_entry_matches_all_of_it(String list, String topic, boolean allowed) {
    assertThat(parse(list).allows(topic)).isEqualTo(allowed);
  }

  @Test
  void every_entry_that_can_be_no_name_is_told() {
    List<String> problems = new ArrayList<>();
    AllowList list = AllowList.topics("good, b a d, also-good, [a-z]+", problems);
    assertThat(problems).hasSize(2);
    assertThat(problems.get(0))
        .startsWith("\"b a d\" cannot be a topic name")
        .contains("orders.*, mail");
    assertThat(list.entries()).containsExactly("good", "also-good");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "waterclock.schedules | \"waterclock.schedules\" is a topic of the scheduler itself",
        "waterclock.outcomes | \"waterclock.outcomes\" is a topic of the scheduler itself",
        "app-schedules-changelog | \"app-schedules-changelog\" is a topic of the scheduler itself",
        "other | \"other\" is not in targets.allow, which has waterclock.*, app*, mail",
        "waterclock.schedules2 | ",
        "app | ",
        "mail | "
      })
  void an_objection_says_what_would_be_right(String topic, String objection) {
    TargetRules rules =
        new TargetRules(
            parse("waterclock.*, app*, mail"), OwnerLimits.none(), Topics.ofDefault(), "app");
    assertThat(rules.objection(ID, topic).orElse(null)).isEqualTo(objection);
  }

  /** Who may write there has the rights of those who read it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "__consumer_offsets",
        "__transaction_state",
        "_schemas",
        "_confluent-command",
        "kafkasql-journal",
        "connect-configs",
        "connect-offsets",
        "connect-status",
        "waterclock.strays",
        "app-schedules-changelog"
      })
  void what_kafka_connect_registries_and_the_scheduler_keep_is_never_a_target(String topic) {
    TargetRules rules =
        new TargetRules(
            parse("_*, kafka*, connect-*, waterclock.*, app*"),
            OwnerLimits.none(),
            Topics.ofDefault(),
            "app");
    assertThat(rules.objection(ID, topic))
        .hasValueSatisfying(objection -> assertThat(objection).endsWith(" itself"));
    assertThat(rules.mayBeTarget(topic)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "**", "mail, *"})
  void a_list_of_everything_is_none(String text) {
    List<String> problems = new ArrayList<>();
    AllowList list = AllowList.topics(text, problems);
    assertThat(problems).hasSize(1).first().asString().contains("every topic of the cluster");
    assertThat(list.entries()).doesNotContain("*", "**");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "acme/daily | acme.in | ",
        "acme/daily | mail | \"mail\" is not among the targets of acme/ (owner.limits, targets),"
            + " which has acme.*",
        "other | mail | ",
        "other | acme.in | \"acme.in\" is not in targets.allow, which has mail",
        "nobody/x | mail | \"mail\" is not among the targets of nobody/ (owner.limits, targets),"
            + " which has "
      })
  void an_owner_may_have_targets_of_its_own(String id, String topic, String objection) {
    List<String> problems = new ArrayList<>();
    OwnerLimits owners =
        OwnerLimits.parse("acme/ targets=acme.*; nobody/ targets=,; * schedules=5", problems);
    assertThat(problems).isEmpty();
    TargetRules rules = new TargetRules(parse("mail"), owners, Topics.ofDefault(), "app");
    assertThat(rules.objection(ScheduleId.parse(id), topic).map(String::strip).orElse(null))
        .isEqualTo(objection);
    assertThat(rules.mayBeTarget(topic)).isTrue();
  }

  @Test
  void a_name_that_no_topic_can_have_is_refused() {
    TargetRules rules =
        new TargetRules(parse("mail*"), OwnerLimits.none(), Topics.ofDefault(), "app");

    assertThat(rules.objection(ID, "mail" + "x".repeat(245))).isEmpty();
    assertThat(rules.objection(ID, "mail" + "x".repeat(246)))
        .contains("a topic's name has at most 249 characters, this one 250");
  }

  @Test
  void the_topic_of_retries_is_a_target_if_the_list_has_its_whole_name() {
    List<String> problems = new ArrayList<>();
    OwnerLimits owners = OwnerLimits.parse("acme/ targets=acme.*", problems);
    assertThat(problems).isEmpty();
    TargetRules by =
        new TargetRules(parse("waterclock.retries"), owners, new Topics("waterclock"), "app");
    assertThat(by.allowsRetries()).isTrue();
    assertThat(by.mayBeTarget("waterclock.retries")).isTrue();
    assertThat(by.objection(ID, "waterclock.retries")).isEmpty();
    assertThat(by.objection(ScheduleId.parse("acme/daily"), "waterclock.retries"))
        .as("whatever the owner's list")
        .isEmpty();
    assertThat(by.objection(ID, "waterclock.fires")).isPresent();
    TargetRules matching =
        new TargetRules(parse("waterclock.*"), owners, new Topics("waterclock"), "app");
    assertThat(matching.allowsRetries()).isFalse();
    assertThat(matching.objection(ID, "waterclock.retries")).isPresent();
  }

  @Test
  void with_an_empty_list_no_topic_is_allowed() {
    TargetRules rules =
        new TargetRules(AllowList.none(), OwnerLimits.none(), Topics.ofDefault(), "app");
    assertThat(rules.isOn()).isFalse();
    assertThat(rules.objection(ID, "mail"))
        .contains("no topic may be a target here: targets.allow is empty");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"at\":\"now\"} | ",
        "{\"at\":\"now\",\"target\":{\"topic\":\"mail\"}} | ",
        "{\"at\":\"now\",\"payload\":1,\"target\":{\"topic\":\"mail\",\"value\":\"payload\"}} | ",
        "{\"at\":\"now\",\"headers\":{\"ce_id\":\"x\"}} | ",
        "{\"at\":\"now\",\"headers\":{\"ce_mine\":\"x\"},\"target\":{\"topic\":\"mail\"}} | ",
        "{\"at\":\"now\",\"headers\":{\"ce_id\":\"x\",\"content-type\":\"x\"},"
            + "\"target\":{\"topic\":\"no\",\"value\":\"payload\"}}"
            + " | target.topic,payload,headers.ce_id,headers.content-type"
      })
  void all_that_is_wrong_with_a_target_is_told_at_once(String json, String fields) {
    Schedule schedule = RecordCodecs.schedule().decode(json.getBytes(StandardCharsets.UTF_8));
    TargetRules rules =
        new TargetRules(parse("mail"), OwnerLimits.none(), Topics.ofDefault(), "app");
    assertThat(rules.problems(ID, schedule))
        .extracting(Problem::getField)
        .isEqualTo(fields == null ? List.of() : List.of(fields.split(",")));
  }

  private static AllowList parse(String text) {
    List<String> problems = new ArrayList<>();
    AllowList list = AllowList.topics(text, problems);
    assertThat(problems).isEmpty();
    return list;
  }
}
