package io.waterclock.spring.test;

import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.util.FileSystemUtils;

/** The broker of this JVM. It starts for the first test that needs it, and ends with the JVM. */
final class TestBroker {
  private final Path dir;
  private final EmbeddedKafka kafka;

  private TestBroker() {
    try {
      dir = Files.createTempDirectory("waterclock-test");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "waterclock-test-broker"));
  }

  private static final class Holder {
    static final TestBroker BROKER = new TestBroker();
  }

  static TestBroker shared() {
    return Holder.BROKER;
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** A directory that ends with the JVM. */
  Path directory(String name) {
    return dir.resolve(name);
  }

  private void end() {
    kafka.close();
    try {
      FileSystemUtils.deleteRecursively(dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
