package io.waterclock.spring.test;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.schedules.CalendarBuilder;
import io.waterclock.client.worker.Run;
import io.waterclock.spring.FireHandler;
import io.waterclock.spring.WaterclockCalendar;
import io.waterclock.spring.WaterclockSchedule;
import io.waterclock.spring.WaterclockTemplate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The application of the tests. */
@SpringBootApplication
class Billing {
  record Invoice(String customer, int reminders) {}

  @Bean
  Invoices invoices(WaterclockTemplate waterclock) {
    return new Invoices(waterclock);
  }

  @Bean
  WaterclockCalendar easter() {
    return new WaterclockCalendar(
        "easter", CalendarBuilder.of(LocalDate.of(2026, 4, 5), LocalDate.of(2026, 4, 6)));
  }

  static class Invoices {
    final List<Instant> statements = new CopyOnWriteArrayList<>();
    final List<Instant> polls = new CopyOnWriteArrayList<>();
    final List<Instant> reports = new CopyOnWriteArrayList<>();
    final List<Invoice> reminded = new CopyOnWriteArrayList<>();
    final List<String> mails = new CopyOnWriteArrayList<>();
    private final WaterclockTemplate waterclock;

    Invoices(WaterclockTemplate waterclock) {
      this.waterclock = waterclock;
    }

    void send(String customer) {
      var unused =
          waterclock.after("reminders/" + customer, Duration.ofDays(14), new Invoice(customer, 1));
    }

    @WaterclockSchedule(id = "report", cron = "30 2 * * *", zone = "Europe/Berlin")
    void report(Run run) {
      reports.add(run.fire().getOccurrence());
    }

    @WaterclockSchedule(
        id = "statement",
        cron = "0 16 * * *",
        zone = "UTC",
        except = "easter",
        businessDay = "5")
    void state(Run run) {
      statements.add(run.fire().getOccurrence());
    }

    @FireHandler(id = "poll")
    void poll(Run run) {
      polls.add(run.fire().getOccurrence().truncatedTo(ChronoUnit.SECONDS));
      run.scheduleNext(Duration.ofHours(polls.size()));
    }

    /** Reminds three times. */
    @FireHandler(prefix = "reminders/")
    void remind(Invoice invoice, Run run) {
      reminded.add(invoice);
      if (invoice.reminders() < 3) {
        var unused =
            waterclock.after(
                run.fire().getScheduleId() + "/again",
                Duration.ofDays(7),
                new Invoice(invoice.customer(), invoice.reminders() + 1));
      }
    }

    /** Reads on from where the previous run has stopped. */
    @FireHandler(prefix = "mailbox/")
    void read(Run run) {
      String before = run.checkpoint().map(left -> new String(left, UTF_8)).orElse("");
      mails.add(before + run.payloadAs(String.class));
      run.leaveCheckpoint((before + "*").getBytes(UTF_8));
    }

    @FireHandler(id = "broken")
    void broken() {
      throw new IllegalStateException("no paper");
    }
  }
}
