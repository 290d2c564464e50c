package io.waterclock.spring.handler;

import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.client.worker.GiveUpException;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.Fire;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/** One argument of a handler's method. */
@FunctionalInterface
interface Argument {
  /** The value for a run; null only for a parameter that may be null. */
  @Nullable Object of(Run run) throws GiveUpException;

  static Argument of(MethodParameter parameter, PayloadMapper payloads) {
    if (parameter.getParameterType() == Run.class) {
      return run -> run;
    }
    if (parameter.getParameterType() == Fire.class) {
      return Run::fire;
    }
    boolean isOptional = parameter.getParameterType() == Optional.class;
    ResolvableType type = ResolvableType.forMethodParameter(parameter);
    return new Payload(
        isOptional ? type.getGeneric(0).getType() : type.getType(),
        isOptional ? Absent.EMPTY : mayBeNull(parameter) ? Absent.NULL : Absent.ERROR,
        new Payloads(payloads));
  }

  private static boolean mayBeNull(MethodParameter parameter) {
    return parameter.isOptional()
        || Arrays.stream(
                parameter
                    .getExecutable()
                    .getAnnotatedParameterTypes()[parameter.getParameterIndex()]
                    .getAnnotations())
            .anyMatch(annotation -> annotation.annotationType().getSimpleName().equals("Nullable"));
  }

  /** What a parameter gets if there is no payload. */
  enum Absent {
    EMPTY,
    NULL,
    ERROR
  }

  /**
   * The payload.
   *
   * @param type of the payload; for an {@code Optional} the type in it
   */
  record Payload(Type type, Absent absent, Payloads payloads) implements Argument {
    @Override
    public @Nullable Object of(Run run) throws GiveUpException {
      boolean isPresent = run.fire().getSchedule().getPayload() != null;
      Object value = isPresent ? read(run) : null;
      if (absent == Absent.EMPTY) {
        return Optional.ofNullable(value);
      }
      if (value == null && absent == Absent.ERROR) {
        throw new GiveUpException(
            "the fire "
                + run.fireKey()
                + " has no payload, and its handler needs a "
                + type.getTypeName()
                + "; declare the parameter as Optional or @Nullable, or put the schedule with a"
                + " payload");
      }
      return value;
    }

    private @Nullable Object read(Run run) {
      byte[] payload = run.payload();
      if (type == byte[].class) {
        return payload;
      }
      String text = new String(payload, StandardCharsets.UTF_8);
      if (type == String.class) {
        return text;
      }
      return text.strip().equals("null")
          ? null
          : payloads.read(payload, type, "the fire " + run.fireKey());
    }
  }
}
