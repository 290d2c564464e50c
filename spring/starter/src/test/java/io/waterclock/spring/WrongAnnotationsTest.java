package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.spring.boot.PayloadAutoConfiguration;
import io.waterclock.spring.boot.WaterclockAutoConfiguration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** A handler that cannot work stops the start, with all that is wrong at once. */
@SuppressWarnings("unused") // Spring calls the handlers
final class WrongAnnotationsTest {
  record Reminder(String order) {}

  static class NoCriterion {
    @FireHandler
    void handle() {}
  }

  static class TwoCriteria {
    @FireHandler(id = "a", type = "b")
    void handle() {}
  }

  static class WrongId {
    @FireHandler(id = "-not an id-")
    void handle() {}
  }

  static class WrongPrefix {
    @FireHandler(prefix = "rep orts/")
    void handle() {}
  }

  static class WrongLabel {
    @FireHandler(label = "billing")
    void handle() {}
  }

  static class TwoPayloads {
    @FireHandler(id = "a")
    void handle(Reminder one, String two) {}
  }

  static class Result {
    @FireHandler(id = "a")
    CompletableFuture<Void> handle() {
      return CompletableFuture.completedFuture(null);
    }
  }

  static class Static {
    @FireHandler(id = "a")
    static void handle() {}
  }

  static class Placeholder {
    @FireHandler(id = "${no.such.property}")
    void handle() {}
  }

  static class SameIdTwice {
    @FireHandler(id = "a")
    void one() {}

    @FireHandler(id = "a")
    void two() {}
  }

  static class NoTrigger {
    @WaterclockSchedule(id = "a")
    void handle() {}
  }

  static class TwoTriggers {
    @WaterclockSchedule(id = "a", cron = "@daily", every = "5m")
    void handle() {}
  }

  static class WrongInterval {
    @WaterclockSchedule(id = "a", every = "often")
    void handle() {}
  }

  static class WrongZone {
    @WaterclockSchedule(id = "a", every = "5m", zone = "Europe/Berlln")
    void handle() {}
  }

  static class WrongInstant {
    @WaterclockSchedule(id = "a", at = "tomorrow")
    void handle() {}
  }

  static class WrongScheduleId {
    @WaterclockSchedule(id = "a b", every = "5m")
    void handle() {}
  }

  static class WrongPayload {
    @WaterclockSchedule(id = "a", every = "5m", payload = "{")
    void handle() {}
  }

  static class AnchorOfCron {
    @WaterclockSchedule(id = "a", cron = "@daily", anchor = "2026-01-31T09:00:00Z")
    void handle() {}
  }

  static class WithoutDatabase {
    @FireHandler(id = "a")
    @OncePerFire
    void handle() {}
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(NoCriterion.class, "exactly one of id, prefix, type and label, and has none"),
        Arguments.of(TwoCriteria.class, "exactly one of id, prefix, type and label, and has [ID"),
        Arguments.of(WrongId.class, "-not an id-"),
        Arguments.of(WrongPrefix.class, "schedule id \"rep orts/\""),
        Arguments.of(WrongLabel.class, "\"billing\" is not name=value"),
        Arguments.of(TwoPayloads.class, "2 parameters for the payload"),
        Arguments.of(Result.class, "it returns java.util.concurrent.CompletableFuture"),
        Arguments.of(Static.class, "it is static"),
        Arguments.of(Placeholder.class, "no.such.property"),
        Arguments.of(SameIdTwice.class, "handles the id a already"),
        Arguments.of(NoTrigger.class, "exactly one of cron, every, rrule and at, and has none"),
        Arguments.of(TwoTriggers.class, "has [cron, every]"),
        Arguments.of(WrongInterval.class, "every: "),
        Arguments.of(
            WrongZone.class,
            "zone: \"Europe/Berlln\" is not a time zone; the nearest one is \"Europe/Berlin\""),
        Arguments.of(WrongInstant.class, "\"tomorrow\" is not an instant"),
        Arguments.of(WrongScheduleId.class, "id: "),
        Arguments.of(WrongPayload.class, "payload: "),
        Arguments.of(AnchorOfCron.class, "anchor: goes with every and rrule only"),
        Arguments.of(WithoutDatabase.class, "@OncePerFire needs a database"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource
  void wrong(Class<?> bean, String problem) {
    Boot.offline()
        .withBean(bean)
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .isInstanceOfSatisfying(
                        InvalidAnnotationsException.class,
                        e ->
                            assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .startsWith(bean.getName() + ".")
                                .contains(problem)));
  }

  @Test
  void the_failure_lists_the_problems_of_all_beans() {
    Boot.offline()
        .withBean(NoTrigger.class)
        .withBean(Static.class)
        .withBean(WrongZone.class)
        .run(
            context -> {
              FailureAnalysis analysis = analyze(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .contains("NoTrigger.handle()", "Static.handle()", "WrongZone.handle()");
              assertThat(analysis.getAction()).isEqualTo("Mend all of these methods.");
            });
  }

  @Test
  void two_beans_of_one_class_cannot_both_handle_its_id() {
    Boot.offline()
        .withBean("first", SameHandler.class)
        .withBean("second", SameHandler.class)
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .hasMessageContaining("(bean second)")
                    .hasMessageContaining("handles the id a already"));
  }

  static class SameHandler {
    @FireHandler(id = "a")
    void handle() {}
  }

  @Test
  void a_misspelt_property_stops_the_start() {
    Boot.offline()
        .withPropertyValues("waterclock.worker.treads=4")
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("waterclock.worker.treads"));
  }

  @Test
  void a_prefix_that_no_topic_can_have_stops_the_start() {
    Boot.offline()
        .withPropertyValues("waterclock.prefix=two words")
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .isInstanceOf(ConfigurationPropertiesBindException.class)
                    .rootCause()
                    .hasMessageContaining("topic prefix \"two words\" must have"));
  }

  @Test
  void a_worker_without_a_name_for_its_group_stops_the_start() {
    Boot.application()
        .withBean(SameHandler.class)
        .withPropertyValues("spring.application.name=", "waterclock.schedules.enabled=false")
        .run(
            context ->
                assertThat(analyze(context.getStartupFailure()).getAction())
                    .contains("spring.application.name", "waterclock.worker.group-id"));
  }

  @Test
  void an_application_without_addresses_of_brokers_does_not_start() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PayloadAutoConfiguration.class, WaterclockAutoConfiguration.class))
        .run(
            context ->
                assertThat(analyze(context.getStartupFailure()).getAction())
                    .contains("spring-boot-starter-kafka", "waterclock.properties"));
  }

  private static FailureAnalysis analyze(Throwable failure) {
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class,
            SpringFactoriesLoader.FailureHandler.handleMessage((message, e) -> {}))
        .stream()
        .filter(analyzer -> analyzer.getClass().getName().startsWith("io.waterclock."))
        .map(analyzer -> analyzer.analyze(failure))
        .findFirst()
        .orElseThrow();
  }
}
