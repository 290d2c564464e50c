package io.waterclock.schemas.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A text in which {@code *} stands for any characters. A match takes the first place for each part
 * between two stars, and finds it as Knuth, Morris and Pratt do: it costs the length of the text,
 * whatever pattern and text are. Immutable.
 */
public final class StarPattern {
  private final String first;
  private final List<Part> between;
  private final Optional<String> last;

  private StarPattern(String first, List<Part> between, Optional<String> last) {
    this.first = first;
    this.between = between;
    this.last = last;
  }

  /** Matches the whole of a text. Costs the length of the pattern. */
  public static StarPattern of(String pattern) {
    String[] parts = pattern.split("\\*", -1);
    int end = parts.length - 1;
    return end == 0
        ? new StarPattern(pattern, List.of(), Optional.empty())
        : new StarPattern(
            parts[0],
            Arrays.stream(parts, 1, end).filter(part -> !part.isEmpty()).map(Part::new).toList(),
            Optional.of(parts[end]));
  }

  /** Matches every text that contains a part, in which a star is a star. */
  public static StarPattern containing(String part) {
    List<Part> parts = part.isEmpty() ? List.of() : List.of(new Part(part));
    return new StarPattern("", parts, Optional.of(""));
  }

  public boolean matches(String text) {
    if (last.isEmpty() || !text.startsWith(first)) {
      return text.equals(first);
    }
    int at = first.length();
    for (Part part : between) {
      OptionalInt end = part.endIn(text, at);
      if (end.isEmpty()) {
        return false;
      }
      at = end.getAsInt();
    }
    return text.length() - last.get().length() >= at && text.endsWith(last.get());
  }

  private static final class Part {
    private final String text;

    /** For each beginning of the text: the length of the longest other beginning that ends it. */
    private final int[] borders;

    Part(String text) {
      this.text = text;
      this.borders = new int[text.length()];
      for (int i = 1; i < borders.length; i++) {
        borders[i] = next(borders[i - 1], text.charAt(i));
      }
    }

    /** How much of this part ends with a character, after so much of it. */
    private int next(int matched, char c) {
      int longest = matched;
      while (longest > 0 && text.charAt(longest) != c) {
        longest = borders[longest - 1];
      }
      return text.charAt(longest) == c ? longest + 1 : 0;
    }

    /** The end of the first place at or after an index. */
    OptionalInt endIn(String other, int from) {
      int matched = 0;
      for (int i = from; i < other.length(); i++) {
        matched = next(matched, other.charAt(i));
        if (matched == text.length()) {
          return OptionalInt.of(i + 1);
        }
      }
      return OptionalInt.empty();
    }
  }
}
