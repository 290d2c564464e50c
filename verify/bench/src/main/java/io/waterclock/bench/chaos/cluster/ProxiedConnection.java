package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.chaos.cluster.Interference.Cut;
import io.waterclock.bench.chaos.cluster.Interference.Delay;
import io.waterclock.bench.chaos.cluster.Interference.Fail;
import io.waterclock.bench.chaos.cluster.Interference.HalfOpen;
import io.waterclock.bench.chaos.cluster.Interference.WithholdCommit;
import io.waterclock.bench.run.Await;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;
import org.apache.kafka.common.requests.TransactionResult;

/**
 * One connection of a client to a broker: two threads, one for each direction, that carry whole
 * frames. It ends when either side does.
 */
final class ProxiedConnection {
  private static final Duration SHORT = Duration.ofMillis(10);
  private static final int LARGEST_FRAME = 128 << 20;

  private final Socket client;
  private final Socket broker;
  private final Supplier<Interference> interference;
  private final Set<Integer> withheld = ConcurrentHashMap.newKeySet();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Runnable onEnd;

  /**
   * @param interference what is done at the moment
   */
  ProxiedConnection(
      Socket client, Socket broker, Supplier<Interference> interference, Runnable onEnd) {
    this.client = client;
    this.broker = broker;
    this.interference = interference;
    this.onEnd = onEnd;
  }

  void start() {
    carry("proxy-requests", this::carryRequests);
    carry("proxy-responses", this::carryResponses);
  }

  /** Carries frames of one direction. */
  @FunctionalInterface
  private interface Carrier {
    void carry() throws IOException;
  }

  private void carry(String name, Carrier carrier) {
    Thread thread =
        new Thread(
            () -> {
              try {
                carrier.carry();
              } catch (IOException e) {
                // either side has ended
              } finally {
                close();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private void carryRequests() throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    DataOutputStream out = new DataOutputStream(broker.getOutputStream());
    while (true) {
      byte[] frame = read(in);
      Interference now = interference.get();
      if (now instanceof Fail fail && isHit(fail, frame)) {
        respond(frame, fail);
        continue;
      }
      if (now instanceof WithholdCommit && isCommit(frame)) {
        withheld.add(ByteBuffer.wrap(frame).getInt(Integer.BYTES));
      }
      pass(now, now instanceof HalfOpen half && half.requests());
      inFlight.incrementAndGet();
      write(out, frame);
    }
  }

  private void carryResponses() throws IOException {
    DataInputStream in = new DataInputStream(broker.getInputStream());
    DataOutputStream out = new DataOutputStream(client.getOutputStream());
    while (true) {
      byte[] frame = read(in);
      Interference now = interference.get();
      if (withheld.contains(ByteBuffer.wrap(frame).getInt())) {
        if (now instanceof WithholdCommit withhold) {
          withhold.hits().incrementAndGet();
        }
        awaitEnd(now);
        return; // the client has waited in vain
      }
      pass(now, now instanceof HalfOpen half && half.responses());
      write(out, frame);
      inFlight.decrementAndGet();
    }
  }

  /** Returns when a frame may go on; a frame that was held up in an open end is lost. */
  private void pass(Interference now, boolean isOpenEnd) throws IOException {
    if (isOpenEnd) {
      awaitEnd(now);
      throw new IOException("lost in an open end");
    }
    if (now instanceof Delay delay) {
      Await.pass(delay.by());
    }
    if (now instanceof Cut) {
      throw new IOException("cut");
    }
  }

  private void awaitEnd(Interference now) {
    while (interference.get() == now) {
      Await.pass(SHORT);
    }
  }

  private static boolean isHit(Fail fail, byte[] frame) {
    return ByteBuffer.wrap(frame).getShort() == fail.request().id
        && fail.hits().get() < fail.most();
  }

  private static boolean isCommit(byte[] frame) {
    ByteBuffer buffer = ByteBuffer.wrap(frame);
    return buffer.getShort(0) == ApiKeys.END_TXN.id
        && request(buffer, RequestHeader.parse(buffer)) instanceof EndTxnRequest end
        && end.result() == TransactionResult.COMMIT;
  }

  private static AbstractRequest request(ByteBuffer buffer, RequestHeader header) {
    return AbstractRequest.parseRequest(
            header.apiKey(), header.apiVersion(), new ByteBufferAccessor(buffer))
        .request;
  }

  private void respond(byte[] frame, Fail fail) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(frame);
    RequestHeader header = RequestHeader.parse(buffer);
    AbstractResponse response =
        request(buffer, header).getErrorResponse(0, fail.error().exception());
    if (response == null) {
      throw new IOException("no response is expected");
    }
    fail.hits().incrementAndGet();
    while (inFlight.get() > 0) { // a client wants responses in the order of its requests
      if (client.isClosed()) {
        return;
      }
      Await.pass(SHORT);
    }
    ResponseHeader responseHeader = header.toResponseHeader();
    ByteBuffer head =
        MessageUtil.toByteBufferAccessor(responseHeader.data(), responseHeader.headerVersion())
            .buffer();
    ByteBuffer body =
        MessageUtil.toByteBufferAccessor(response.data(), header.apiVersion()).buffer();
    byte[] answer = new byte[head.remaining() + body.remaining()];
    ByteBuffer.wrap(answer).put(head).put(body);
    DataOutputStream out = new DataOutputStream(client.getOutputStream());
    write(out, answer);
  }

  private static byte[] read(DataInputStream in) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > LARGEST_FRAME) {
      throw new IOException("a frame of " + size + " bytes");
    }
    byte[] frame = new byte[size];
    in.readFully(frame);
    return frame;
  }

  private static void write(DataOutputStream out, byte[] frame) throws IOException {
    ByteBuffer whole = ByteBuffer.allocate(Integer.BYTES + frame.length);
    whole.putInt(frame.length).put(frame);
    out.write(whole.array());
    out.flush();
  }

  void close() {
    close(client);
    close(broker);
    onEnd.run();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is gone
    }
  }
}
