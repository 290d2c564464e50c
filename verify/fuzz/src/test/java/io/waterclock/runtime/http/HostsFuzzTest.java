package io.waterclock.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.util.List;

/** The {@code Host} of a request: only addresses and known names pass. */
final class HostsFuzzTest {
  private static final KnownHosts HOSTS = KnownHosts.of(List.of("ops.example.com:8080"));

  @FuzzTest
  @DictionaryEntries({
    "ops.example.com",
    "localhost",
    "OPS.EXAMPLE.COM:80",
    "[::1]:80",
    "127.0.0.1:80",
    "evil.example",
    "@",
    ":0",
    "%5b"
  })
  void host(@NotNull String authority) {
    if (HOSTS.knows(authority)) {
      assertThat(authority)
          .matches(
              "(?i)(localhost|ops\\.example\\.com|[0-9]{1,3}(\\.[0-9]{1,3}){3}"
                  + "|\\[?[0-9a-f:.]+(%[0-9a-z]+)?]?)(:[+0-9]*)?");
    }
  }
}
