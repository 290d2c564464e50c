package io.waterclock.spring.test;

import static org.awaitility.Awaitility.await;

import io.waterclock.spring.WaterclockTemplate;
import io.waterclock.spring.test.Billing.Invoice;
import io.waterclock.spring.test.Billing.Invoices;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** An application with a real broker. */
@WaterclockTest(
    mode = WaterclockTest.Mode.EMBEDDED_BROKER,
    properties = "spring.application.name=billing")
@Tag("all")
final class EmbeddedBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(3);

  @Autowired private WaterclockTemplate template;
  @Autowired private Invoices invoices;

  @Test
  void a_put_reaches_its_handler_through_kafka() {
    Invoice invoice = new Invoice("bob", 3);
    // on a busy machine the first put may give up before the scheduler has created its topics
    await()
        .atMost(BOUND)
        .ignoreExceptions()
        .until(
            () -> template.after("reminders/bob", Duration.ZERO, invoice).answer().get() != null);
    await().atMost(BOUND).until(() -> invoices.reminded.contains(invoice));
  }
}
