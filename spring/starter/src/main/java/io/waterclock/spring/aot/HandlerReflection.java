package io.waterclock.spring.aot;

import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.Fire;
import java.lang.reflect.Method;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.SimpleReflectiveProcessor;

/** Lets a native image call a handler, and read its payload. */
public final class HandlerReflection extends SimpleReflectiveProcessor {
  private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

  @Override
  protected void registerMethodHint(ReflectionHints hints, Method method) {
    super.registerMethodHint(hints, method);
    for (var type : method.getGenericParameterTypes()) {
      if (type != Run.class && type != Fire.class) {
        payloads.registerReflectionHints(hints, type);
      }
    }
  }
}
