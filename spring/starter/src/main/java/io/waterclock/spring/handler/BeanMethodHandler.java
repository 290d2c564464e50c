package io.waterclock.spring.handler;

import io.waterclock.client.worker.FireHandler;
import io.waterclock.client.worker.Run;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a method of a bean. The bean factory returns the bean for each run, so a prototype is a new
 * one each time and a lazy bean is created for the first run. Thread-safe.
 */
record BeanMethodHandler(BeanFactory beans, HandlerMethod method, List<Argument> arguments)
    implements FireHandler {
  @Override
  public void handle(Run run) throws Exception {
    @Nullable Object[] values = new Object[arguments.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments.get(i).of(run);
    }
    Object bean = beans.getBean(method.beanName());
    Method callable = AopUtils.selectInvocableMethod(method.method(), bean.getClass());
    ReflectionUtils.makeAccessible(callable);
    try {
      if (callable.invoke(bean, values) instanceof String output) {
        run.output(output);
      }
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception thrown) {
        throw thrown;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }
}
