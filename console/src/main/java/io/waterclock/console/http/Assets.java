package io.waterclock.console.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The files that browsers load, in memory and compressed: the console's own and the libraries',
 * each by a fixed name. No path of a request ever reaches the class path. Immutable.
 */
final class Assets {
  private static final String OWN = "/io/waterclock/console/web/";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";

  private static final List<String> SCRIPTS =
      List.of(
          "app",
          "api",
          "ui",
          "times",
          "jobs",
          "overview",
          "problems",
          "letters",
          "schedules",
          "schedule",
          "load",
          "limits",
          "bulk",
          "edit",
          "whatif",
          "audit");

  private final Map<String, Asset> files = new HashMap<>();

  private Assets() {}

  static Assets load() {
    Assets assets = new Assets();
    assets.own("/", "index.html", "text/html; charset=utf-8");
    assets.own("/console.css", "console.css", STYLE);
    assets.own("/icon.svg", "icon.svg", "image/svg+xml");
    assets.own("/api/openapi.json", "openapi.json", "application/json");
    for (String script : SCRIPTS) {
      assets.own("/" + script + ".js", script + ".js", SCRIPT);
    }
    assets.library("preact", "dist/preact.min.umd.js", SCRIPT);
    assets.library("preact", "hooks/dist/hooks.umd.js", SCRIPT);
    assets.library("uplot", "dist/uPlot.iife.min.js", SCRIPT);
    assets.library("uplot", "dist/uPlot.min.css", STYLE);
    return assets;
  }

  Optional<Asset> at(String path) {
    return Optional.ofNullable(files.get(path));
  }

  private void own(String path, String name, String type) {
    files.put(path, Asset.of(type, read(OWN + name)));
  }

  /** Under the file's last name, without its version: {@code /lib/hooks.umd.js}. */
  private void library(String library, String file, String type) {
    String path = "/META-INF/resources/webjars/" + library + "/" + version(library) + "/" + file;
    files.put("/lib/" + file.substring(file.lastIndexOf('/') + 1), Asset.of(type, read(path)));
  }

  private static String version(String library) {
    Properties properties = new Properties();
    String file = "/META-INF/maven/org.webjars.npm/" + library + "/pom.properties";
    try (InputStream stream = open(file)) {
      properties.load(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  private static byte[] read(String path) {
    try (InputStream stream = open(path)) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String path) {
    InputStream stream = Assets.class.getResourceAsStream(path);
    if (stream == null) {
      throw new IllegalStateException(path + " is not on the class path");
    }
    return stream;
  }
}
