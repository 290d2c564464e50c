package io.waterclock.spring.handler;

import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.spring.FireHandler;
import io.waterclock.spring.InvalidAnnotationsException;
import io.waterclock.spring.WaterclockSchedule;
import io.waterclock.spring.schedule.Declaration;
import io.waterclock.spring.schedule.DeclaredSchedule;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Finds the methods with {@link FireHandler} and {@link WaterclockSchedule} in all beans, once the
 * singletons exist. It looks at the types of beans and creates none.
 */
public final class AnnotatedMethods implements SmartInitializingSingleton {
  private static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(
          FireHandler.class,
          FireHandler.Several.class,
          WaterclockSchedule.class,
          WaterclockSchedule.Several.class);

  private final ConfigurableListableBeanFactory beans;
  private final PayloadMapper payloads;
  private final List<Around> around;
  private final UnaryOperator<@Nullable String> placeholders;
  private final Map<FireMatch, FireBinding> handlers = new LinkedHashMap<>();
  private final Map<String, DeclaredSchedule> schedules = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * @param around from the innermost to the outermost
   */
  public AnnotatedMethods(
      ConfigurableListableBeanFactory beans, PayloadMapper payloads, List<Around> around) {
    this.beans = beans;
    this.payloads = payloads;
    this.around = List.copyOf(around);
    this.placeholders = new EmbeddedValueResolver(beans)::resolveStringValue;
  }

  /** The handlers, after the start of the singletons. */
  public List<FireBinding> handlers() {
    return List.copyOf(handlers.values());
  }

  /** The declared schedules, after the start of the singletons. */
  public List<DeclaredSchedule> schedules() {
    return List.copyOf(schedules.values());
  }

  /**
   * @throws InvalidAnnotationsException with the problems of all methods
   */
  @Override
  public void afterSingletonsInstantiated() {
    for (String name : beans.getBeanNamesForType(Object.class)) {
      if (!ScopedProxyUtils.isScopedTarget(name)) {
        type(name).ifPresent(type -> look(name, type));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidAnnotationsException(problems);
    }
  }

  private Optional<Class<?>> type(String name) {
    Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
    if (type != null && ScopedObject.class.isAssignableFrom(type)) {
      type = AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(name));
    } else if (beans.containsSingleton(name)
        && beans.getSingleton(name) instanceof SpringProxy proxy) {
      type = AopUtils.getTargetClass(proxy);
    }
    return Optional.<Class<?>>ofNullable(type)
        .filter(found -> AnnotationUtils.isCandidateClass(found, ANNOTATIONS));
  }

  private void look(String name, Class<?> type) {
    Class<?> userType = ClassUtils.getUserClass(type);
    MethodIntrospector.selectMethods(
            userType,
            (MethodFilter)
                method ->
                    ANNOTATIONS.stream()
                        .anyMatch(one -> AnnotatedElementUtils.isAnnotated(method, one)))
        .forEach(method -> add(new HandlerMethod(name, userType, method)));
  }

  private void add(HandlerMethod method) {
    List<String> wrong = new ArrayList<>();
    Set<FireMatch> matches = new LinkedHashSet<>();
    for (FireHandler found :
        AnnotatedElementUtils.getMergedRepeatableAnnotations(
            method.method(), FireHandler.class, FireHandler.Several.class)) {
      match(found, wrong).ifPresent(matches::add);
    }
    for (WaterclockSchedule found :
        AnnotatedElementUtils.getMergedRepeatableAnnotations(
            method.method(), WaterclockSchedule.class, WaterclockSchedule.Several.class)) {
      Declaration.read(found, placeholders, method.toString(), wrong)
          .ifPresent(
              declared -> {
                matches.add(new FireMatch(FireMatch.Kind.ID, declared.id()));
                declared.definition().ifPresent(definition -> declare(declared, wrong));
              });
    }
    checkSignature(method, wrong);
    wrong.forEach(problem -> problems.add(method + ": " + problem));
    if (wrong.isEmpty()) {
      bind(method, matches);
    }
  }

  private void declare(DeclaredSchedule declared, List<String> wrong) {
    DeclaredSchedule other = schedules.putIfAbsent(declared.id(), declared);
    if (other != null) {
      wrong.add("the schedule " + declared.id() + " is declared by " + other.where() + " already");
    }
  }

  private Optional<FireMatch> match(FireHandler annotation, List<String> wrong) {
    Map<FireMatch.Kind, String> given = new LinkedHashMap<>();
    put(given, FireMatch.Kind.ID, annotation.id(), wrong);
    put(given, FireMatch.Kind.PREFIX, annotation.prefix(), wrong);
    put(given, FireMatch.Kind.TYPE, annotation.type(), wrong);
    put(given, FireMatch.Kind.LABEL, annotation.label(), wrong);
    if (given.size() != 1) {
      if (wrong.isEmpty()) {
        wrong.add(
            "@FireHandler needs exactly one of id, prefix, type and label, and has "
                + (given.isEmpty() ? "none" : given.keySet())
                + ", for example @FireHandler(id = \"reports/daily\")");
      }
      return Optional.empty();
    }
    Map.Entry<FireMatch.Kind, String> only = given.entrySet().iterator().next();
    try {
      return Optional.of(new FireMatch(only.getKey(), only.getValue()));
    } catch (IllegalArgumentException e) {
      wrong.add("@FireHandler: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void put(
      Map<FireMatch.Kind, String> given, FireMatch.Kind kind, String text, List<String> wrong) {
    try {
      String value = placeholders.apply(text);
      if (value != null && !value.isEmpty()) {
        given.put(kind, value);
      }
    } catch (IllegalArgumentException e) {
      wrong.add("@FireHandler: " + e.getMessage());
    }
  }

  private void checkSignature(HandlerMethod handler, List<String> wrong) {
    Method method = handler.method();
    Class<?> result = method.getReturnType();
    if (result != void.class && result != String.class) {
      wrong.add(
          "it returns "
              + result.getName()
              + "; a handler returns void when its work is done, or a String as the output of the"
              + " run");
    }
    if (Modifier.isStatic(method.getModifiers())) {
      wrong.add("it is static; make it a method of the bean");
    }
    List<Class<?>> types = List.of(method.getParameterTypes());
    List<Class<?>> payloads =
        types.stream().filter(type -> type != Run.class && type != Fire.class).toList();
    if (payloads.size() > 1) {
      wrong.add(
          "it has "
              + payloads.size()
              + " parameters for the payload; a handler may have one, a Run and a Fire. If they are"
              + " fields of one payload, declare a record with them");
    }
    if (types.stream().distinct().count() < types.size() && payloads.size() < 2) {
      wrong.add(
          "it has the same parameter twice; a handler may have one payload, a Run and a Fire");
    }
    checkProxy(handler, wrong);
  }

  /** A proxy of interfaces does not have the method, and one of classes no private method. */
  private void checkProxy(HandlerMethod handler, List<String> wrong) {
    Class<?> type = beans.getType(handler.beanName());
    if (type != null) {
      try {
        AopUtils.selectInvocableMethod(handler.method(), type);
      } catch (IllegalStateException e) {
        wrong.add(
            "the proxy of its bean cannot call it: make it public, and declare it in the interface"
                + " or let Spring make proxies of classes");
      }
    }
  }

  private void bind(HandlerMethod method, Set<FireMatch> matches) {
    io.waterclock.client.worker.FireHandler handler =
        new BeanMethodHandler(beans, method, arguments(method));
    try {
      for (Around one : around) {
        handler = one.wrap(handler, method);
      }
    } catch (IllegalArgumentException e) {
      problems.add(method + ": " + e.getMessage());
      return;
    }
    for (FireMatch match : matches) {
      FireBinding binding = new FireBinding(match, method.toString(), handler);
      FireBinding other = handlers.putIfAbsent(match, binding);
      if (other != null) {
        problems.add(
            method
                + " (bean "
                + method.beanName()
                + "): "
                + other.where()
                + " handles the "
                + match
                + " already; a fire has one handler");
      }
    }
  }

  private List<Argument> arguments(HandlerMethod handler) {
    Method method = handler.method();
    return IntStream.range(0, method.getParameterCount())
        .mapToObj(
            index ->
                Argument.of(
                    new MethodParameter(method, index).withContainingClass(handler.type()),
                    payloads))
        .toList();
  }
}
