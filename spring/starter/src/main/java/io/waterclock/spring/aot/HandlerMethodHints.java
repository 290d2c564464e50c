package io.waterclock.spring.aot;

import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.spring.FireHandler;
import io.waterclock.spring.WaterclockSchedule;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Lets a native image call the handlers of beans, and read their payloads. */
final class HandlerMethodHints implements BeanRegistrationAotProcessor {
  private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    Set<Method> handlers =
        MethodIntrospector.selectMethods(
            ClassUtils.getUserClass(bean.getBeanClass()), HandlerMethodHints::isHandler);
    if (handlers.isEmpty()) {
      return null;
    }
    return (generation, code) ->
        handlers.forEach(
            method -> {
              generation
                  .getRuntimeHints()
                  .reflection()
                  .registerMethod(method, ExecutableMode.INVOKE);
              for (var type : method.getGenericParameterTypes()) {
                if (type != Run.class && type != Fire.class) {
                  payloads.registerReflectionHints(generation.getRuntimeHints().reflection(), type);
                }
              }
            });
  }

  private static boolean isHandler(Method method) {
    return AnnotatedElementUtils.hasAnnotation(method, FireHandler.class)
        || AnnotatedElementUtils.hasAnnotation(method, FireHandler.Several.class)
        || AnnotatedElementUtils.hasAnnotation(method, WaterclockSchedule.class)
        || AnnotatedElementUtils.hasAnnotation(method, WaterclockSchedule.Several.class);
  }
}
