package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.brokers.RootCause;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Named connections of a user. Each is a properties file {@code contexts/NAME.properties}, which
 * only the user can read; the file {@code context} names the one in use.
 *
 * @param folder need not exist
 */
public record Contexts(Path folder) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final String ENDING = ".properties";

  /** Those in {@code $XDG_CONFIG_HOME/waterclock}, by default {@code ~/.config/waterclock}. */
  public static Contexts ofUser() {
    String user =
        Optional.ofNullable(System.getenv("HOME")).orElse(System.getProperty("user.home"));
    Path home = Path.of(user, ".config");
    Path base =
        Optional.ofNullable(System.getenv("XDG_CONFIG_HOME"))
            .filter(folder -> !folder.isEmpty())
            .map(Path::of)
            .orElse(home);
    return new Contexts(base.resolve("waterclock"));
  }

  public List<String> names() {
    if (!Files.isDirectory(folder.resolve("contexts"))) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder.resolve("contexts"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ENDING))
          .map(name -> name.substring(0, name.length() - ENDING.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  public Optional<String> current() {
    try {
      Path file = folder.resolve("context");
      return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  public Map<String, String> get(String name) {
    return read(existing(name));
  }

  /** Uses a context from now on. */
  public void use(String name) {
    existing(name);
    write(folder.resolve("context"), name + "\n");
  }

  /** Creates a context or replaces it. */
  public void put(String name, Map<String, String> settings) {
    Properties properties = new Properties();
    properties.putAll(settings);
    StringWriter text = new StringWriter();
    try {
      properties.store(text, null);
    } catch (IOException e) {
      throw failed(e);
    }
    // without the first line, which has the time
    write(file(name), text.toString().replaceFirst("^#[^\n]*\n", ""));
  }

  /** Deletes a context; if it is in use, none is. */
  public void delete(String name) {
    try {
      Files.delete(existing(name));
      if (current().filter(name::equals).isPresent()) {
        Files.delete(folder.resolve("context"));
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private Path existing(String name) {
    Path file = file(name);
    if (!Files.exists(file)) {
      List<String> names = names();
      throw new Failure(
          ("There is no context %s%s. 'waterclock context set %s --bootstrap-server"
                  + " HOST:PORT' creates it.")
              .formatted(
                  name, names.isEmpty() ? "" : "; there are " + String.join(", ", names), name));
    }
    return file;
  }

  private Path file(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new Failure(
          "\"" + name + "\" is no name of a context: use letters, digits and . _ - only.");
    }
    return folder.resolve("contexts").resolve(name + ENDING);
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Path next = Files.createTempFile(file.getParent(), "context", ".tmp"); // mode 0600
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static Failure failed(IOException cause) {
    return new Failure(
        "The contexts cannot be read or written: " + RootCause.of(cause) + ".", cause);
  }

  static Map<String, String> read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new Failure("The settings in " + file + " cannot be read: " + reason(e) + ".", e);
    }
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(key -> key, properties::getProperty));
  }

  static String reason(Exception e) {
    return e instanceof NoSuchFileException
        ? "there is no such file"
        : String.valueOf(e.getMessage());
  }
}
