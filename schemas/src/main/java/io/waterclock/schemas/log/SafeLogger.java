package io.waterclock.schemas.log;

import io.waterclock.schemas.text.SafeText;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loggers of Waterclock. Each event is one line of {@link SafeText}, even if a message, a
 * parameter or an exception contains text from outside. Every class gets its logger here; a test of
 * each module verifies it.
 *
 * <p>An exception with unsafe text, or one that throws when it is asked for its text, is logged as
 * a {@link EscapedException} with the same stack trace. Thread-safe as SLF4J is; a call for a
 * disabled level adds a reflective call to the cost in SLF4J.
 */
public final class SafeLogger {
  private SafeLogger() {}

  /** The logger with the name of a class. */
  public static Logger of(Class<?> owner) {
    return over(LoggerFactory.getLogger(owner));
  }

  static Logger over(Logger logger) {
    return (Logger)
        Proxy.newProxyInstance(
            SafeLogger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> call(logger, method, arguments));
  }

  private static @Nullable Object call(
      Logger logger, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(
          logger, arguments == null || isOff(logger, method) ? arguments : safe(arguments));
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /** Where nothing is written nothing is put into words. */
  private static boolean isOff(Logger logger, Method method) {
    return switch (method.getName()) {
      case "trace" -> !logger.isTraceEnabled();
      case "debug" -> !logger.isDebugEnabled();
      default -> false;
    };
  }

  private static @Nullable Object[] safe(@Nullable Object[] arguments) {
    return Arrays.stream(arguments).map(SafeLogger::safe).toArray();
  }

  private static @Nullable Object safe(@Nullable Object argument) {
    if (argument instanceof String text) {
      return SafeText.line(text);
    }
    if (argument instanceof Object[] all) {
      return safe(all);
    }
    if (argument instanceof Throwable thrown) {
      return EscapedException.of(thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
    }
    return argument == null
            || argument instanceof Number
            || argument instanceof Boolean
            || argument instanceof Class<?>
        ? argument
        : SafeText.line(SafeText.of(argument));
  }
}
