package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.TestFires;
import io.waterclock.client.retry.FailureText;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class HandlersTest {
  private final Handlers handlers = new Handlers();

  private static Optional<FireHandler> of(
      Handlers handlers, String id, Consumer<Schedule> definition) {
    return handlers.of(
        TestFires.of(id, Instant.parse("2026-11-21T10:00:00Z"), Duration.ofMinutes(1), definition));
  }

  @Test
  void the_most_specific_handler_wins() {
    Map<String, FireHandler> named = new java.util.TreeMap<>();
    for (String name : List.of("id", "long", "short", "type", "label", "label2", "owner", "any")) {
      named.put(name, run -> {});
    }
    Consumer<Schedule> everything =
        schedule -> {
          schedule.setType("report");
          schedule.setOwner("billing");
          schedule.setLabels(Map.of("team", "x", "tier", "1"));
        };
    Handlers all = new Handlers();
    assertThat(of(all, "reports/daily", everything)).isEmpty();
    all.put(Handlers.By.ANY, "any", get(named, "any"));
    assertThat(of(all, "reports/daily", everything)).contains(get(named, "any"));
    all.put(Handlers.By.OWNER, "billing", get(named, "owner"));
    assertThat(of(all, "reports/daily", everything)).contains(get(named, "owner"));
    all.put(Handlers.By.LABEL, Map.entry("tier", "1"), get(named, "label"));
    all.put(Handlers.By.LABEL, Map.entry("team", "x"), get(named, "label2"));
    assertThat(of(all, "reports/daily", everything)).contains(get(named, "label"));
    all.put(Handlers.By.TYPE, "report", get(named, "type"));
    assertThat(of(all, "reports/daily", everything)).contains(get(named, "type"));
    all.put(Handlers.By.PREFIX, "rep", get(named, "short"));
    assertThat(of(all, "reports/daily", everything)).contains(get(named, "short"));
    all.put(Handlers.By.PREFIX, "reports/", get(named, "long"));
    all.put(Handlers.By.PREFIX, "reports/dz", run -> {});
    assertThat(of(all, "reports/daily", everything)).contains(get(named, "long"));
    all.put(Handlers.By.ID, "reports/daily", get(named, "id"));
    assertThat(of(all, "reports/daily", everything)).contains(get(named, "id"));
    assertThat(of(all, "other", schedule -> {})).contains(get(named, "any"));
  }

  private static FireHandler get(Map<String, FireHandler> named, String name) {
    return Optional.ofNullable(named.get(name)).orElseThrow();
  }

  @Test
  void an_unhandled_fire_has_no_handler() {
    handlers.put(Handlers.By.TYPE, "report", run -> {});
    assertThat(of(handlers, "a", schedule -> {})).isEmpty();
  }

  @Test
  void two_handlers_for_the_same_are_refused() {
    handlers.put(Handlers.By.PREFIX, "a/", run -> {});
    assertThatThrownBy(() -> handlers.put(Handlers.By.PREFIX, "a/", run -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a/");
  }

  @Test
  void a_prefix_that_no_id_begins_with_is_refused() {
    FireWorker.Builder worker = FireWorker.builder("127.0.0.1:1", "service");
    assertThatThrownBy(() -> worker.onPrefix("rep orts/", run -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"rep orts/\"");
    worker.onPrefix("", run -> {});
  }

  @Test
  void text_is_cut_between_characters() {
    assertThat(FailureText.cut("abc", 3)).isEqualTo("abc");
    assertThat(FailureText.cut("äöü", 5)).isEqualTo("äö");
    assertThat(FailureText.cut("😀😀", 7)).isEqualTo("😀");
    assertThat(FailureText.cut("x".repeat(20_000), 16_384)).hasSize(16_384);
  }

  @Test
  void workers_with_handlers_for_the_same_fires_have_one_fingerprint() {
    Handlers one = new Handlers();
    one.put(Handlers.By.PREFIX, "a/", run -> {});
    one.put(Handlers.By.TYPE, "mail", run -> {});
    Handlers same = new Handlers();
    same.put(Handlers.By.TYPE, "mail", run -> {});
    same.put(Handlers.By.PREFIX, "a/", run -> {});
    Handlers other = new Handlers();
    other.put(Handlers.By.TYPE, "mail", run -> {});
    other.put(Handlers.By.ID, "a/", run -> {});
    assertThat(same.fingerprint()).isEqualTo(one.fingerprint());
    assertThat(other.fingerprint()).isNotEqualTo(one.fingerprint());
    assertThat(new Handlers().fingerprint()).isNotEqualTo(one.fingerprint());
  }
}
