package io.waterclock.spring.handler;

import io.micrometer.observation.ObservationRegistry;
import io.waterclock.client.worker.FireHandler;
import io.waterclock.client.worker.Run;
import io.waterclock.spring.observe.Observations;

/** Observes each run: a span that continues the trace of the put, and a timer. */
public record ObservedRuns(ObservationRegistry registry) implements Around {
  @Override
  public FireHandler wrap(FireHandler handler, HandlerMethod method) {
    String name = method.type().getSimpleName() + "." + method.method().getName();
    return new FireHandler() {
      @Override
      public void handle(Run run) throws Exception {
        try {
          Observations.run(registry, run.fire(), name, run.attempt())
              .observeChecked(() -> handler.handle(run));
        } catch (Exception | Error e) {
          throw e;
        } catch (Throwable e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public void check() throws Exception {
        handler.check();
      }
    };
  }
}
