package io.waterclock.spring;

import io.waterclock.client.worker.GiveUpException;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.spring.aot.HandlerReflection;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Handles fires with a method of a bean. Exactly one of the attributes says which fires; if several
 * handlers match a fire, the most specific one gets it: id, longest prefix, type, label.
 *
 * <pre>{@code
 * @FireHandler(prefix = "reminders/")
 * void remind(Reminder reminder) { ... }
 * }</pre>
 *
 * <p>The method may have these parameters, each at most once, in any order: a {@link Run}, a {@link
 * Fire}, and the payload. {@code byte[]} and {@code String} get the payload as it is; any other
 * type is read from JSON. A payload that is absent, or the JSON value {@code null}, becomes {@code
 * Optional.empty()} or, if the parameter is {@code @Nullable}, null; for any other parameter it is
 * an error. A fire whose payload cannot be read is not tried again: it goes to the dead-letter
 * topic.
 *
 * <p>The method returns nothing, or a {@code String}: the output in the fire's outcome. Returning
 * means success, an exception means that this attempt has failed, and a {@link GiveUpException}
 * asks for no further attempt. Several threads of the worker call it, but never two at once for one
 * schedule.
 *
 * <p>All values may contain placeholders: <code>${reports.id}</code>. The application does not
 * start if a method is wrong; the failure lists all of them.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(FireHandler.Several.class)
@Reflective(HandlerReflection.class)
public @interface FireHandler {
  /** The id of one schedule. */
  String id() default "";

  /** The beginning of schedule ids. */
  String prefix() default "";

  /** The type of schedules. */
  String type() default "";

  /** A label of schedules and its value: {@code "team=billing"}. */
  String label() default "";

  /** Several handlers in one method. */
  @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
  @Retention(RetentionPolicy.RUNTIME)
  @Documented
  @interface Several {
    /** The handlers. */
    FireHandler[] value();
  }
}
