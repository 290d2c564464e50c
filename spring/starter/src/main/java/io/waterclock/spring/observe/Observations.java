package io.waterclock.spring.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.waterclock.schemas.avro.Fire;
import java.util.Map;

/**
 * The observations of Waterclock. A put carries its trace in the headers of the schedule, and the
 * run of a fire continues it.
 */
public final class Observations {
  public static final String PUT = "waterclock.put";

  public static final String RUN = "waterclock.run";

  private Observations() {}

  /**
   * The put of a schedule.
   *
   * @param headers receives the headers of the trace when the observation starts
   */
  public static Observation put(
      ObservationRegistry registry, String scheduleId, Map<String, String> headers) {
    return Observation.createNotStarted(
            PUT,
            () -> {
              SenderContext<Map<String, String>> context =
                  new SenderContext<>(
                      (carrier, key, value) -> {
                        if (carrier != null) {
                          carrier.put(key, value);
                        }
                      },
                      Kind.PRODUCER);
              context.setCarrier(headers);
              context.setRemoteServiceName("waterclock");
              return context;
            },
            registry)
        .contextualName("waterclock put")
        .highCardinalityKeyValue("waterclock.schedule.id", scheduleId);
  }

  /**
   * The run of a fire.
   *
   * @param handler the method, for a person
   */
  public static Observation run(
      ObservationRegistry registry, Fire fire, String handler, int attempt) {
    return Observation.createNotStarted(
            RUN,
            () -> {
              ReceiverContext<Map<String, String>> context =
                  new ReceiverContext<>((carrier, key) -> carrier.get(key), Kind.CONSUMER);
              context.setCarrier(fire.getSchedule().getHeaders());
              context.setRemoteServiceName("waterclock");
              return context;
            },
            registry)
        .contextualName("waterclock run")
        .lowCardinalityKeyValue("waterclock.handler", handler)
        .lowCardinalityKeyValue("waterclock.cause", fire.getCause().name())
        .highCardinalityKeyValue(KeyValue.of("waterclock.schedule.id", fire.getScheduleId()))
        .highCardinalityKeyValue("waterclock.fire.id", fire.getFireId())
        .highCardinalityKeyValue("waterclock.attempt", String.valueOf(attempt));
  }
}
