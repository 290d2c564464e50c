package io.waterclock.client.schedules;

/** Changes with a reason and an author. */
final class SaidChanges<T> extends Changes<T> {
  private final Changes<T> changes;
  private final String why;
  private final String who;

  SaidChanges(Changes<T> changes, String why, String who) {
    this.changes = changes;
    this.why = why;
    this.who = who;
  }

  /** Of a definition or a delete. */
  @Override
  T send(Request request) {
    return changes.send(request.saying(why, who));
  }

  @Override
  public T command(String id, ScheduleCommand command) {
    return changes.command(id, command.saying(why, who));
  }
}
