package io.waterclock.console.http;

import io.waterclock.console.follow.TopicFollower;

/** A request that cannot be carried out as it is. */
final class BadRequestException extends RuntimeException {
  private final int status;

  BadRequestException(String what) {
    this(400, what);
  }

  BadRequestException(int status, String what) {
    super(what);
    this.status = status;
  }

  /** Refuses a change that would repeat what the console may no longer know right. */
  static void unlessCurrent(TopicFollower.Progress progress) {
    progress
        .behind()
        .ifPresent(
            why -> {
              throw new BadRequestException(503, why + ". Nothing was sent.");
            });
  }

  HttpAnswer answer() {
    String title =
        switch (status) {
          case 403 -> "Not allowed";
          case 404 -> "Not found";
          case 409 -> "Conflict";
          case 503 -> "Busy";
          default -> "Bad request";
        };
    return HttpAnswer.problem(status, title, String.valueOf(getMessage()));
  }
}
