package io.waterclock.schemas.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.SchemaSource.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Stream threads want the same schemas at the same time: the registry is asked for each once, and
 * no wish is lost. {@code -Dwaterclock.interleavings=N} wants N schemas.
 */
@Timeout(600)
class SchemaRegistryInterleavingsTest {
  private static final int SCHEMAS = Integer.getInteger("waterclock.interleavings", 100);
  private static final int THREADS = 3;

  @Test
  void each_schema_is_asked_for_once_however_many_threads_want_it() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (FakeRegistry server = FakeRegistry.start();
        SchemaRegistry registry = new SchemaRegistry(settings(server.url()))) {
      for (int id = 1; id <= SCHEMAS; id++) {
        server.put(id, schema(id));
      }
      CyclicBarrier together = new CyclicBarrier(THREADS);
      List<Future<Void>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ends.add(threads.submit(wants(registry, together)));
      }
      for (Future<Void> end : ends) {
        end.get();
      }
      assertThat(server.asked).hasSize(SCHEMAS);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<Void> wants(SchemaRegistry registry, CyclicBarrier together) {
    return () -> {
      for (int id = 1; id <= SCHEMAS; id++) {
        together.await();
        Lookup answer = registry.lookup(id);
        while (answer instanceof Lookup.Unavailable) {
          Thread.onSpinWait();
          answer = registry.lookup(id);
        }
        assertThat(answer).isEqualTo(new Lookup.Known(schema(id)));
      }
      return null;
    };
  }

  private static RegistrySettings settings(String url) {
    return RegistrySettings.parse(Map.of("schema.registry.url", url), new ArrayList<>())
        .orElseThrow();
  }

  private static Schema schema(int id) {
    return SchemaBuilder.record("Of" + id).fields().requiredString("text").endRecord();
  }
}
