package io.waterclock.console.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Bearer tokens, one a line: {@code NAME TOKEN}; {@code #} begins a comment. Keeps only their
 * hashes, and compares in constant time. Immutable.
 */
public final class Tokens {
  private static final int SHORTEST = 16;

  private final List<Known> known;

  private record Known(String name, String hash) {}

  private Tokens(List<Known> known) {
    this.known = List.copyOf(known);
  }

  /**
   * @throws InvalidAccessException with all problems, by line, without the tokens
   */
  public static Tokens parse(String text) {
    List<Known> found = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String rule = line.strip();
      if (rule.isEmpty() || rule.startsWith("#")) {
        continue;
      }
      String[] words = rule.split("\\s+");
      if (words.length != 2) {
        problems.add("line " + number + ": write NAME TOKEN, for example \"ann 3f9c...\"");
      } else if (words[1].length() < SHORTEST) {
        problems.add(
            "line "
                + number
                + ": the token of "
                + words[0]
                + " has fewer than "
                + SHORTEST
                + " characters; \"openssl rand -hex 24\" makes one");
      } else {
        found.add(new Known(words[0], hash(words[1])));
      }
    }
    if (found.isEmpty() && problems.isEmpty()) {
      problems.add("there is no token: write NAME TOKEN, one a line");
    }
    if (!problems.isEmpty()) {
      throw new InvalidAccessException(problems);
    }
    return new Tokens(found);
  }

  public Optional<String> name(String token) {
    byte[] hash = hash(token).getBytes(UTF_8);
    Optional<String> name = Optional.empty();
    for (Known one : known) {
      if (MessageDigest.isEqual(one.hash().getBytes(UTF_8), hash)) {
        name = Optional.of(one.name());
      }
    }
    return name;
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
