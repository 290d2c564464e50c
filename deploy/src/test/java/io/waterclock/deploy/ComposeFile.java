package io.waterclock.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** docker-compose.yml, as docker compose reads it when no variable is set. */
record ComposeFile(JsonNode content) {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{[A-Z_]+:-([^}]*)}");

  static ComposeFile read() throws IOException {
    return new ComposeFile(Documents.of(Documents.ROOT.resolve("docker-compose.yml")).get(0));
  }

  JsonNode services() {
    return content.at("/services");
  }

  JsonNode service(String name) {
    JsonNode service = services().path(name);
    if (service.isMissingNode()) {
      throw new IllegalStateException("there is no service " + name);
    }
    return service;
  }

  /** The services that start with a profile, or with none. */
  List<String> of(String... profiles) {
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, JsonNode> service : services().properties()) {
      JsonNode wanted = service.getValue().path("profiles");
      boolean isOn = wanted.isMissingNode();
      for (JsonNode each : wanted) {
        isOn |= List.of(profiles).contains(each.asText());
      }
      if (isOn) {
        names.add(service.getKey());
      }
    }
    return names;
  }

  Map<String, String> environment(String service) {
    Map<String, String> environment = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each : service(service).path("environment").properties()) {
      environment.put(each.getKey(), substituted(each.getValue().asText()));
    }
    return environment;
  }

  /** The command of a service, word by word. */
  List<String> words(String service, String key) {
    return words(service(service).path(key));
  }

  private static List<String> words(JsonNode command) {
    if (command.isTextual()) {
      return List.of(command.asText().split(" "));
    }
    List<String> words = new ArrayList<>();
    command.forEach(word -> words.add(word.asText()));
    return words;
  }

  /**
   * Runs the check of a service that listens to another port here; returns the exit code.
   *
   * @param own the port that it has in the file
   */
  int healthcheck(String service, int own, int port) throws IOException, InterruptedException {
    List<String> test = words(service(service).at("/healthcheck/test"));
    String place = "/" + own + " ";
    if (!test.get(0).equals("CMD") || test.stream().noneMatch(word -> word.contains(place))) {
      throw new IllegalStateException("the check of " + service + " does not ask " + own);
    }
    return new ProcessBuilder(
            test.stream().skip(1).map(word -> word.replace(place, "/" + port + " ")).toList())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Host paths that are mounted, by where they are mounted; volumes with names are left out. */
  Map<String, Path> mounts(String service) {
    Map<String, Path> mounts = new TreeMap<>();
    for (JsonNode volume : service(service).path("volumes")) {
      String[] parts = volume.asText().split(":");
      if (parts[0].startsWith(".")) {
        mounts.put(parts[1], Documents.ROOT.resolve(parts[0]).normalize());
      }
    }
    return mounts;
  }

  /** What is mounted there. */
  Path mount(String service, String place) {
    Path path = mounts(service).get(place);
    if (path == null) {
      throw new IllegalStateException("nothing of ours is mounted at " + place);
    }
    return path;
  }

  /** A path in a container as one of this machine, if it is of what is mounted. */
  String onThisMachine(String service, String path) {
    for (Map.Entry<String, Path> mount : mounts(service).entrySet()) {
      if (path.equals(mount.getKey()) || path.startsWith(mount.getKey() + "/")) {
        return mount.getValue() + path.substring(mount.getKey().length());
      }
    }
    return path;
  }

  private static String substituted(String text) {
    Matcher variable = VARIABLE.matcher(text);
    return variable.replaceAll(found -> Matcher.quoteReplacement(found.group(1)));
  }
}
