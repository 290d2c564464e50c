package io.waterclock.schemas.registry;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** The body of an answer as bytes; reading stops when the body exceeds the limit. */
public final class LimitedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
  private @Nullable Subscription subscription;
  private long room;

  /**
   * @param longest inclusive
   */
  public LimitedBody(long longest) {
    this.room = longest;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return bytes.getBody();
  }

  @Override
  public void onSubscribe(Subscription made) {
    subscription = made;
    bytes.onSubscribe(made);
  }

  @Override
  public void onNext(List<ByteBuffer> more) {
    room -= more.stream().mapToLong(ByteBuffer::remaining).sum();
    if (room >= 0) {
      bytes.onNext(more);
    } else if (subscription != null) {
      subscription.cancel();
      bytes.onError(new TooLongException());
    }
  }

  @Override
  public void onError(Throwable failure) {
    bytes.onError(failure);
  }

  @Override
  public void onComplete() {
    bytes.onComplete();
  }

  /** There is more than was allowed for. */
  public static final class TooLongException extends IOException {}
}
