package io.waterclock.schemas;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * Fire ids: UUID version 5 (RFC 9562, section 5.5) of the name {@code <ce_source>|<fire key>} in
 * {@link #NAMESPACE}. A program in any language can compute the id from the source and the key, and
 * a fire emitted again has the same id.
 *
 * <p>Thread-safe. One id costs one SHA-1 over its name.
 */
public final class FireIds {
  /**
   * The published namespace: UUID version 5 of the URL {@code https://waterclock.io/fires}. It
   * never changes.
   */
  public static final UUID NAMESPACE = UUID.fromString("4f1db9f2-79be-52c1-8cbc-64b62aa5ff23");

  private static final ThreadLocal<MessageDigest> SHA_1 = ThreadLocal.withInitial(FireIds::sha1);

  private final byte[] prefix;

  private FireIds(byte[] prefix) {
    this.prefix = prefix;
  }

  /** Ids of the fires of one source, see {@link Topics#ceSource}. */
  public static FireIds of(String ceSource) {
    byte[] source = (ceSource + "|").getBytes(StandardCharsets.UTF_8);
    return new FireIds(
        ByteBuffer.allocate(16 + source.length)
            .putLong(NAMESPACE.getMostSignificantBits())
            .putLong(NAMESPACE.getLeastSignificantBits())
            .put(source)
            .array());
  }

  /** The id of the fire with this key. */
  public UUID of(FireKey key) {
    return of(key.bytes());
  }

  /** The id of the fire with this key, given as UTF-8. */
  public UUID of(byte[] fireKey) {
    MessageDigest sha1 = SHA_1.get();
    sha1.update(prefix);
    byte[] hash = sha1.digest(fireKey);
    hash[6] = (byte) ((hash[6] & 0x0f) | 0x50);
    hash[8] = (byte) ((hash[8] & 0x3f) | 0x80);
    ByteBuffer words = ByteBuffer.wrap(hash);
    return new UUID(words.getLong(), words.getLong());
  }

  private static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
