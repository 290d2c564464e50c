package io.waterclock.it;

import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a scheduler costs whose inputs bring nothing. */
@Timeout(300)
final class QuietInputsTest {
  private static final String PREFIX = "quiet";

  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.EAGER_CLEANER);

  private double before;
  private long beforeNanos = System.nanoTime();

  /** 48 input partitions: one request for each in a second would be more than this. */
  @Test
  @Tag("all")
  void a_task_that_has_read_its_inputs_asks_the_brokers_for_nothing() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), PREFIX, dir);
    try (Waterclock scheduler = Waterclock.start(tenant.config(Map.of("partitions", "12")))) {
      await().atMost(Duration.ofMinutes(2)).until(scheduler::isReady);
      await()
          .pollInterval(Duration.ofSeconds(1))
          .atMost(Duration.ofMinutes(2))
          .until(() -> requests() < 20);
    }
  }

  /** A second, since the last look. */
  private double requests() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    double total = 0;
    for (ObjectName name :
        server.queryNames(
            new ObjectName("kafka.admin.client:type=admin-client-metrics,client-id=*"), null)) {
      if (name.getKeyProperty("client-id").contains(PREFIX)) {
        total += (Double) server.getAttribute(name, "request-total");
      }
    }
    long now = System.nanoTime();
    double rate = (total - before) * 1e9 / (now - beforeNanos);
    before = total;
    beforeNanos = now;
    return total == 0 ? Double.MAX_VALUE : rate;
  }
}
