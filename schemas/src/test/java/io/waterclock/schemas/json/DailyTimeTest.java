package io.waterclock.schemas.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DailyTimeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"business_day":-1,"calendar":"nyse","time":"16:00"} | {"business_day":-1,"except":["nyse"],"cron":"0 16 * * *"}
          {"time":"9:05"}                     | {"cron":"5 9 * * *"}
          {"time":" 23:59:30 "}               | {"cron":"30 59 23 * * *"}
          {"time":"00:00","cron":null}        | {"cron":"0 0 * * *"}
          {"every":"1h","calendar":"nyse"}    | {"every":"1h","except":["nyse"]}
          """)
  void it_is_read_as_a_cron_expression_and_except(String words, String fields) {
    ScheduleReading reading = read(words);
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.schedule()).isEqualTo(read(fields).schedule());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"time":"24:00"}                           | time     | a time of the day
          {"time":"16"}                              | time     | a time of the day
          {"time":16}                                | time     | a time of the day
          {"time":"16:00","cron":"0 9 * * *"}        | time     | no cron beside it
          {"time":"16:00","every":"1h"}              | time     | no every beside it
          {"time":"16:00","dialect":"quartz","in":"1h"} | time  | no in beside it
          {"time":"16:00","calendar":["nyse"]}       | calendar | the name of a calendar
          {"time":"16:00","calendar":"a","except":["b"]} | calendar | write both there
          """)
  void what_is_wrong_is_said_once(String words, String path, String message) {
    assertThat(read(words).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.getField()).isEqualTo(path);
              assertThat(problem.getMessage()).contains(message);
            });
  }

  private static ScheduleReading read(String json) {
    return ScheduleJson.read(json.getBytes(UTF_8), ZoneOffset.UTC);
  }
}
