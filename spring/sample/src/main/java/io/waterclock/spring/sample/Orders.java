package io.waterclock.spring.sample;

import io.waterclock.spring.WaterclockTemplate;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * Takes orders. The listener's transaction contains the offset of the order, its confirmation and
 * the schedule of its payment: all of them are visible, or none.
 */
@Component
class Orders {
  private final KafkaTemplate<String, String> kafka;
  private final WaterclockTemplate waterclock;
  private final Duration terms;

  Orders(
      KafkaTemplate<String, String> kafka,
      WaterclockTemplate waterclock,
      @Value("${shop.terms}") Duration terms) {
    this.kafka = kafka;
    this.waterclock = waterclock;
    this.terms = terms;
  }

  @KafkaListener(topics = "orders.placed")
  void placed(String order) {
    var unused = kafka.send("orders.confirmed", order, order);
    waterclock.after("payments/" + order, terms, new Payment(order, 1_999));
  }
}
