package io.waterclock.spring.boot;

import io.waterclock.spring.InvalidAnnotationsException;
import io.waterclock.spring.kafka.MissingBrokersException;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Says in the log what stops the start of an application, and what would be right. */
final class WaterclockFailureAnalyzer implements FailureAnalyzer {
  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    return causes(failure).orElse(null);
  }

  private static Optional<FailureAnalysis> causes(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<FailureAnalysis> analysis = analysis(cause);
      if (analysis.isPresent()) {
        return analysis;
      }
    }
    return Optional.empty();
  }

  private static Optional<FailureAnalysis> analysis(Throwable cause) {
    if (cause instanceof InvalidAnnotationsException annotations) {
      return Optional.of(
          new FailureAnalysis(
              annotations.problems().stream()
                  .collect(
                      Collectors.joining(
                          "\n  - ", "The annotations of Waterclock have problems:\n\n  - ", "")),
              "Mend all of these methods.",
              cause));
    }
    if (cause instanceof MissingNameException) {
      return Optional.of(
          new FailureAnalysis(
              cause.getMessage() + ".",
              "Set spring.application.name or waterclock.worker.group-id to the name of the service,"
                  + " the same for all its instances and for no other service, for example"
                  + " \"reports\". Or set waterclock.worker.enabled=false.",
              cause));
    }
    if (cause instanceof MissingBrokersException) {
      return Optional.of(
          new FailureAnalysis(
              cause.getMessage() + ": there is no bean of the type ConsumerFactory or KafkaAdmin.",
              "With Spring Boot 4, add the dependency"
                  + " org.springframework.boot:spring-boot-starter-kafka and set"
                  + " spring.kafka.bootstrap-servers. Without Spring for Apache Kafka, set"
                  + " waterclock.properties.bootstrap.servers=localhost:9092.",
              cause));
    }
    if (cause instanceof MissingRuntimeException) {
      return Optional.of(
          new FailureAnalysis(
              cause.getMessage() + ".",
              "Add the dependency io.waterclock:waterclock-runtime, in the version of the starter.",
              cause));
    }
    return Optional.empty();
  }
}
