package io.waterclock.it;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * A scheduler as a process: {@code SchedulerMain SETTING=VALUE ...}. Prints {@code HEALTH port}
 * when it has started. Stops cleanly, with 0, on SIGTERM and when its standard input ends.
 */
final class SchedulerMain {
  static final String HEALTH = "HEALTH ";

  private SchedulerMain() {}

  public static void main(String[] arguments) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      settings.put(parts[0], parts[1]);
    }
    DeadlyZones.register();
    Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  scheduler.close();
                  System.out.println("CLOSED");
                  // by itself a JVM that got a SIGTERM ends with 143
                  Runtime.getRuntime().halt(0);
                },
                "scheduler-shutdown"));
    System.out.println(HEALTH + scheduler.healthPort().orElseThrow());
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }
}
