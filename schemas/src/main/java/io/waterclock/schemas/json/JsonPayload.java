package io.waterclock.schemas.json;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;

/** A payload that is JSON. */
public final class JsonPayload {
  private JsonPayload() {}

  /**
   * The unchanged text in UTF-8.
   *
   * @throws InvalidValueException if it is not one JSON value
   */
  public static byte[] bytes(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    Reading reading = Reading.start(ZoneOffset.UTC);
    JsonText.parse(bytes, reading);
    List<Problem> problems = reading.problems();
    if (!problems.isEmpty()) {
      throw new InvalidValueException(
          "the payload " + problems.get(0).getMessage(), "{\"amount\": 42}");
    }
    return bytes;
  }
}
