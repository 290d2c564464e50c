package io.waterclock.spring.test;

import io.waterclock.spring.test.WaterclockTest.Mode;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Prepares the application of a {@link WaterclockTest}. */
final class WaterclockContextCustomizerFactory implements ContextCustomizerFactory {
  private static final AtomicInteger APPLICATIONS = new AtomicInteger();

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    WaterclockTest test =
        TestContextAnnotationUtils.findMergedAnnotation(testClass, WaterclockTest.class);
    if (test == null) {
      return null;
    }
    return test.mode() == Mode.EMBEDDED_BROKER
        ? new Broker()
        : new Virtual(Instant.parse(test.startingAt()));
  }

  /** Equal ones share an application. */
  record Virtual(Instant startingAt) implements ContextCustomizer {
    /** No test on a virtual clock changes schedules of a broker that happens to run beside it. */
    private static final String NO_BROKER = "waterclock.properties.bootstrap.servers=127.0.0.1:1";

    @Override
    public void customizeContext(
        ConfigurableApplicationContext context, MergedContextConfiguration merged) {
      TestPropertyValues.of(
              "waterclock.worker.enabled=false", "waterclock.schedules.enabled=false", NO_BROKER)
          .applyTo(context);
      ((GenericApplicationContext) context)
          .registerBean(VirtualWaterclock.class, () -> VirtualWaterclock.of(context, startingAt));
    }
  }

  /** Has the application use the shared broker, with topics of its own. */
  record Broker() implements ContextCustomizer {
    @Override
    public void customizeContext(
        ConfigurableApplicationContext context, MergedContextConfiguration merged) {
      TestBroker broker = TestBroker.shared();
      String prefix = "test-" + APPLICATIONS.incrementAndGet();
      TestPropertyValues.of(
              "spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
              "waterclock.prefix=" + prefix,
              "waterclock.worker.group-id=" + prefix,
              "waterclock.scheduler.enabled=true",
              "waterclock.scheduler.properties.partitions=1",
              "waterclock.scheduler.properties.state.dir=" + broker.directory(prefix))
          .applyTo(context);
    }
  }
}
