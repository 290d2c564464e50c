package io.waterclock.cli.source;

import static io.waterclock.cli.source.Sources.forms;
import static io.waterclock.cli.source.Sources.left;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.CronDialect;
import io.waterclock.occurrences.Trigger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CrontabTest {
  private static final int OCCURRENCES = Integer.getInteger("waterclock.occurrences", 10);

  @Test
  void an_entry_becomes_a_schedule_with_its_command_as_payload() {
    Moving moving =
        read(
            """
            # m h dom mon dow command
            MAILTO="ops@example.org"
            CRON_TZ=Europe/Berlin
            30 2 * * 1-5 /usr/local/bin/backup.sh --full
            @daily /usr/local/bin/backup.sh
            """);
    assertThat(left(moving)).isEmpty();
    assertThat(forms(moving))
        .containsExactly(
            "backup.sh {\"cron\":\"30 2 * * 1-5\",\"timezone\":\"Europe/Berlin\","
                + "\"catch_up\":\"skip\",\"payload\":{\"command\":\"/usr/local/bin/backup.sh --full\","
                + "\"environment\":{\"MAILTO\":\"ops@example.org\"}},\"type\":\"crontab\"}",
            "backup.sh-2 {\"cron\":\"@daily\",\"timezone\":\"Europe/Berlin\","
                + "\"catch_up\":\"skip\",\"payload\":{\"command\":\"/usr/local/bin/backup.sh\","
                + "\"environment\":{\"MAILTO\":\"ops@example.org\"}},\"type\":\"crontab\"}");
  }

  @Test
  void percent_begins_the_standard_input_unless_it_is_escaped() {
    assertThat(forms(read("0 0 * * * mail -s \\%d ops%Hello%there \\% all")))
        .singleElement()
        .asString()
        .contains("\"command\":\"mail -s %d ops\",\"stdin\":\"Hello\\nthere % all\\n\"");
  }

  /** As cronie reads the command, and then the input. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a%b          | {"command":"a","stdin":"b\\n"}
          a%           | {"command":"a","stdin":""}
          a%b%         | {"command":"a","stdin":"b\\n"}
          a%b%%c       | {"command":"a","stdin":"b\\n\\nc\\n"}
          a \\%b       | {"command":"a %b"}
          a \\\\%b     | {"command":"a \\\\\\\\","stdin":"b\\n"}
          a \\x        | {"command":"a \\\\x"}
          a%\\%b       | {"command":"a","stdin":"%b\\n"}
          a%\\\\%b     | {"command":"a","stdin":"\\\\%b\\n"}
          """)
  void a_backslash_escapes_a_percent_sign_and_in_the_command_a_backslash(
      String command, String payload) {
    assertThat(forms(read("0 0 * * * " + command)))
        .singleElement()
        .asString()
        .contains("\"payload\":" + payload);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '^',
      quoteCharacter = '`',
      textBlock =
          """
          cd /srv/app && ./bin/half.sh ^ half.sh
          flock -n /x y ^ y
          flock -w 10 /var/lock/x /opt/y --z ^ y
          flock -n /x -c "cd /srv && ./y.sh" ^ y.sh
          . /etc/profile; nice -n 10 ionice -c 3 backup.sh ^ backup.sh
          test -x /usr/sbin/anacron || ( cd / && run-parts --report /etc/cron.daily ) ^ run-parts
          [ -x /usr/bin/a ] && /usr/bin/a ^ a
          PATH="/a b:/c" LANG=C timeout -k 5 10m /opt/job ^ job
          /usr/bin/env python3 -m tool ^ tool
          bash -lc 'exec /opt/run.sh' ^ run.sh
          sudo -u www /usr/bin/php -d x=1 /srv/cron.php ^ cron.php
          java -cp a.jar -jar b.jar ^ b.jar
          /usr/local/bin/backup.sh --full > /dev/null 2>&1 ^ backup.sh
          "/opt/my job" x ^ my-job
          cd /srv ^ cd
          """)
  void the_id_is_the_program_that_does_the_work(String command, String id) {
    assertThat(read("0 0 * * * " + command).schedules())
        .singleElement()
        .extracting(MovedSchedule::id)
        .isEqualTo(id);
  }

  /** cronie reads a Sunday that ends a range as the last day of the week. */
  @ParameterizedTest
  @CsvSource({
    "sat-sun, 2026-11-22 2026-11-28 2026-11-29",
    "6-0, 2026-11-22 2026-11-28 2026-11-29",
    "mon-sun, 2026-11-22 2026-11-23 2026-11-24",
    "mon-sun/2, 2026-11-22 2026-11-23 2026-11-25",
    "5-sun, 2026-11-22 2026-11-27 2026-11-28"
  })
  void a_range_may_end_on_sunday(String days, String dates) {
    Moving moving = read("CRON_TZ=UTC\n0 9 * * " + days + " x");
    assertThat(left(moving)).isEmpty();
    Trigger unix = Cron.parse("0 9 * * " + days, CronDialect.UNIX, ZoneOffset.UTC);
    Trigger ours =
        Cron.parse(moving.schedules().get(0).form().path("cron").asText(), ZoneOffset.UTC);
    for (Trigger trigger : List.of(unix, ours)) {
      Instant at = Sources.NOW;
      for (String date : dates.split(" ", -1)) {
        at = trigger.nextAfter(at).orElseThrow();
        assertThat(at).isEqualTo(Instant.parse(date + "T09:00:00Z"));
      }
    }
    Proof proof = Proof.of(moving.schedules().get(0), Sources.NOW, 100, Sources.ENGINES);
    assertThat(proof.agreed()).isEqualTo(100);
  }

  @Test
  void a_random_delay_is_jitter_and_a_missing_zone_is_noted() {
    Moving moving =
        read(
            """
            0 8 * * * before
            RANDOM_DELAY=30
            -0 9 * * * quiet
            CRON_TZ=UTC
            RANDOM_DELAY=many
            0 10 * * * odd
            """);
    assertThat(moving.schedules()).extracting(MovedSchedule::leftOut).containsExactly(0, 1, 1);
    assertThat(moving.schedules().get(0).form().has("jitter")).isFalse();
    assertThat(moving.schedules().get(0).notes())
        .containsExactly("It names no zone, so cron uses that of its machine; here it is Z.");
    assertThat(moving.schedules().get(1).form().path("jitter").asText()).isEqualTo("PT30M");
    assertThat(moving.schedules().get(1).notes())
        .hasSize(3)
        .anyMatch(note -> note.startsWith("cronie chooses one delay up to RANDOM_DELAY"))
        .anyMatch(note -> note.contains("the minus sign"));
    assertThat(moving.schedules().get(2).notes())
        .containsExactly(
            "Left out, as it has no equal here: RANDOM_DELAY, which is no number of minutes.");
  }

  @Test
  void a_column_of_users_goes_into_the_payload() {
    Moving moving =
        Crontab.read(
            "17 * * * * root cd / && run-parts x\n0 0 * * * root", true, Sources.settings());
    assertThat(forms(moving))
        .singleElement()
        .asString()
        .contains("\"command\":\"cd / && run-parts x\",\"user\":\"root\"");
    assertThat(left(moving)).singleElement().asString().contains("no command behind the user");
  }

  @Test
  void what_cron_refuses_or_has_no_equal_is_left_behind_with_its_line() {
    List<String> left =
        left(
            read(
                """
                @reboot /opt/warm-up
                */0 * * * * a
                0 22-2 * * * b
                5/15 * * * * c
                0 0 31 2 * d
                0 9 L * * e
                0~59 * * * * f
                61 * * * * g
                * * * *
                @every 5m h
                CRON_TZ=Mars/Phobos
                0 9 * * * i
                0 9 * * *   \u0000\u001b[31m
                """));
    assertThat(left).hasSize(12);
    assertThat(left.get(0)).startsWith("line 1: @reboot /opt/warm-up | ").contains("reboots");
    assertThat(left.get(1)).contains("step 0 is out of range");
    assertThat(left.get(2)).contains("\"22-2\" runs backwards");
    assertThat(left.get(3)).contains("write 5-59/15");
    assertThat(left.get(4)).contains("no day of any year");
    assertThat(left.get(5)).contains("\"L\" is not part of a crontab");
    assertThat(left.get(6)).contains("\"0~59\" is a random value, which cron chooses");
    assertThat(left.get(7)).contains("61 is out of range 0-59");
    assertThat(left.get(8)).startsWith("line 9: * * * * | it is no entry");
    assertThat(left.get(9)).startsWith("line 10: @every 5m h");
    assertThat(left.get(10)).startsWith("line 12: 0 9 * * * i | CRON_TZ before it");
    assertThat(left.get(11)).doesNotContain("\u001b");
  }

  /** A search that grew with the square of the length took hours for it. */
  @Test
  void a_setting_with_a_million_spaces_is_read() {
    String line = "GREETING = a" + " ".repeat(1_000_000) + "b  ";
    assertThat(forms(read(line + "\n@daily x")))
        .singleElement()
        .asString()
        .contains("\"GREETING\":\"a  ", " b\"");
  }

  @Test
  void a_thousand_lines_occur_as_the_library_says_or_a_named_rule_explains_it() {
    StringBuilder crontab = new StringBuilder("CRON_TZ=Europe/Berlin\n");
    for (int i = 0; i < 1_000; i++) {
      crontab.append(new RandomExpression(i, CronDialect.UNIX).next()).append(" /bin/job");
      crontab.append(i).append('\n');
    }
    Moving moving = read(crontab.toString());
    assertThat(moving.schedules()).hasSizeGreaterThan(900);
    assertThat(left(moving)).allMatch(why -> why.contains("no day of any year"));
    int compared = 0;
    for (MovedSchedule schedule : moving.schedules()) {
      try {
        Proof proof = Proof.of(schedule, Sources.NOW, OCCURRENCES, Sources.ENGINES);
        assertThat(proof.isExplained()).as("%s %s", schedule.form(), proof).isTrue();
        compared++;
      } catch (EngineFailure e) {
        assertThat(e).hasMessageContaining("Invalid range! [7,"); // cron-utils on SUN-...
      }
    }
    assertThat(compared).isGreaterThan(850);
  }

  private static Moving read(String text) {
    return Crontab.read(text, false, Sources.settings());
  }
}
