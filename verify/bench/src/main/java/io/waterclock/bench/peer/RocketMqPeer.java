package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** RocketMQ's timer messages: a schedule is a message that its broker delivers when it is due. */
final class RocketMqPeer implements Peer {
  private static final String TOPIC = "bench";
  private static final int IN_FLIGHT = 2_000;
  private static final Duration LONGEST_START = Duration.ofMinutes(1);

  private final DefaultMQProducer producer = new DefaultMQProducer("bench-producer");
  private final DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("bench-consumer");

  private final int bytes;

  private RocketMqPeer(String names, int bytes) throws MQClientException {
    this.bytes = bytes;
    producer.setNamesrvAddr(names);
    producer.setSendMsgTimeout(60_000);
    producer.setRetryTimesWhenSendAsyncFailed(0);
    producer.start();
    consumer.setNamesrvAddr(names);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setPullBatchSize(RocketMqServer.PULLED);
    consumer.setConsumeMessageBatchMaxSize(RocketMqServer.PULLED);
    consumer.subscribe(TOPIC, "*");
    consumer.registerMessageListener(
        (MessageListenerConcurrently)
            (messages, context) -> {
              messages.forEach(message -> PeerRuns.arrived(message.getBody()));
              return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            });
  }

  static RocketMqPeer start(String names, int bytes) throws MQClientException {
    RocketMqPeer peer = new RocketMqPeer(names, bytes);
    peer.awaitBroker();
    peer.consumer.start();
    return peer;
  }

  /** The first message creates the topic; the broker may not be known to the name server yet. */
  private void awaitBroker() {
    Await.until("the first topic of RocketMQ", LONGEST_START, Duration.ofSeconds(1), this::hasSent);
  }

  private boolean hasSent() {
    try {
      producer.send(new Message(TOPIC + "-first", new byte[] {0}));
      return true;
    } catch (MQClientException | RemotingException | MQBrokerException e) {
      return false;
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
  }

  @Override
  public void define(Work work) throws Exception {
    Semaphore free = new Semaphore(IN_FLIGHT);
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    for (int number = 0; number < work.count(); number++) {
      Message message = new Message(TOPIC, PeerRuns.message(number, bytes));
      message.setDeliverTimeMs(work.due(number).toEpochMilli());
      free.acquire();
      producer.send(
          message,
          new SendCallback() {
            @Override
            public void onSuccess(SendResult result) {
              if (result.getSendStatus() != SendStatus.SEND_OK) {
                failures.add(result.toString());
              }
              free.release();
            }

            @Override
            public void onException(Throwable cause) {
              failures.add(cause.toString());
              free.release();
            }
          });
    }
    free.acquire(IN_FLIGHT);
    if (!failures.isEmpty()) {
      throw new IllegalStateException(
          "RocketMQ did not keep " + failures.size() + " messages: " + failures.peek());
    }
  }

  @Override
  public void close() {
    consumer.shutdown();
    producer.shutdown();
  }
}
