package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected ids were computed with Python's uuid.uuid5. */
class FireIdsTest {
  @Test
  void the_namespace_never_changes() {
    assertThat(FireIds.NAMESPACE).hasToString("4f1db9f2-79be-52c1-8cbc-64b62aa5ff23");
  }

  @ParameterizedTest
  @CsvSource({
    "/waterclock/waterclock, reports/daily|2026-11-21T10:00:00.000Z, 45ab35b3-d783-5fca-a990-2ec57bf08623",
    "/waterclock/waterclock, reports/daily|2026-11-21T10:00:00.001Z, a53a851f-b91a-5bb7-9676-d839bf345420",
    "/waterclock/tenant-a, a|1970-01-01T00:00:00.000Z, 9eee3d76-8bce-5b02-a6ac-464f6cd38abb",
    "/waterclock/waterclock, a|2026-11-21T10:00:00.000Z|cömmand-1, 9ccab166-2e40-5fb9-b9ee-3f8f9b9a22a5",
  })
  void an_id_is_uuid_version_5_of_source_and_key(String source, String key, String id) {
    assertThat(FireIds.of(source).of(FireKey.parse(key))).hasToString(id);
  }

  @Test
  void the_longest_schedule_id_and_the_last_instant() {
    FireKey key = FireKey.parse("x".repeat(255) + "|9999-12-31T23:59:59.999Z");

    assertThat(FireIds.of("/waterclock/waterclock").of(key))
        .hasToString("3097bb20-d642-58ae-8b30-88781643828e");
  }

  @Test
  void threads_do_not_disturb_each_other() {
    FireIds ids = FireIds.of("/waterclock/tenant-a");
    FireKey key = FireKey.parse("a|1970-01-01T00:00:00.000Z");

    List<String> all =
        IntStream.range(0, 20_000)
            .parallel()
            .mapToObj(i -> ids.of(key).toString())
            .distinct()
            .toList();

    assertThat(all).containsExactly("9eee3d76-8bce-5b02-a6ac-464f6cd38abb");
  }
}
