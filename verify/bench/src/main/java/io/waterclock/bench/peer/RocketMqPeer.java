package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;

/** RocketMQ's timer messages: a schedule is a message that its broker delivers when it is due. */
final class RocketMqPeer implements Peer {
  private static final String TOPIC = "bench";
  private static final int IN_FLIGHT = 2_000;

  private final DefaultMQProducer producer = new DefaultMQProducer("bench-producer");
  private final DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("bench-consumer");

  private RocketMqPeer(String names) throws MQClientException {
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
              messages.forEach(
                  message ->
                      PeerRuns.ran(
                          Integer.parseInt(
                              new String(message.getBody(), StandardCharsets.US_ASCII))));
              return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            });
  }

  static RocketMqPeer start(String names) throws Exception {
    RocketMqPeer peer = new RocketMqPeer(names);
    peer.awaitBroker();
    peer.consumer.start();
    return peer;
  }

  /** The first message creates the topic; the broker may not be known to the name server yet. */
  private void awaitBroker() throws Exception {
    producer.setRetryTimesWhenSendFailed(20);
    producer.send(new Message(TOPIC + "-first", new byte[] {0}));
  }

  @Override
  public void define(Work work) throws Exception {
    Semaphore free = new Semaphore(IN_FLIGHT);
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    for (int number = 0; number < work.count(); number++) {
      Message message =
          new Message(TOPIC, Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
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
