package io.waterclock.schemas.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

final class RootCauseTest {
  static final List<Arguments> CAUSES =
      List.of(
          Arguments.of(new ConnectException("Connection refused"), "Connection refused"),
          Arguments.of(new ConnectException(), "Failed to create new NetworkClient"),
          Arguments.of(
              new UnknownHostException("kafka.example"), "the host kafka.example is unknown"),
          Arguments.of(new NoSuchFileException("ca.pem"), "there is no file ca.pem"),
          Arguments.of(new AccessDeniedException("ca.pem"), "access to the file ca.pem is denied"),
          Arguments.of(new FileAlreadyExistsException("state"), "there is a file state already"),
          Arguments.of(
              new FileSystemLoopException("team/loop"),
              "the folder team/loop leads back to itself"),
          Arguments.of(new NotDirectoryException("state"), "state is no folder"),
          Arguments.of(
              new ClassNotFoundException("com.example.Login"),
              "there is no class com.example.Login on the class path"),
          Arguments.of(
              new TimeoutException(
                  "Topic orders not present in metadata after 3000 ms.",
                  new UnknownTopicOrPartitionException("This server hosts it not")),
              "Topic orders not present in metadata after 3000 ms"),
          Arguments.of(
              new ConfigException("Invalid url in bootstrap.servers: 127.0.0.1"),
              "Invalid url in bootstrap.servers: 127.0.0.1: the port is missing, as in"
                  + " 127.0.0.1:9092"),
          Arguments.of(new IOException(new ConnectException("No route.")), "No route"));

  @ParameterizedTest
  @FieldSource("CAUSES")
  void the_deepest_message_is_the_reason(Exception cause, String reason) {
    assertThat(RootCause.of(new KafkaException("Failed to create new NetworkClient", cause)))
        .isEqualTo(reason);
  }

  @Test
  void a_failure_without_any_message_has_its_name() {
    assertThat(RootCause.of(new ConnectException())).isEqualTo("ConnectException");
  }

  /** As Kafka's handler of logins with tokens puts the trace into a message. */
  @Test
  void a_trace_in_a_message_is_read_for_its_cause() {
    Exception inner = new KafkaException(new ConnectException("Connection refused"));
    assertThat(RootCause.of(new IOException(Utils.stackTrace(inner))))
        .isEqualTo("Connection refused");
  }

  @Test
  void a_refused_login_names_the_settings_to_look_at() {
    assertThat(RootCause.of(new SaslAuthenticationException("invalid credentials")))
        .startsWith("invalid credentials; ")
        .contains("sasl.jaas.config");
    assertThat(RootCause.of(new SaslAuthenticationException("{\"status\":\"invalid_token\"}")))
        .startsWith("the broker does not accept the token; ")
        .contains("audience")
        .doesNotContain("sasl.jaas.config");
  }
}
