package io.waterclock.connect.rules;

import io.waterclock.schemas.avro.Fire;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the URL for a fire: the URL in a label of its schedule, if that is allowed, or else the
 * configured one. Immutable.
 *
 * @param configured the URL for schedules that name none
 * @param label the name of the label; empty: schedules may not name a URL
 * @param allowed the URLs that a schedule may name
 */
public record Destinations(
    Optional<URI> configured, Optional<String> label, List<UrlPattern> allowed) {

  public Destinations {
    allowed = List.copyOf(allowed);
  }

  /** A URL, or the reason why there is none. */
  public sealed interface Destination {
    record Found(URI url) implements Destination {}

    record Refused(String reason) implements Destination {}
  }

  public Destination of(Fire fire) {
    Optional<String> named =
        label.flatMap(name -> Optional.ofNullable(fire.getSchedule().getLabels().get(name)));
    if (named.isEmpty()) {
      return configured
          .<Destination>map(Destination.Found::new)
          .orElseGet(
              () ->
                  new Destination.Refused(
                      "no URL is configured, and the schedule names none"
                          + label.map(name -> " in its label " + name).orElse("")));
    }
    Optional<URI> url = UrlPattern.url(named.get());
    if (url.isEmpty()) {
      return new Destination.Refused(
          "the schedule's label "
              + label.orElseThrow()
              + " is \""
              + UrlPattern.shown(named.get())
              + "\", which is not an http or https URL without user info, fragment and \"..\";"
              + " for example https://hooks.example.com/jobs");
    }
    return allowed.stream().anyMatch(pattern -> pattern.matches(url.get()))
        ? new Destination.Found(url.get())
        : new Destination.Refused(
            "the schedule names "
                + UrlPattern.shown(named.get())
                + ", which url.allow does not contain: "
                + (allowed.isEmpty() ? "it is empty" : patterns()));
  }

  private String patterns() {
    return allowed.stream()
        .map(
            pattern ->
                pattern.scheme()
                    + "://"
                    + (pattern.anySubdomain() ? "*." : "")
                    + pattern.host()
                    + ":"
                    + pattern.port()
                    + pattern.path())
        .collect(Collectors.joining(", "));
  }
}
