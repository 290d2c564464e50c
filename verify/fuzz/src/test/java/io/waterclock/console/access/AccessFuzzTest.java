package io.waterclock.console.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The console's files of people, and the headers by which it judges requests. */
final class AccessFuzzTest {
  private static final RequestGuard GUARD =
      new RequestGuard(List.of("console.example.com"), new byte[32]);

  @FuzzTest
  @DictionaryEntries({
    "operator ann billing/\\x0a",
    "viewer *\\x0a",
    "# c\\x0a",
    "ann 0123456789abcdef\\x0a"
  })
  void file(@NotNull String text) {
    try {
      AccessRules rules = AccessRules.parse(text);
      assertThat(AccessRules.parse(text)).isEqualTo(rules);
      assertThat(rules.grants()).hasSizeLessThanOrEqualTo((int) text.lines().count());
    } catch (InvalidAccessException e) {
      Claims.rejected(e);
    }
    try {
      Tokens tokens = Tokens.parse(text);
      assertThat(tokens.name("")).isEmpty();
    } catch (InvalidAccessException e) {
      Claims.rejected(e);
      List<String[]> lines = text.lines().map(line -> line.strip().split("\\s+")).toList();
      lines.stream()
          .flatMap(words -> Arrays.stream(words).skip(1))
          .filter(word -> word.length() > 40)
          .filter(word -> lines.stream().noneMatch(words -> words[0].contains(word)))
          .forEach(token -> assertThat(e.getMessage()).as("a token").doesNotContain(token));
    }
  }

  @FuzzTest
  @DictionaryEntries({
    "console.example.com:8086",
    "127.0.0.1",
    "[::1]:1",
    "http://console.example.com",
    "localhost",
    "evil.example",
    ":80",
    "@"
  })
  void headers(@NotNull String host, @NotNull String origin) {
    boolean known = GUARD.isKnownHost(Optional.of(host));
    if (known && host.matches("[A-Za-z.-]+")) {
      assertThat(host.toLowerCase(Locale.ROOT)).isIn("localhost", "console.example.com");
    }
    boolean own = GUARD.isOwnOrigin(Optional.of(origin), Optional.empty(), Optional.of(host));
    if (own) {
      assertThat(URI.create(origin).getRawAuthority()).isEqualToIgnoringCase(host);
    }
    assertThat(GUARD.isToken(Optional.of(origin), host))
        .isEqualTo(origin.equals(GUARD.token(host)));
  }
}
