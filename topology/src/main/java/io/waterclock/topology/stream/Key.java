package io.waterclock.topology.stream;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import java.util.Optional;

/**
 * The key of an input record: a schedule id that is at home in the partition, or what is wrong with
 * it.
 */
sealed interface Key {

  record Good(ScheduleId id) implements Key {}

  record Bad(Problem problem) implements Key {}

  /**
   * @param partitions of the inputs
   */
  static Key of(Inbound inbound, int partitions) {
    if (inbound.key().isEmpty()) {
      return bad("", "the record has no key; its key is the schedule id");
    }
    byte[] key = inbound.key().get();
    ScheduleId id;
    try {
      id = ScheduleId.parse(key);
    } catch (InvalidIdException e) {
      return bad("id", String.valueOf(e.getMessage()));
    }
    int home = FirePartitioner.home(key, partitions);
    return home == inbound.partition()
        ? new Good(id)
        : bad(
            "",
            "the record is in partition "
                + inbound.partition()
                + " but its id belongs to partition "
                + home
                + ": let your client hash keys with murmur2 as Java's does"
                + " (librdkafka: partitioner=murmur2_random)");
  }

  /** The id of a good key. */
  default Optional<ScheduleId> good() {
    return this instanceof Good good ? Optional.of(good.id()) : Optional.empty();
  }

  private static Key bad(String field, String message) {
    return new Bad(Problem.newBuilder().setField(field).setMessage(message).build());
  }
}
