package io.waterclock.cli.moving;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.brokers.RootCause;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Libraries that the user brings: database drivers, and the other scheduler's own library.
 *
 * @param loader of these libraries and of our own
 */
record SourceJars(ClassLoader loader) {

  /**
   * @param path jar files and folders of jar files, separated as in a class path
   */
  static SourceJars of(Optional<String> path) {
    List<URL> urls = new ArrayList<>();
    for (String entry : path.map(p -> p.split(File.pathSeparator, -1)).orElse(new String[0])) {
      urls.addAll(urls(Path.of(entry)));
    }
    ClassLoader ours = SourceJars.class.getClassLoader();
    return new SourceJars(new URLClassLoader(urls.toArray(new URL[0]), ours));
  }

  private static List<URL> urls(Path entry) {
    if (!Files.exists(entry)) {
      throw new Failure("--jars: there is no file " + entry + ".");
    }
    try (Stream<Path> files = Files.isDirectory(entry) ? Files.list(entry) : Stream.of(entry)) {
      List<URL> urls = new ArrayList<>();
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        urls.add(jar.toUri().toURL());
      }
      return urls;
    } catch (MalformedURLException e) {
      throw new Failure("--jars: " + entry + " is no file name.", e);
    } catch (IOException e) {
      throw new Failure("--jars: " + entry + " cannot be read: " + RootCause.of(e) + ".", e);
    }
  }

  /** A connection that only reads. */
  Connection connect(String url, Optional<String> user, Optional<String> password) {
    Properties properties = new Properties();
    user.ifPresent(name -> properties.setProperty("user", name));
    password.ifPresent(secret -> properties.setProperty("password", secret));
    String kind = url.replaceFirst("^(jdbc:[a-z0-9]+:).*", "$1...");
    try {
      for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
        if (driver.acceptsURL(url)) {
          Connection connection = driver.connect(url, properties);
          connection.setReadOnly(true);
          return connection;
        }
      }
    } catch (SQLException e) {
      throw new Failure("The database " + kind + " cannot be reached: " + e.getMessage(), e);
    }
    throw new Failure(
        "There is no driver for " + kind + "; name the jar of its driver with --jars.");
  }
}
