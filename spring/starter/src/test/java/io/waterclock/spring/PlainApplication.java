package io.waterclock.spring;

import io.waterclock.client.schedules.NotWrittenException;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.topics.KafkaVersion;
import io.waterclock.spring.actuate.ClientHealth;
import io.waterclock.spring.actuate.WorkerHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * An application without a scheduler, in a JVM of its own, with the kafka-clients on its class
 * path: declares a schedule, puts others in transactions and without one, handles their fires, and
 * prints what came of it.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class PlainApplication {
  record Reminder(String order) {}

  static class Handlers {
    final CountDownLatch ticked = new CountDownLatch(1);
    final CountDownLatch reminded = new CountDownLatch(2);

    @WaterclockSchedule(id = "plain/${plain.version}/tick", every = "1s")
    void tick() {
      ticked.countDown();
    }

    @FireHandler(prefix = "plain/${plain.version}/reminders/")
    void remind(Reminder reminder) {
      System.out.println("reminded of " + reminder.order());
      reminded.countDown();
    }
  }

  @Bean
  Handlers handlers() {
    return new Handlers();
  }

  public static void main(String[] args) throws InterruptedException {
    String version = KafkaVersion.ofClients();
    String reminders = "plain/" + version + "/reminders/";
    System.out.println("kafka-clients " + version);
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(PlainApplication.class)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .run(
                "--plain.version=" + version,
                "--spring.application.name=plain-" + version,
                "--spring.kafka.bootstrap-servers=" + args[0],
                "--spring.kafka.producer.transaction-id-prefix=plain-" + version + "-",
                "--spring.jmx.enabled=false",
                "--waterclock.timeout=40s")) {
      WaterclockTemplate waterclock = context.getBean(WaterclockTemplate.class);
      System.out.println(
          "refused "
              + waterclock
                  .put(reminders + "wrong", ScheduleBuilder.cron("61 * * * *"))
                  .answer()
                  .join());
      System.out.println(
          "put "
              + waterclock
                  .after(reminders + "plain", Duration.ofMillis(1), new Reminder("a plain put"))
                  .answer()
                  .join()
                  .orThrow()
                  .isChange());
      inTransactions(context, waterclock, reminders);
      Handlers handlers = context.getBean(Handlers.class);
      handlers.ticked.await();
      handlers.reminded.await();
      System.out.println("client " + context.getBean(ClientHealth.class).get().status());
      System.out.println("worker " + context.getBean(WorkerHealth.class).get().status());
    }
    System.out.println("closed");
  }

  @SuppressWarnings("unchecked")
  private static void inTransactions(
      ConfigurableApplicationContext context, WaterclockTemplate waterclock, String reminders) {
    KafkaTemplate<String, String> kafka = context.getBean(KafkaTemplate.class);
    ScheduleChange committed =
        kafka.executeInTransaction(
            operations -> {
              var unused = operations.send("orders", "1", "placed");
              return waterclock.after(
                  reminders + "committed", Duration.ofMillis(1), new Reminder("a commit"));
            });
    System.out.println("committed " + committed.answer().join().orThrow().isChange());
    List<ScheduleChange> aborted = new ArrayList<>();
    try {
      kafka.executeInTransaction(
          operations -> {
            aborted.add(
                waterclock.after(
                    reminders + "aborted", Duration.ofMillis(1), new Reminder("an abort")));
            throw new IllegalStateException("no stock");
          });
    } catch (IllegalStateException e) {
      System.out.println("failed " + e.getMessage());
    }
    try {
      System.out.println("answered " + aborted.get(0).answer().join());
    } catch (NotWrittenException e) {
      boolean exists =
          context.getBean(Schedules.class).get(reminders + "aborted").join().isPresent();
      System.out.println("aborted " + !exists);
    }
  }
}
