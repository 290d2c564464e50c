package io.waterclock.spring.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A shop that collects the payment of each order some time after the order. Run any number of
 * instances, and kill them at any time: each order has one confirmation and one payment.
 */
@SpringBootApplication
public class Shop {
  /**
   * @param args properties, such as {@code --spring.kafka.bootstrap-servers=localhost:9092}
   */
  public static void main(String[] args) {
    SpringApplication.run(Shop.class, args);
  }
}
