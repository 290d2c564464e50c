package io.waterclock.connect.rules;

import io.waterclock.schemas.text.SafeText;
import java.util.Optional;

/** The result of one attempt to deliver a fire. */
public sealed interface HttpResult {

  /**
   * The server has answered.
   *
   * @param retryAfter the value of the header {@code Retry-After}
   * @param body the beginning of the answer's body
   */
  record Status(int code, Optional<String> retryAfter, String body) implements HttpResult {
    private static final int MOST_SHOWN = 500;

    /** The beginning of the body in one line, for a person. */
    public String shown() {
      return SafeText.cut(body.strip().replaceAll("\\s+", " "), MOST_SHOWN);
    }
  }

  /**
   * The server has not answered.
   *
   * @param reason the reason, for a person
   * @param temporary whether another attempt may succeed
   */
  record None(String reason, boolean temporary) implements HttpResult {}
}
