package io.waterclock.spring.sample;

import io.waterclock.spring.FireHandler;
import io.waterclock.spring.OncePerFire;
import io.waterclock.spring.WaterclockSchedule;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Collects payments. The payment and the claim of the fire commit in one transaction. */
@Component
class Payments {
  private final JdbcClient jdbc;

  Payments(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @FireHandler(prefix = "payments/")
  @OncePerFire
  void collect(Payment due) {
    jdbc.sql("insert into payments (order_id, cents) values (?, ?)")
        .params(due.order(), due.cents())
        .update();
  }

  @WaterclockSchedule(id = "payments-report", cron = "0 6 * * *", zone = "Europe/Berlin")
  String report() {
    return jdbc.sql("select count(*) from payments").query(Integer.class).single() + " payments";
  }
}
