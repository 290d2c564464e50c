package io.waterclock.cli.live;

import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;

/** Watermarks for tests. */
public final class Watermarks {
  private Watermarks() {}

  /** The watermark of an instance that has decided everything and fired nothing. */
  public static Watermark.Builder idle(int partition, String instance, Instant at) {
    return Watermark.newBuilder()
        .setPartition(partition)
        .setDecidedThrough(at)
        .setWrittenAt(at)
        .setInstance(instance)
        .setTzdb("2025a")
        .setLive(0)
        .setCatchingUp(0)
        .setFired(0)
        .setMissed(0)
        .setWalked(0)
        .setRepaired(0)
        .setFaulted(0)
        .setRejected(0);
  }
}
