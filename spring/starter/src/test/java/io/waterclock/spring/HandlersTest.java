package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.payload.PayloadException;
import io.waterclock.client.testing.TestRun;
import io.waterclock.client.worker.FireHandler;
import io.waterclock.client.worker.GiveUpException;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.spring.handler.AnnotatedMethods;
import io.waterclock.spring.handler.FireBinding;
import io.waterclock.spring.schedule.DeclaredSchedule;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.annotation.AliasFor;

/** What annotated methods become. */
@SuppressWarnings("unused") // Spring calls the handlers
final class HandlersTest {
  private static final List<@Nullable Object> RECEIVED = new ArrayList<>();

  record Reminder(String order) {}

  @BeforeEach
  void forget() {
    RECEIVED.clear();
  }

  static class Payloads {
    @io.waterclock.spring.FireHandler(id = "object")
    void object(Reminder reminder, Run run, Fire fire) {
      RECEIVED.add(reminder);
      RECEIVED.add(run.fireKey());
      RECEIVED.add(fire.getScheduleId());
    }

    @io.waterclock.spring.FireHandler(id = "list")
    void list(List<Reminder> reminders) {
      RECEIVED.add(reminders);
    }

    @io.waterclock.spring.FireHandler(id = "optional")
    void optional(Optional<Reminder> reminder) {
      RECEIVED.add(reminder);
    }

    @io.waterclock.spring.FireHandler(id = "nullable")
    void nullable(@Nullable Reminder reminder) {
      RECEIVED.add(reminder);
    }

    @io.waterclock.spring.FireHandler(id = "text")
    String text(String text) {
      RECEIVED.add(text);
      return "done " + text;
    }

    @io.waterclock.spring.FireHandler(id = "bytes")
    void bytes(byte[] bytes) {
      RECEIVED.add(new String(bytes, StandardCharsets.UTF_8));
    }

    @io.waterclock.spring.FireHandler(id = "fails")
    void fails() {
      throw new UnsupportedOperationException("the printer is on fire");
    }
  }

  @Test
  void the_payload_arrives_as_the_type_of_the_parameter() {
    Boot.offline()
        .withBean(Payloads.class)
        .run(
            context -> {
              handler(context, "id object").handle(Runs.of("{\"order\":\"7\"}"));
              handler(context, "id list").handle(Runs.of("[{\"order\":\"8\"}]"));
              handler(context, "id optional").handle(Runs.of("{\"order\":\"9\"}"));
              handler(context, "id text").handle(Runs.of("as it is"));
              handler(context, "id bytes").handle(Runs.of("{"));
              assertThat(RECEIVED)
                  .containsExactly(
                      new Reminder("7"),
                      "orders/1|2026-11-24T09:00:00.000Z",
                      "orders/1",
                      List.of(new Reminder("8")),
                      Optional.of(new Reminder("9")),
                      "as it is",
                      "{");
            });
  }

  @Test
  void an_absent_payload_is_empty_or_null_or_a_failure_without_retry() {
    Boot.offline()
        .withBean(Payloads.class)
        .run(
            context -> {
              for (@Nullable String none : new @Nullable String[] {null, "null"}) {
                RECEIVED.clear();
                handler(context, "id optional").handle(Runs.of(none));
                handler(context, "id nullable").handle(Runs.of(none));
                assertThat(RECEIVED).containsExactly(Optional.empty(), null);
                assertThatThrownBy(() -> handler(context, "id object").handle(Runs.of(none)))
                    .isInstanceOf(GiveUpException.class)
                    .hasMessageContaining("has no payload")
                    .hasMessageContaining("Optional or @Nullable");
              }
            });
  }

  @Test
  void a_payload_of_another_form_is_a_failure_without_retry() {
    Boot.offline()
        .withBean(Payloads.class)
        .run(
            context ->
                assertThatThrownBy(() -> handler(context, "id object").handle(Runs.of("[1]")))
                    .isInstanceOf(PayloadException.class)
                    .hasMessageContaining("is not " + Reminder.class.getName()));
  }

  @Test
  void text_that_a_handler_returns_is_the_output_of_the_run() {
    Boot.offline()
        .withBean(Payloads.class)
        .run(
            context -> {
              TestRun run = Runs.of("x");
              handler(context, "id text").handle(run);
              assertThat(run.output()).contains("done x");
            });
  }

  @Test
  void the_exception_of_a_handler_arrives_as_it_was_thrown() {
    Boot.offline()
        .withBean(Payloads.class)
        .run(
            context ->
                assertThatThrownBy(() -> handler(context, "id fails").handle(Runs.of(null)))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("the printer is on fire"));
  }

  @Configuration(proxyBeanMethods = false)
  static class Kinds {
    @Bean
    @Scope("prototype")
    Counted prototype() {
      return new Counted();
    }

    @Bean
    @Lazy
    LazyOne lazy() {
      RECEIVED.add("created");
      return new LazyOne();
    }

    @Bean
    ByClass proxied() {
      ProxyFactory proxy = new ProxyFactory(new ByClass());
      proxy.setProxyTargetClass(true);
      return (ByClass) proxy.getProxy();
    }
  }

  static class Counted {
    private int calls;

    @io.waterclock.spring.FireHandler(id = "prototype")
    void handle() {
      calls++;
      RECEIVED.add("call " + calls);
    }
  }

  static class LazyOne {
    @io.waterclock.spring.FireHandler(id = "lazy")
    void handle() {
      RECEIVED.add("called");
    }
  }

  static class ByClass {
    private final String field = "of the target";

    @io.waterclock.spring.FireHandler(id = "proxied")
    public void handle() {
      RECEIVED.add(field);
    }
  }

  @Test
  void prototypes_are_new_for_each_run_and_lazy_beans_are_created_for_the_first() {
    Boot.offline()
        .withUserConfiguration(Kinds.class)
        .run(
            context -> {
              assertThat(RECEIVED).isEmpty();
              handler(context, "id prototype").handle(Runs.of(null));
              handler(context, "id prototype").handle(Runs.of(null));
              handler(context, "id lazy").handle(Runs.of(null));
              handler(context, "id lazy").handle(Runs.of(null));
              assertThat(RECEIVED)
                  .containsExactly("call 1", "call 1", "created", "called", "called");
            });
  }

  @Test
  void the_target_of_a_proxy_handles_the_fire() {
    Boot.offline()
        .withUserConfiguration(Kinds.class)
        .run(
            context -> {
              handler(context, "id proxied").handle(Runs.of(null));
              assertThat(RECEIVED).containsExactly("of the target");
            });
  }

  interface Other {
    void other();
  }

  static class ByInterface implements Other {
    @io.waterclock.spring.FireHandler(id = "a")
    public void handle() {}

    @Override
    public void other() {}
  }

  @Configuration(proxyBeanMethods = false)
  static class InterfaceProxy {
    @Bean
    Object proxied() {
      return new ProxyFactory(new ByInterface()).getProxy();
    }
  }

  @Test
  void a_proxy_without_the_method_is_an_error_at_the_start() {
    Boot.offline()
        .withUserConfiguration(InterfaceProxy.class)
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .hasMessageContaining("the proxy of its bean cannot call it"));
  }

  @Retention(RetentionPolicy.RUNTIME)
  @WaterclockSchedule(id = "", cron = "0 3 * * *", zone = "Europe/Berlin")
  @interface Nightly {
    @AliasFor(annotation = WaterclockSchedule.class, attribute = "id")
    String value();
  }

  static class Declared {
    @Nightly("${names.cleanup:cleanup}")
    void cleanup() {}

    @WaterclockSchedule(
        id = "sync",
        every = "10m",
        anchor = "2026-01-01T00:00:00Z",
        catchUp = CatchUp.REPLAY,
        grace = "5s",
        timeout = "none",
        maxAttempts = "2",
        payload = "{\"full\":true}",
        type = "sync",
        description = "every ten minutes",
        endAt = "2027-01-01T00:00:00Z",
        except = {"holidays-de", "${names.calendar}"},
        onExcluded = OnExcluded.NEXT_WORKING_DAY,
        backoff = "2s",
        target = "orders.synced",
        targetValue = TargetValue.PAYLOAD,
        labels = {"team=billing", "tier=1"})
    @io.waterclock.spring.FireHandler(prefix = "sync/")
    void sync() {}

    @WaterclockSchedule(id = "off", cron = "${cron.of.off}")
    void off() {}

    @WaterclockSchedule(id = "weekdays", cron = "0 9 * * 1-5")
    @WaterclockSchedule(id = "weekend", cron = "0 11 * * 6,7")
    void twice() {}
  }

  @Test
  void a_declared_schedule_has_a_definition_and_a_handler() {
    Boot.offline()
        .withBean(Declared.class)
        .withPropertyValues(
            "names.cleanup=cleanup/nightly", "names.calendar=audits", "cron.of.off=-")
        .run(
            context -> {
              AnnotatedMethods methods = context.getBean(AnnotatedMethods.class);
              assertThat(methods.schedules())
                  .extracting(DeclaredSchedule::id)
                  .containsExactlyInAnyOrder("cleanup/nightly", "sync", "weekdays", "weekend");
              assertThat(methods.handlers())
                  .extracting(binding -> binding.match().toString())
                  .containsExactlyInAnyOrder(
                      "id cleanup/nightly",
                      "id sync",
                      "prefix sync/",
                      "id off",
                      "id weekdays",
                      "id weekend");
              Schedule cleanup = definition(context, "cleanup/nightly");
              assertThat(cleanup.getTrigger()).isEqualTo(new CronTrigger("0 3 * * *"));
              assertThat(cleanup.getTimezone()).isEqualTo("Europe/Berlin");
              Schedule sync = definition(context, "sync");
              assertThat(sync.getCatchUp()).isEqualTo(CatchUp.REPLAY);
              assertThat(sync.getGraceMs()).isEqualTo(5_000);
              assertThat(sync.getTimeoutNone()).isTrue();
              assertThat(sync.getMaxAttempts()).isEqualTo(2);
              assertThat(sync.getType()).isEqualTo("sync");
              assertThat(sync.getContentType()).isEqualTo("application/json");
              assertThat(sync.getDescription()).isEqualTo("every ten minutes");
              assertThat(sync.getEndAt()).isEqualTo(Instant.parse("2027-01-01T00:00:00Z"));
              assertThat(sync.getExcept()).containsExactlyInAnyOrder("holidays-de", "audits");
              assertThat(sync.getOnExcluded()).isEqualTo(OnExcluded.NEXT_WORKING_DAY);
              assertThat(sync.getBackoffMs()).isEqualTo(2_000);
              assertThat(sync.getTarget())
                  .isEqualTo(new Target("orders.synced", null, TargetValue.PAYLOAD, null));
              assertThat(sync.getLabels()).isEqualTo(Map.of("team", "billing", "tier", "1"));
            });
  }

  private static Schedule definition(AssertableApplicationContext context, String id) {
    return context.getBean(AnnotatedMethods.class).schedules().stream()
        .filter(declared -> declared.id().equals(id))
        .flatMap(declared -> declared.definition().stream())
        .findFirst()
        .orElseThrow();
  }

  static FireHandler handler(ApplicationContext context, String match) {
    return context.getBean(AnnotatedMethods.class).handlers().stream()
        .filter(binding -> binding.match().toString().equals(match))
        .map(FireBinding::handler)
        .findFirst()
        .orElseThrow();
  }
}
