package io.waterclock.spring.handler;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A method of a bean.
 *
 * @param type the class of the bean, without its proxy
 */
public record HandlerMethod(String beanName, Class<?> type, Method method) {
  /** The method for a person: {@code com.acme.Reports.daily(Report)}. */
  @Override
  public String toString() {
    return type.getName()
        + "."
        + method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
  }
}
