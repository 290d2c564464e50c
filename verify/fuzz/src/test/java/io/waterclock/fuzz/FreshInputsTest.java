package io.waterclock.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.InRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A few inputs for each target that no run has saved: its seeds with random changes, without
 * coverage. {@code -Dwaterclock.fuzz.inputs=N} runs N for each target, and {@code
 * -Dwaterclock.fuzz.seed=S} others than those of each build.
 */
final class FreshInputsTest {
  private static final int INPUTS = Integer.getInteger("waterclock.fuzz.inputs", 20);
  private static final long SEED = Long.getLong("waterclock.fuzz.seed", 1);
  private static final String[] WORDS = {
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "null",
    "-1",
    "0",
    "9223372036854775807",
    "1e99999999999",
    "\n",
    "\0",
    "\\u0000",
    "T",
    "Z",
    "*",
    "/",
    "\u00e4",
    "\ud83d\ude00",
    "  ",
    "#",
    "&a ",
    "*a",
    "%"
  };

  @TestFactory
  Stream<DynamicTest> seeds_with_changes() throws IOException {
    System.out.println("fuzz: waterclock.fuzz.seed=" + SEED);
    Path classes = Path.of(System.getProperty("user.dir"), "src/test/java");
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file :
          files.filter(f -> f.toString().endsWith("FuzzTest.java")).sorted().toList()) {
        Class<?> type = load(classes.relativize(file).toString());
        for (Method method : type.getDeclaredMethods()) {
          if (method.isAnnotationPresent(FuzzTest.class)) {
            tests.add(
                DynamicTest.dynamicTest(
                    type.getSimpleName() + "." + method.getName(), () -> run(type, method)));
          }
        }
      }
    }
    return tests.stream();
  }

  private static Class<?> load(String file) {
    try {
      return Class.forName(file.replaceFirst("[.]java$", "").replace('/', '.'));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(Class<?> type, Method method) throws Throwable {
    List<byte[]> seeds = seeds(type, method);
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    method.setAccessible(true);
    Object target = constructor.newInstance();
    annotated(type, BeforeAll.class);
    SplittableRandom random = new SplittableRandom(SEED ^ method.toString().hashCode());
    for (int i = 0; i < INPUTS; i++) {
      Object[] arguments =
          Stream.of(method.getAnnotatedParameterTypes())
              .map(parameter -> argument(parameter, seeds, random))
              .toArray();
      try {
        method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw new AssertionError(
            "waterclock.fuzz.seed=%s, input %s: %s"
                .formatted(SEED, i, Arrays.deepToString(arguments)),
            e.getCause());
      }
    }
    annotated(type, AfterAll.class);
  }

  private static Object argument(
      AnnotatedType parameter, List<byte[]> seeds, SplittableRandom random) {
    InRange range = parameter.getAnnotation(InRange.class);
    if (range != null) {
      return (int) random.nextLong(range.min(), range.max() + 1);
    }
    return switch (parameter.getType().getTypeName()) {
      case "long" -> random.nextLong() >> random.nextInt(64);
      case "byte" -> (byte) random.nextInt();
      case "java.lang.String" ->
          new String(
              changed(seeds.get(random.nextInt(seeds.size())), seeds, random),
              StandardCharsets.UTF_8);
      default -> changed(seeds.get(random.nextInt(seeds.size())), seeds, random);
    };
  }

  private static void annotated(Class<?> type, Class<? extends Annotation> annotation)
      throws ReflectiveOperationException {
    for (Method method : type.getDeclaredMethods()) {
      if (method.isAnnotationPresent(annotation)) {
        method.setAccessible(true);
        method.invoke(null);
      }
    }
  }

  private static List<byte[]> seeds(Class<?> type, Method method)
      throws IOException, URISyntaxException {
    URL folder = type.getResource(type.getSimpleName() + "Inputs/" + method.getName());
    if (folder == null) {
      return List.of(new byte[0]);
    }
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
      return files.sorted().map(FreshInputsTest::read).toList();
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] changed(byte[] seed, List<byte[]> seeds, SplittableRandom random) {
    byte[] input = seed.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(input.length + 1);
      int length = Math.min(input.length - at, 1 + random.nextInt(8));
      input =
          switch (random.nextInt(5)) {
            case 0 -> spliced(input, at, length, new byte[0]);
            case 1 -> spliced(input, at, 0, Arrays.copyOfRange(input, at, at + length));
            case 2 -> spliced(input, at, length, new byte[] {(byte) random.nextInt(256)});
            case 3 ->
                spliced(
                    input,
                    at,
                    random.nextBoolean() ? 0 : length,
                    WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.UTF_8));
            default -> {
              byte[] other = seeds.get(random.nextInt(seeds.size()));
              int from = random.nextInt(other.length + 1);
              int to = Math.min(other.length, from + random.nextInt(40));
              yield spliced(input, at, length, Arrays.copyOfRange(other, from, to));
            }
          };
    }
    return input;
  }

  /** The bytes with {@code with} in place of {@code length} of them. */
  private static byte[] spliced(byte[] bytes, int at, int length, byte[] with) {
    byte[] result = Arrays.copyOf(bytes, bytes.length - length + with.length);
    System.arraycopy(with, 0, result, at, with.length);
    System.arraycopy(bytes, at + length, result, at + with.length, bytes.length - at - length);
    return result;
  }
}
