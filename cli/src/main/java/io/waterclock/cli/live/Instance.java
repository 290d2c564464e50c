package io.waterclock.cli.live;

import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.schemas.avro.Watermark;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An instance of the scheduler that answers queries, as its watermarks name it.
 *
 * @param address HOST:PORT
 */
public record Instance(String name, String address) {

  static Optional<Instance> of(Watermark watermark) {
    return Optional.ofNullable(watermark.getAddress())
        .map(address -> new Instance(watermark.getInstance(), address));
  }

  /**
   * The instances that the newest watermarks name, by the time of their watermarks, latest first.
   */
  public static List<Instance> named(Map<Integer, NewestWatermark> watermarks) {
    return watermarks.values().stream()
        .sorted(Comparator.comparing(NewestWatermark::stampedAt).reversed())
        .flatMap(latest -> of(latest.watermark()).stream())
        .distinct()
        .toList();
  }

  @Override
  public String toString() {
    return name + " at " + address;
  }
}
