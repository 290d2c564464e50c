package io.waterclock.connect.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.fuzz.Claims;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Fire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.utils.Utils;

/** What webhooks read from operators, from schedules and from servers. */
final class RulesFuzzTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  @FuzzTest
  @DictionaryEntries({
    "120",
    "Tue, 24 Nov 2026 12:00:00 GMT",
    "Sun, 31 Dec 999999999 23:59:60 +1800"
  })
  void retry_after(@NotNull String header) {
    RetryRule.retryAfter(header, NOW)
        .ifPresent(wait -> assertThat(wait).isGreaterThanOrEqualTo(Duration.ZERO));
  }

  /** A URL that a pattern matches has its scheme and host, whatever the path hides. */
  @FuzzTest
  @DictionaryEntries({
    "https://*.example.com/jobs",
    "https://a.example.com/jobs/../admin",
    "%2e%2e",
    "%252e",
    ";x=",
    "http://[::1]:80",
    "@",
    "\\x5c",
    "#",
    "?",
    "//"
  })
  void url(@NotNull String text) {
    try {
      UrlPattern pattern = UrlPattern.parse(text);
      assertThat(pattern.scheme()).isIn("http", "https");
    } catch (IllegalArgumentException e) {
      Claims.rejected(e);
    }
    UrlPattern allowed = UrlPattern.parse("https://*.example.com/jobs");
    Optional<URI> url = UrlPattern.url(text);
    if (url.filter(allowed::matches).isPresent()) {
      URI uri = url.get();
      assertThat(uri.getHost()).endsWithIgnoringCase(".example.com");
      assertThat(uri.normalize().getRawPath()).startsWith("/jobs");
      assertThat(UrlPattern.url(uri.toString())).contains(uri);
    }
    assertThat(UrlPattern.shown(text)).isNotNull();
  }

  @FuzzTest
  @DictionaryEntries({"10.20.0.0/16", "::ffff:127.0.0.1", "64:ff9b::/96", "127.1", "/", "2002::"})
  void address(@NotNull String text) {
    try {
      AddressRange range = AddressRange.parse(text);
      InetAddress address = range.address();
      assertThat(range.contains(address)).isTrue();
      assertThat(AddressRange.parse(address.getHostAddress() + "/" + range.bits()))
          .isEqualTo(range);
    } catch (IllegalArgumentException e) {
      Claims.rejected(e);
    }
  }

  /** Fires as the webhook sends them: headers hold no line end, and the body is the payload. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void event(byte @NotNull [] value) throws IOException {
    Fire fire;
    try {
      fire = RecordCodecs.fire().decode(value);
    } catch (UndecodableException e) {
      return;
    }
    for (int form = 0; form < 4; form++) {
      EventForm.Message message =
          new EventForm(form % 2 == 0, form < 2, "/waterclock/waterclock")
              .of(fire, fire.getScheduleId() + "|" + fire.getOccurrence());
      assertThat(message.headers())
          .allMatch(header -> header.value().chars().allMatch(c -> c >= ' ' && c < 127));
      if (form == 1) {
        ByteBuffer payload = fire.getSchedule().getPayload();
        assertThat(message.body())
            .isEqualTo(payload == null ? new byte[0] : Utils.toArray(payload));
      } else {
        String field = form % 2 == 0 ? "id" : "fire_id";
        assertThat(JSON.readTree(message.body()).path(field).textValue())
            .isEqualTo(fire.getFireId());
      }
    }
  }
}
