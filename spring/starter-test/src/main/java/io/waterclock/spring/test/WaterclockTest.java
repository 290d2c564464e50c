package io.waterclock.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.annotation.AliasFor;

/**
 * A test of a Spring Boot application with a scheduler: by default on a virtual clock without
 * Kafka, or with a real broker in the JVM of the test.
 *
 * <pre>{@code
 * @WaterclockTest(startingAt = "2026-03-28T12:00:00Z")
 * class ReportsTest {
 *   @Test
 *   void the_report_runs_daily(@Autowired VirtualWaterclock waterclock) {
 *     waterclock.advance(Duration.ofDays(2));
 *     ...
 *   }
 * }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@SpringBootTest
public @interface WaterclockTest {
  /** What stands for Kafka. */
  enum Mode {
    /**
     * None: the real scheduler on a clock that the test moves, with {@link VirtualWaterclock}. It
     * calls the handlers on the thread of the test.
     */
    VIRTUAL_CLOCK,
    /**
     * A broker that the tests of a JVM share, with topics of its own for each application, and a
     * scheduler in the application.
     */
    EMBEDDED_BROKER
  }

  /** What stands for Kafka. */
  Mode mode() default Mode.VIRTUAL_CLOCK;

  /** The instant at which a virtual clock starts. */
  String startingAt() default "2026-01-01T00:00:00Z";

  /** The classes of the application; found as by {@link SpringBootTest} unless set. */
  @AliasFor(annotation = SpringBootTest.class)
  Class<?>[] classes() default {};

  /** Properties, as {@code key=value}. */
  @AliasFor(annotation = SpringBootTest.class)
  String[] properties() default {};
}
