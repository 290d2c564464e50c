package io.waterclock.connect.webhook;

/**
 * How many fires are held.
 *
 * @param bytes the size of the records' values
 */
record HeldFires(long fires, long bytes) {
  static final HeldFires NONE = new HeldFires(0, 0);

  boolean exceeds(HeldFires most) {
    return fires > most.fires || bytes > most.bytes;
  }

  /** One of so many parts. */
  HeldFires part(int parts) {
    return new HeldFires(Math.max(1, fires / parts), Math.max(1, bytes / parts));
  }

  HeldFires plus(Delivery delivery) {
    return new HeldFires(fires + 1, bytes + delivery.bytes());
  }

  HeldFires minus(Delivery delivery) {
    return new HeldFires(fires - 1, bytes - delivery.bytes());
  }
}
