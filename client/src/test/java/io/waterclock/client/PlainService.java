package io.waterclock.client;

import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.TargetValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A service with nothing but the client and what it needs: puts a schedule with nested records,
 * does its fire, reads both back, and says so.
 */
final class PlainService {
  private PlainService() {}

  public static void main(String[] args) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    try (Schedules schedules = Schedules.builder(args[0]).timeout(Duration.ofSeconds(30)).build();
        FireWorker worker =
            FireWorker.builder(args[0], "plain")
                .onSchedule(
                    "plain",
                    run -> {
                      String text = new String(run.payload(), StandardCharsets.UTF_8);
                      System.out.println(
                          "did " + text + " " + run.fire().getSchedule().getCatchUp());
                      done.countDown();
                    })
                .start()) {
      var answer =
          schedules
              .put(
                  "plain",
                  ScheduleBuilder.after(Duration.ZERO)
                      .catchUp(CatchUp.REPLAY)
                      .target("elsewhere", TargetValue.PAYLOAD)
                      .payloadText("tea"))
              .join();
      System.out.println("put " + answer.orThrow().isChange());
      done.await();
      System.out.println(
          "state " + schedules.get("plain").join().orElseThrow().state().orElseThrow());
      System.out.println("fires " + schedules.fires("plain").join().size());
      System.out.println("worker " + worker.state());
    }
  }
}
