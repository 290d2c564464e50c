package io.waterclock.client.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A schedule that fires once, unless it is moved or cancelled before: a time-out, a deadline, a
 * debounce.
 *
 * <pre>{@code
 * schedules.timer("carts/42").with(timer -> timer.type("cart").payload(cart)).rearm(Duration.ofHours(1));
 * }</pre>
 *
 * <p>The scheduler decides: of changes from several services, the one whose record it reads last
 * counts, except with {@link #rearmIfLater}. A change that the scheduler has read before the timer
 * is due moves it; a change that was written after that adds a second fire. Immutable.
 *
 * @param <T> the result of a change: a future of the answer, or inside a transaction a handle
 */
public final class Timer<T> {
  private final Function<ScheduleBuilder, T> put;
  private final Supplier<T> delete;
  private final UnaryOperator<ScheduleBuilder> settings;

  Timer(
      Function<ScheduleBuilder, T> put,
      Supplier<T> delete,
      UnaryOperator<ScheduleBuilder> settings) {
    this.put = put;
    this.delete = delete;
    this.settings = settings;
  }

  /** The same timer with settings of its definition, such as type and payload. */
  public Timer<T> with(UnaryOperator<ScheduleBuilder> more) {
    return new Timer<>(put, delete, definition -> more.apply(settings.apply(definition)));
  }

  /**
   * Starts the timer, once for this id and time: the same call again changes nothing, also after
   * the timer has fired. Another time starts it anew.
   *
   * @param time zero or more, in whole milliseconds
   */
  public T after(Duration time) {
    return put(ScheduleBuilder.after(time));
  }

  /** Sets the timer to an instant, earlier or later; one in the past fires at once. */
  public T at(Instant instant) {
    return put(ScheduleBuilder.once(instant));
  }

  /**
   * Starts the timer, or starts it again: it fires this time after the last call.
   *
   * @param time zero or more, in whole milliseconds
   */
  public T rearm(Duration time) {
    return put(ScheduleBuilder.after(time).rearm());
  }

  /**
   * Sets the timer, but never to an earlier instant than the one in force: of events that arrive in
   * any order, from any services, the latest instant remains. The answer to an earlier one is that
   * nothing has changed. After the timer has fired, only a later instant starts it again; after
   * {@link #cancel}, any instant later than its last fire does.
   */
  public T rearmIfLater(Instant instant) {
    return put(ScheduleBuilder.once(instant).rearm());
  }

  /** Deletes the timer; it does not fire unless it was due before. */
  public T cancel() {
    return delete.get();
  }

  private T put(ScheduleBuilder definition) {
    return put.apply(settings.apply(definition));
  }
}
