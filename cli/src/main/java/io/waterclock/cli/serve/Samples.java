package io.waterclock.cli.serve;

import io.waterclock.client.schedules.Schedules;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Sample schedules, one for each kind of trigger. */
final class Samples {
  private static final Map<String, String> SCHEDULES = new LinkedHashMap<>();

  static {
    SCHEDULES.put("samples/heartbeat", "{\"every\":\"5s\",\"payload\":{\"say\":\"I am here\"}}");
    SCHEDULES.put(
        "samples/minute", "{\"cron\":\"* * * * *\",\"description\":\"at every full minute\"}");
    SCHEDULES.put(
        "samples/tea",
        "{\"in\":\"PT15S\",\"payload\":\"the tea is ready\",\"content_type\":\"text/plain\"}");
    SCHEDULES.put(
        "samples/report",
        "{\"cron\":\"0 9 * * 1-5\",\"timezone\":\"Europe/Berlin\",\"catch_up\":\"replay\"}");
    SCHEDULES.put(
        "samples/month-end",
        "{\"every\":\"1 month\",\"anchor\":\"2026-01-31T18:00:00Z\",\"catch_up\":\"skip\"}");
  }

  private Samples() {}

  /** Defines them; returns when the scheduler has answered each. */
  static void put(Schedules schedules) {
    SCHEDULES.entrySet().stream()
        .map(sample -> schedules.putJson(sample.getKey(), sample.getValue()))
        .toList()
        .forEach(CompletableFuture::join);
  }
}
