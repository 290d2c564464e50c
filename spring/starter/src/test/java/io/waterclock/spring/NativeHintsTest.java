package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.spring.aot.WaterclockRuntimeHints;
import io.waterclock.spring.boot.WaterclockAutoConfiguration;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.FieldHint;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** The hints for a native image. No image is built here. */
final class NativeHintsTest {
  record Reminder(String order) {}

  static class Handler {
    @FireHandler(id = "a")
    void handle(Reminder reminder) {}

    @WaterclockSchedule(id = "b", every = "5m")
    void declared() {}

    @FireHandler(prefix = "c/")
    @FireHandler(prefix = "d/")
    void twice() {}
  }

  @Test
  void records_of_avro_resources_and_proxies_have_hints() {
    RuntimeHints hints = new RuntimeHints();
    new WaterclockRuntimeHints().registerHints(hints, getClass().getClassLoader());
    for (Class<?> record : new Class<?>[] {Schedule.class, Fire.class, ScheduleStatus.class}) {
      assertThat(RuntimeHintsPredicates.reflection().onType(record)).accepts(hints);
      // Spring 6.2 and 7 have predicates of different types for fields
      assertThat(hints.reflection().getTypeHint(record).fields())
          .extracting(FieldHint::getName)
          .contains("SCHEMA$");
      assertThat(
              RuntimeHintsPredicates.reflection()
                  .onType(record)
                  .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
          .accepts(hints);
    }
    assertThat(
            RuntimeHintsPredicates.resource().forResource("io/waterclock/client/dedup/claims.sql"))
        .accepts(hints);
    assertThat(
            RuntimeHintsPredicates.resource()
                .forResource("io/waterclock/schemas/published/v1/Fire.avsc"))
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Producer.class)).accepts(hints);
  }

  /**
   * Spring for Apache Kafka has hints for classes that kafka-clients 4.4 no longer has. So the
   * sample's build runs this with the clients of Spring Boot 4.
   */
  @Test
  @EnabledIfSystemProperty(named = "waterclock.hints", matches = "true")
  void handlers_and_their_payloads_have_hints_and_the_beans_can_be_generated() throws Exception {
    DefaultGenerationContext generation =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get("io.waterclock.spring", "Application")),
            new InMemoryGeneratedFiles());
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.register(Handler.class, WaterclockAutoConfiguration.class);
      context.setAllowBeanDefinitionOverriding(false);
      new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
      generation.writeGeneratedContent();
    }
    RuntimeHints hints = generation.getRuntimeHints();
    assertThat(RuntimeHintsPredicates.reflection().onMethod(Handler.class, "handle").invoke())
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onMethod(Handler.class, "declared").invoke())
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onMethod(Handler.class, "twice").invoke())
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onType(Reminder.class)).accepts(hints);
  }
}
