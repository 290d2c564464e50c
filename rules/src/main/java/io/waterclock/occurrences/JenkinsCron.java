package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Replaces the {@code H} of Jenkins with the values that a schedule's id gets.
 *
 * <p>The values are those that Jenkins gives a job with that full name: the two halves of the MD5
 * of the name, combined by exclusive or, seed a {@link Random}, and each H takes its next value,
 * from left to right. {@code H} is one value of the field, {@code H(0-29)} one of a range, and
 * {@code H/15} starts within the first 15 values. An H in the day of month ends at 28.
 *
 * <p>Example: {@code H H(0-7) * * *} of the id {@code billing/report} is {@code 32 5 * * *}.
 *
 * <p>Source: the classes Hash and BaseParser, and the grammar CrontabParser, of Jenkins.
 */
public final class JenkinsCron {
  private static final Pattern HASH =
      Pattern.compile("H(?:\\((\\d{1,9})-(\\d{1,9})\\))?(?:/(\\d{1,9}))?");
  private static final List<CronField> FIELDS =
      List.of(
          CronField.MINUTE,
          CronField.HOUR,
          CronField.DAY_OF_MONTH,
          CronField.MONTH,
          CronField.DAY_OF_WEEK);
  private static final int LAST_HASHED_DAY = 28;
  private static final int LAST_HASHED_WEEKDAY = 6;
  private static final Map<String, String> ALIASES =
      Map.of(
          "@YEARLY", "H H H H *",
          "@ANNUALLY", "H H H H *",
          "@MONTHLY", "H H H * *",
          "@WEEKLY", "H H * * H",
          "@DAILY", "H H * * *",
          "@MIDNIGHT", "H H(0-2) * * *",
          "@HOURLY", "H * * * *");

  private final Random random;

  private JenkinsCron(Random random) {
    this.random = random;
  }

  /** Whether the values of an expression depend on the id. */
  public static boolean isSpread(String expression) {
    return fields(expression).stream()
        .flatMap(field -> Stream.of(field.split(",", -1)))
        .anyMatch(element -> HASH.matcher(element).matches());
  }

  /**
   * The expression without H and aliases. What is no expression of Jenkins stays as it is.
   *
   * @throws InvalidTriggerException if an H has a range or a step that its field does not have
   */
  public static String spread(String expression, String id) {
    List<String> fields = fields(expression);
    if (fields.size() != FIELDS.size() || !isSpread(expression)) {
      return expression;
    }
    JenkinsCron jenkins = new JenkinsCron(random(id));
    List<String> spread = new ArrayList<>();
    for (CronField field : FIELDS) {
      spread.add(jenkins.spread(field, fields.get(spread.size())));
    }
    return String.join(" ", spread);
  }

  private static List<String> fields(String expression) {
    String text = expression.strip().toUpperCase(Locale.ROOT);
    return CronText.words(ALIASES.getOrDefault(text, text));
  }

  private String spread(CronField field, String written) {
    StringJoiner elements = new StringJoiner(",");
    for (String element : written.split(",", -1)) {
      Matcher hash = HASH.matcher(element);
      elements.add(hash.matches() ? values(field, hash) : element);
    }
    return elements.toString();
  }

  private String values(CronField field, Matcher hash) {
    boolean hasRange = hash.group(1) != null;
    int first = hasRange ? Integer.parseInt(hash.group(1)) : field.first();
    int last = hasRange ? Integer.parseInt(hash.group(2)) : lastHashed(field);
    int step = hash.group(3) == null ? 1 : Integer.parseInt(hash.group(3));
    int size = last - first + 1;
    if (first < field.first() || last > field.last() || size < 1) {
      throw wrong(field, hash, "ranges from " + field.first() + " to " + field.last());
    }
    if (step < 1 || step > size) {
      throw wrong(field, hash, "steps from 1 to " + size);
    }
    if (step == 1) {
      return Integer.toString(first + random.nextInt(size));
    }
    StringJoiner values = new StringJoiner(",");
    for (int value = first + random.nextInt(step); value <= last; value += step) {
      values.add(Integer.toString(value));
    }
    return values.toString();
  }

  private static int lastHashed(CronField field) {
    return switch (field) {
      case DAY_OF_MONTH -> LAST_HASHED_DAY;
      case DAY_OF_WEEK -> LAST_HASHED_WEEKDAY;
      default -> field.last();
    };
  }

  private static InvalidTriggerException wrong(CronField field, Matcher hash, String has) {
    return CronProblem.in(field, Quoted.of(hash.group()) + " is out of range; this H has " + has);
  }

  private static Random random(String id) {
    byte[] digest = md5(id);
    long seed = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      seed = (seed << Byte.SIZE) + ((digest[i] ^ digest[i + Long.BYTES]) & 0xff);
    }
    return new Random(seed);
  }

  private static byte[] md5(String id) {
    try {
      return MessageDigest.getInstance("MD5").digest(id.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
