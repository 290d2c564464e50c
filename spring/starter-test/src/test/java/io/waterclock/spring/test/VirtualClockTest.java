package io.waterclock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Selector;
import io.waterclock.client.testing.HandlerFailedException;
import io.waterclock.spring.WaterclockTemplate;
import io.waterclock.spring.kafka.ConnectionSettings;
import io.waterclock.spring.test.Billing.Invoice;
import io.waterclock.spring.test.Billing.Invoices;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;

/** An application on a virtual clock. */
@WaterclockTest(startingAt = "2026-03-28T12:00:00Z", properties = "spring.application.name=billing")
@DirtiesContext(classMode = DirtiesContext.ClassMode.BEFORE_EACH_TEST_METHOD)
final class VirtualClockTest {
  @Autowired private VirtualWaterclock waterclock;
  @Autowired private WaterclockTemplate template;
  @Autowired private Invoices invoices;
  @Autowired private ConnectionSettings connection;

  @Test
  void a_declared_schedule_fires_at_its_local_time() {
    waterclock.advance(Duration.ofDays(2));
    assertThat(invoices.reports)
        .containsExactly(
            Instant.parse("2026-03-29T01:00:00Z"), // 02:30 does not exist: the end of the gap
            Instant.parse("2026-03-30T00:30:00Z"));
  }

  @Test
  void what_a_handler_puts_counts_from_the_time_of_its_fire() {
    invoices.send("ann");
    waterclock.advance(Duration.ofDays(15));
    assertThat(invoices.reminded).containsExactly(new Invoice("ann", 1));
    waterclock.advance(Duration.ofDays(30));
    assertThat(invoices.reminded)
        .containsExactly(new Invoice("ann", 1), new Invoice("ann", 2), new Invoice("ann", 3));
    assertThat(waterclock.fires("reminders/ann/again/again"))
        .singleElement()
        .satisfies(
            fire ->
                assertThat(fire.getOccurrence()).isEqualTo(Instant.parse("2026-04-25T12:00:00Z")));
  }

  @Test
  void one_delete_cancels_all_that_has_a_label() {
    for (String id : new String[] {"invoices/42/1", "invoices/42/2", "invoices/43/1"}) {
      String invoice = id.substring(9, 11);
      assertThat(
              template
                  .put(id, ScheduleBuilder.after(Duration.ofDays(7)).label("invoice", invoice))
                  .answer()
                  .join())
          .isInstanceOf(Answer.Accepted.class);
    }
    Selector paid = Selector.all().label("invoice", "42");
    assertThat(template.delete(paid).join().answers())
        .containsOnlyKeys("invoices/42/1", "invoices/42/2");
    assertThat(template.delete(paid).join().answers()).isEmpty();
    waterclock.advance(Duration.ofDays(30));
    assertThat(waterclock.fires("invoices/42/1")).isEmpty();
    assertThat(waterclock.fires("invoices/43/1")).hasSize(1);
    assertThatThrownBy(() -> template.delete(Selector.all()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_bean_of_schedules_reaches_no_broker() {
    assertThat(connection.bootstrapServers()).isEqualTo("127.0.0.1:1");
  }

  @Test
  void the_fifth_business_day_follows_the_calendar_of_a_bean() {
    waterclock.advance(Duration.ofDays(30));
    // 1, 2, 3 and 4 April, and the day after Easter Monday
    assertThat(invoices.statements).containsExactly(Instant.parse("2026-04-07T16:00:00Z"));
  }

  @Test
  void a_template_changes_calendars() {
    assertThat(template.deleteCalendar("easter")).isCompleted();
    waterclock.advance(Duration.ofDays(30));
    assertThat(invoices.statements).containsExactly(Instant.parse("2026-04-05T16:00:00Z"));
  }

  @Test
  void a_handler_makes_its_schedule_fire_again() {
    var unused = template.put("poll", ScheduleBuilder.after(Duration.ofHours(1)));
    waterclock.advance(Duration.ofHours(5));
    assertThat(invoices.polls)
        .containsExactly(
            Instant.parse("2026-03-28T13:00:00Z"),
            Instant.parse("2026-03-28T14:00:00Z"),
            Instant.parse("2026-03-28T16:00:00Z"));
  }

  @Test
  void changes_are_answered_at_once() {
    assertThat(template.put("hourly", ScheduleBuilder.every("1h")).answer().join().orThrow().next())
        .contains(Instant.parse("2026-03-28T13:00:00Z"));
    assertThat(template.pause("hourly").answer().join()).isInstanceOf(Answer.Accepted.class);
    waterclock.advance(Duration.ofHours(5));
    assertThat(waterclock.fires("hourly")).isEmpty();
    assertThat(template.put("wrong", ScheduleBuilder.cron("61 * * * *")).answer().join())
        .isInstanceOf(Answer.Rejected.class);
    assertThat(template.delete("unknown").answer().join()).isInstanceOf(Answer.NotFound.class);
  }

  @Test
  void a_handler_finds_its_payload_as_text_and_the_checkpoint_of_the_previous_run() {
    var unused = template.put("mailbox/ann", ScheduleBuilder.every("1h"), "ann");
    waterclock.advance(Duration.ofHours(3));
    assertThat(invoices.mails).containsExactly("ann", "*ann", "**ann");
    assertThat(template.trigger("mailbox/ann", "now").answer().join())
        .isInstanceOf(Answer.Accepted.class);
    waterclock.advance(Duration.ofMinutes(1));
    assertThat(invoices.mails).last().isEqualTo("***now");
  }

  @Test
  void the_exception_of_a_handler_reaches_the_test() {
    var unused = template.put("broken", ScheduleBuilder.after(Duration.ofHours(1)));
    assertThatThrownBy(() -> waterclock.advance(Duration.ofDays(1)))
        .isInstanceOf(HandlerFailedException.class)
        .hasMessageContaining("broken|2026-03-28T13:00:00.000Z")
        .hasRootCauseMessage("no paper");
    assertThat(waterclock.now()).isEqualTo(Instant.parse("2026-03-28T13:00:00Z"));
  }
}
