package io.waterclock.spring.kafka;

import io.waterclock.schemas.HomePartition;
import io.waterclock.spring.kafka.RawBytesSerializer.RawBytes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A producer of the application as a producer of bytes. */
public final class RawProducer {
  private RawProducer() {}

  /**
   * Sends records of bytes through a producer of a factory that {@link TransactionalFactories} has
   * prepared. It is a proxy, because the methods of the interface differ between the versions of
   * Kafka's clients.
   */
  @SuppressWarnings("unchecked")
  public static Producer<byte[], byte[]> of(Producer<?, ?> producer) {
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> {
              if (arguments != null && arguments[0] instanceof ProducerRecord<?, ?> record) {
                arguments[0] = raw((ProducerRecord<byte[], byte @Nullable []>) record, producer);
              }
              try {
                return method.invoke(producer, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }

  /** The partition is set, because the application may have a partitioner of its own. */
  private static ProducerRecord<Object, @Nullable Object> raw(
      ProducerRecord<byte[], byte @Nullable []> record, Producer<?, ?> producer) {
    int partition =
        record.partition() == null
            ? HomePartition.of(record.key(), producer.partitionsFor(record.topic()).size())
            : record.partition();
    return new ProducerRecord<>(
        record.topic(),
        partition,
        record.timestamp(),
        new RawBytes(record.key()),
        record.value() == null ? null : new RawBytes(record.value()),
        record.headers());
  }
}
