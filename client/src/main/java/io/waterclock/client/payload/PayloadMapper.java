package io.waterclock.client.payload;

import java.lang.reflect.Type;

/** Turns objects into payloads and back. Implementations are thread-safe. */
public interface PayloadMapper {
  /** The media type of the payloads that {@link #write} returns. */
  String contentType();

  /**
   * @throws Exception if the object has no form as a payload
   */
  byte[] write(Object value) throws Exception;

  /**
   * @param payload not empty
   * @param type a class, or a type with parameters such as {@code List<Order>}
   * @return an object of the type
   * @throws Exception if the payload is not one of the type
   */
  Object read(byte[] payload, Type type) throws Exception;
}
