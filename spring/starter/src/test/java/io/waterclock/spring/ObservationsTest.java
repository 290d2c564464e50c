package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.waterclock.spring.observe.Observations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A trace in the form of the W3C travels from the put to the handler. */
final class ObservationsTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final List<String> TRACES = new ArrayList<>();

  /** What Spring Boot configures for tracing with OpenTelemetry. */
  @Configuration(proxyBeanMethods = false)
  static class Tracing {
    private final io.opentelemetry.api.trace.Tracer otel =
        SdkTracerProvider.builder().build().get("test");

    @Bean
    Tracer tracer() {
      return new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
    }

    @Bean
    ObservationRegistry observations(Tracer tracer) {
      ObservationRegistry registry = ObservationRegistry.create();
      OtelPropagator propagator =
          new OtelPropagator(
              ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
      registry
          .observationConfig()
          .observationHandler(new PropagatingSenderTracingObservationHandler<>(tracer, propagator))
          .observationHandler(
              new PropagatingReceiverTracingObservationHandler<>(tracer, propagator));
      return registry;
    }
  }

  static class Handler {
    private final Tracer tracer;

    Handler(Tracer tracer) {
      this.tracer = tracer;
    }

    @FireHandler(id = "traced")
    void handle() {
      TRACES.add(Objects.requireNonNull(tracer.currentSpan()).context().traceId());
    }
  }

  @BeforeEach
  void forget() {
    TRACES.clear();
  }

  @Test
  void a_run_continues_the_trace_in_the_headers_of_the_schedule() {
    Boot.offline()
        .withUserConfiguration(Tracing.class)
        .withBean(Handler.class)
        .run(
            context -> {
              HandlersTest.handler(context, "id traced")
                  .handle(
                      Runs.of(null, Map.of("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")));
              assertThat(TRACES).containsExactly(TRACE);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "00-" + TRACE,
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "ff-" + TRACE + "-00f067aa0ba902b7-01",
        "00-" + TRACE + "-00f067aa0ba902b7-01\r\nforged: line"
      })
  void a_run_begins_a_trace_if_that_of_the_schedule_cannot_be_read(String header) {
    Boot.offline()
        .withUserConfiguration(Tracing.class)
        .withBean(Handler.class)
        .run(
            context -> {
              HandlersTest.handler(context, "id traced")
                  .handle(Runs.of(null, Map.of("traceparent", header)));
              assertThat(TRACES).singleElement().asString().hasSize(32).isNotEqualTo(TRACE);
            });
  }

  @Test
  void a_put_leaves_its_trace_in_the_headers() {
    Boot.offline()
        .withUserConfiguration(Tracing.class)
        .run(
            context -> {
              Map<String, String> headers = new HashMap<>();
              Observations.put(context.getBean(ObservationRegistry.class), "orders/1", headers)
                  .observe(() -> {});
              assertThat(headers.get("traceparent")).startsWith("00-");
            });
  }

  @Test
  void without_a_trace_a_run_begins_one() {
    Boot.offline()
        .withUserConfiguration(Tracing.class)
        .withBean(Handler.class)
        .run(
            context -> {
              HandlersTest.handler(context, "id traced").handle(Runs.of(null));
              assertThat(TRACES).singleElement().asString().hasSize(32).isNotEqualTo(TRACE);
            });
  }
}
