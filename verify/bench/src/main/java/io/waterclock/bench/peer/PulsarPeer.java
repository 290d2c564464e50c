package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.run.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionType;

/** Pulsar's delayed delivery: a schedule is a message that its broker delivers when it is due. */
final class PulsarPeer implements Peer {
  private static final String TOPIC = "bench";
  private static final int IN_FLIGHT = 2_000;
  private static final Duration LONGEST_START = Duration.ofMinutes(1);

  private final PulsarClient client;
  private final Producer<byte[]> producer;
  private final int bytes;

  private PulsarPeer(PulsarClient client, Producer<byte[]> producer, int bytes) {
    this.bytes = bytes;
    this.client = client;
    this.producer = producer;
  }

  static PulsarPeer start(String url, int bytes) throws PulsarClientException {
    PulsarClient client = PulsarClient.builder().serviceUrl(url).build();
    Await.until("the first topic of Pulsar", LONGEST_START, () -> hasSubscribed(client));
    return new PulsarPeer(
        client,
        client
            .newProducer()
            .topic(TOPIC)
            .blockIfQueueFull(true)
            .maxPendingMessages(IN_FLIGHT)
            .create(),
        bytes);
  }

  /** False while the server, which accepts connections already, has no name space for topics. */
  private static boolean hasSubscribed(PulsarClient client) {
    try {
      client
          .newConsumer()
          .topic(TOPIC)
          .subscriptionName(TOPIC)
          .subscriptionType(SubscriptionType.Shared)
          .messageListener(PulsarPeer::ran)
          .subscribe();
      return true;
    } catch (PulsarClientException e) {
      return false;
    }
  }

  private static void ran(Consumer<byte[]> consumer, Message<byte[]> message) {
    PeerRuns.arrived(message.getData());
    CompletableFuture<Void> unused = consumer.acknowledgeAsync(message);
  }

  @Override
  public void define(Work work) throws Exception {
    List<CompletableFuture<?>> sent = new ArrayList<>(work.count());
    for (int number = 0; number < work.count(); number++) {
      sent.add(
          producer
              .newMessage()
              .value(PeerRuns.message(number, bytes))
              .deliverAt(work.due(number).toEpochMilli())
              .sendAsync());
    }
    CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get();
  }

  @Override
  public void close() {
    client.closeAsync().join();
  }
}
