package io.waterclock.cli.source;

import static io.waterclock.cli.source.Sources.forms;
import static io.waterclock.cli.source.Sources.left;
import static io.waterclock.cli.source.Sources.notes;
import static io.waterclock.cli.source.Sources.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CronJobs, EventBridge, Temporal and JobRunr: sources that are YAML or JSON. */
final class JsonSourcesTest {

  @Test
  void a_cron_job_keeps_zone_suspension_overlap_and_deadline() {
    Moving moving =
        CronJobs.read(
            """
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: report, namespace: billing}
            spec:
              schedule: "0 9 * * 1-5"
              timeZone: Europe/Berlin
              concurrencyPolicy: Forbid
              startingDeadlineSeconds: 300
              suspend: true
              jobTemplate: {spec: {template: {spec: {containers: [{image: report}]}}}}
            ---
            kind: Service
            metadata: {name: web}
            ---
            kind: CronJob
            metadata: {name: replaced}
            spec: {schedule: "@hourly", concurrencyPolicy: Replace, jobTemplate: {}}
            ---
            kind: CronJob
            metadata: {name: broken}
            spec: {schedule: "61 * * * *"}
            """,
            settings());
    assertThat(forms(moving))
        .containsExactly(
            "billing/report {\"cron\":\"0 9 * * 1-5\",\"dialect\":\"robfig\",\"timezone\":\"Europe/Berlin\","
                + "\"enabled\":false,\"overlap\":\"skip\",\"catch_up\":\"skip\",\"grace\":\"300s\","
                + "\"type\":\"kubernetes\",\"payload\":{\"spec\":{\"template\":{\"spec\":"
                + "{\"containers\":[{\"image\":\"report\"}]}}}}}",
            "default/replaced {\"cron\":\"@hourly\",\"dialect\":\"robfig\",\"timezone\":\"Z\",\"catch_up\":\"collapse\","
                + "\"type\":\"kubernetes\",\"payload\":{}}");
    assertThat(left(moving))
        .hasSize(2)
        .anyMatch(why -> why.equals("Service default/web | it is no CronJob"))
        .anyMatch(why -> why.contains("61 is out of range 0-59"));
    assertThat(notes(moving)).anyMatch(note -> note.contains("Replace has no equal"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 */2 * 3   | 2026-12-01 2026-12-02 2026-12-03 2026-12-05 2026-12-07 2026-12-09
          0 0 13 * */2  | 2026-12-01 2026-12-03 2026-12-05 2026-12-06 2026-12-08
          0 0 */5 * 1-5 | 2026-12-01 2026-12-02 2026-12-03 2026-12-04 2026-12-06
          0 0 5,* * 1   | 2026-12-07 2026-12-14 2026-12-21
          """)
  void a_cron_job_means_what_it_means_to_kubernetes(String cron, String dates) {
    String job = "kind: CronJob\nmetadata: {name: a}\nspec: {schedule: '%s', timeZone: UTC}";
    Moving moving = CronJobs.read(job.formatted(cron), settings());
    MovedSchedule moved = moving.schedules().get(0);
    Instant from = Instant.parse("2026-11-30T12:00:00Z");
    Proof proof = Proof.of(moved, from, 5_000, Sources.ENGINES);
    assertThat(proof.differences()).isEmpty();
    assertThat(proof.agreed()).isEqualTo(5_000);
    SourceOccurrences there = moved.source().orElseThrow().occurrences(Sources.ENGINES);
    Instant at = from;
    for (String date : dates.split(" ", -1)) {
      at = there.nextAfter(at).orElseThrow();
      assertThat(at).isEqualTo(Instant.parse(date + "T00:00:00Z"));
    }
  }

  @Test
  void what_has_no_equal_is_listed() {
    Moving jobs =
        CronJobs.read(
            """
            kind: CronJob
            metadata:
              name: a
              uid: x
              creationTimestamp: "2026-01-01T00:00:00Z"
              annotations: {team: billing}
              finalizers: []
            spec: {schedule: "0 9 * * *", timeZone: UTC, failedJobsHistoryLimit: 0, jobTemplate: {}}
            """,
            settings());
    assertThat(notes(jobs))
        .containsExactly(
            "Left out, as it has no equal here: metadata.annotations, spec.failedJobsHistoryLimit.");
    Moving eventBridge =
        EventBridgeSchedules.read(
            """
            {"Name":"a","ScheduleExpression":"cron(0 9 * * ? *)","KmsKeyArn":"k","Arn":"own",
             "FlexibleTimeWindow":{"Mode":"OFF","Shape":"x"},
             "Target":{"Arn":"t","RoleArn":"r","SqsParameters":{"MessageGroupId":"g"},
               "RetryPolicy":{"MaximumRetryAttempts":1,"Backoff":"x"}}}
            """,
            settings());
    assertThat(notes(eventBridge))
        .anyMatch(
            note ->
                note.endsWith(
                    ": KmsKeyArn, FlexibleTimeWindow.Shape, RetryPolicy.Backoff, Target.RoleArn,"
                        + " Target.SqsParameters."));
    Moving temporal =
        TemporalSchedules.read(
            """
            {"scheduleId":"a","info":{"x":1},"memo":{"k":"v"},"schedule":{
              "spec":{"interval":[{"interval":"60s","until":"x"}],"timezoneData":"x"},
              "action":{"startWorkflow":{"workflowType":{"name":"W"},"workflowId":"w",
                "taskQueue":{"name":"q","kind":"TASK_QUEUE_KIND_NORMAL","normalName":"n"}}},
              "policies":{"keepOriginalWorkflowId":true}}}
            """,
            settings());
    assertThat(notes(temporal))
        .anyMatch(
            note ->
                note.endsWith(
                    ": interval.until, spec.timezoneData, startWorkflow.workflowId,"
                        + " taskQueue.normalName, policies.keepOriginalWorkflowId, memo."));
    Moving calendar =
        TemporalSchedules.read(
            """
            {"scheduleId":"a","schedule":{"spec":{"structuredCalendar":[
              {"hour":[{"start":9}],"week":[{"start":1}],"comment":"c"}]}}}
            """,
            settings());
    assertThat(notes(calendar))
        .contains("Left out, as it has no equal here: structuredCalendar.week.");
    Moving jobRunr =
        JobRunrJobs.read(
            """
            [{"id":"a","version":1,"scheduleExpression":"0 9 * * *","labels":["x"],
              "jobDetails":{"className":"A","methodName":"b","staticFieldName":"c"}}]
            """,
            settings());
    assertThat(notes(jobRunr))
        .containsExactly(
            "It names no zone, so JobRunr uses that of its JVM; here it is Z.",
            "Left out, as it has no equal here: labels, jobDetails.staticFieldName.");
  }

  @Test
  void aliases_of_yaml_are_not_expanded() {
    StringBuilder bomb = new StringBuilder("a: &a [x,x,x,x,x,x,x,x,x]\n");
    for (char c = 'b'; c < 'z'; c++) {
      String before = "*" + (char) (c - 1);
      bomb.append(c).append(": &").append(c).append(" [").append(before);
      bomb.append((", " + before).repeat(8)).append("]\n");
    }
    assertThat(left(CronJobs.read(bomb.toString(), settings()))).hasSize(1);
    assertThatThrownBy(() -> CronJobs.read("kind: [", settings()))
        .isInstanceOf(BrokenSourceException.class)
        .hasMessageStartingWith("line 1: ");
    assertThatThrownBy(() -> CronJobs.read("[".repeat(5_000), settings()))
        .isInstanceOf(BrokenSourceException.class);
  }

  @Test
  void an_eventbridge_schedule_keeps_window_state_input_and_retries() {
    Moving moving =
        EventBridgeSchedules.read(
            """
            {"Name":"report","GroupName":"billing","ScheduleExpression":"cron(0 9 ? * MON-FRI 2026-2028)",
             "ScheduleExpressionTimezone":"Europe/Berlin","State":"DISABLED",
             "FlexibleTimeWindow":{"Mode":"FLEXIBLE","MaximumWindowInMinutes":15},
             "Target":{"Arn":"arn:aws:sqs:x","Input":"{\\"kind\\":\\"daily\\"}",
                       "RetryPolicy":{"MaximumRetryAttempts":2,"MaximumEventAgeInSeconds":3600}}}
            {"Name":"rate","ScheduleExpression":"rate(1 day)","CreationDate":"2026-03-28T01:30:00+01:00"}
            {"Name":"once","ScheduleExpression":"at(2027-01-01T09:00:00)",
             "ScheduleExpressionTimezone":"Asia/Tokyo","ActionAfterCompletion":"DELETE"}
            {"Name":"past","ScheduleExpression":"at(2020-01-01T09:00:00)"}
            {"Name":"listed"}
            {"Name":"nowhere","ScheduleExpression":"rate(1 hour)","ScheduleExpressionTimezone":"Mars"}
            """,
            settings());
    assertThat(forms(moving))
        .containsExactly(
            "billing/report {\"timezone\":\"Europe/Berlin\","
                + "\"cron\":\"cron(0 9 ? * MON-FRI 2026-2028)\",\"dialect\":\"aws\","
                + "\"enabled\":false,\"jitter\":\"15m\",\"type\":\"eventbridge\","
                + "\"headers\":{\"target-arn\":\"arn:aws:sqs:x\"},\"payload\":{\"kind\":\"daily\"},"
                + "\"max_attempts\":3,\"expires\":\"3600s\"}",
            "default/rate {\"timezone\":\"UTC\",\"cron\":\"rate(1 day)\","
                + "\"anchor\":\"2026-03-28T00:30:00Z\"}",
            "default/once {\"timezone\":\"Asia/Tokyo\",\"at\":\"2027-01-01T09:00:00\"}");
    assertThat(left(moving))
        .hasSize(3)
        .anyMatch(why -> why.contains("its one time is in the past"))
        .anyMatch(why -> why.contains("get-schedule does not"))
        .anyMatch(why -> why.contains("ScheduleExpressionTimezone"));
  }

  @ParameterizedTest
  @CsvSource({
    "rate(1 days), rate(1 day)",
    "rate(5 minute), rate(5 minutes)",
    "rate(1 hours), rate(1 hour)",
    "rate(30 seconds), rate(5 minutes)",
    "rate(2 weeks), rate(5 minutes)",
    "rate(0 days), rate(5 minutes)",
    "rate(01 days), rate(1 day)",
    "rate(5min), rate(5 minutes)",
    "rate(PT5M), rate(5 minutes)",
    "rate(1.5 hours), rate(5 minutes)",
    "rate(1h30m), rate(5 minutes)"
  })
  void a_rate_that_eventbridge_refuses_is_left_behind_with_the_right_one(
      String rate, String right) {
    String schedule = "{'Name':'a','ScheduleExpression':'%s','CreationDate':1700000000}";
    Moving moving =
        EventBridgeSchedules.read(schedule.formatted(rate).replace('\'', '"'), settings());
    assertThat(left(moving))
        .singleElement()
        .asString()
        .contains("cron: \"" + rate + "\" is no rate of EventBridge", "; for example " + right)
        .doesNotContain("anchor");
  }

  @Test
  void each_calendar_and_interval_of_temporal_is_a_schedule() {
    Moving moving =
        TemporalSchedules.read(
            """
            {"scheduleId":"reports","schedule":{
              "spec":{"structuredCalendar":[{"minute":[{"start":30}],"hour":[{"start":9,"end":17,"step":4}],
                  "dayOfMonth":[{"start":1,"end":31}],"month":[{"start":1,"end":12}],
                  "dayOfWeek":[{"start":1,"end":5}],"year":[{"start":2027,"end":2028}]}],
                "interval":[{"interval":"3600s","phase":"900s"}],
                "timezoneName":"Europe/Berlin","jitter":"30s"},
              "action":{"startWorkflow":{"workflowType":{"name":"Report"},"taskQueue":{"name":"slow"}}},
              "policies":{"overlapPolicy":"SCHEDULE_OVERLAP_POLICY_BUFFER_ONE","catchupWindow":"60s",
                "pauseOnFailure":true},
              "state":{"paused":true,"notes":"by hand"}}}
            {"scheduleId":"except","schedule":{"spec":{"excludeStructuredCalendar":[{"hour":[{}]}]}}}
            {"scheduleId":"bad","schedule":{"spec":{"interval":[{"interval":"1h"}]}}}
            {"nothing":1}
            """,
            settings());
    String common =
        ",\"timezone\":\"Europe/Berlin\",\"jitter\":\"PT30S\",\"overlap\":\"buffer_one\","
            + "\"catch_up\":\"replay\",\"catch_up_window\":\"PT1M\",\"pause_after_failures\":1,"
            + "\"enabled\":false,\"description\":\"by hand\",\"type\":\"Report\",\"queue\":\"slow\"}";
    assertThat(forms(moving))
        .containsExactly(
            "reports {\"cron\":\"0 30 9-17/4 1-31 1-12 1-5\",\"dialect\":\"spring\","
                + "\"start_at\":\"2027-01-01T00:00:00\",\"end_at\":\"2029-01-01T00:00:00\""
                + common,
            "reports-2 {\"every\":\"PT1H\",\"anchor\":\"1970-01-01T00:15:00Z\"" + common);
    assertThat(left(moving))
        .hasSize(3)
        .anyMatch(why -> why.contains("excludeStructuredCalendar has no equal"))
        .anyMatch(why -> why.contains("interval is no duration in seconds"))
        .anyMatch(why -> why.contains("it has no schedule.spec"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 9 13 * 5               | "cron":"0 0 9 13 * 5","dialect":"spring","timezone":"UTC"
          0 9 1 1 * *              | "cron":"0 0 9 1 1 *","dialect":"spring","timezone":"UTC"
          0 9 1 1 * 2027-2028      | "start_at":"2027-01-01T00:00:00","end_at":"2029-01-01T00:00:00","cron":"0 0 9 1 1 *"
          30 0 9 1 1 * *           | "cron":"30 0 9 1 1 *","dialect":"spring","timezone":"UTC"
          0 9 * * */2              | "cron":"0 0 9 * * 0-6/2","dialect":"spring","timezone":"UTC"
          0 9 * * 1/2              | "cron":"0 0 9 * * 1-6/2","dialect":"spring","timezone":"UTC"
          @daily                   | "cron":"@daily","dialect":"spring","timezone":"UTC"
          CRON_TZ=Asia/Tokyo 0 9 * * * # early | "description":"early","timezone":"Asia/Tokyo","cron":"0 0 9 * * *","dialect":"spring"
          @every 90m/5m            | "every":"PT1H30M","anchor":"1970-01-01T00:05:00Z","timezone":"UTC"
          0 9 * * 1-5/2            | "cron":"0 0 9 * * 1-5/2","dialect":"spring","timezone":"UTC"
          0 9 * * MON-FRI/2,0      | "cron":"0 0 9 * * MON-FRI/2,0","dialect":"spring","timezone":"UTC"
          0 9 * * 1-2,4/2          | "cron":"0 0 9 * * 1-2,4-6/2","dialect":"spring","timezone":"UTC"
          @every 1h30m             | "every":"PT1H30M","anchor":"1970-01-01T00:00:00Z","timezone":"UTC"
          @every 1d12h/1m30s       | "every":"PT36H","anchor":"1970-01-01T00:01:30Z","timezone":"UTC"
          @every 1d                | "every":"PT24H","anchor":"1970-01-01T00:00:00Z","timezone":"UTC"
          """)
  void a_cron_string_of_temporal_means_its_calendar(String cron, String form) {
    String schedule = "{'scheduleId':'a','schedule':{'spec':{'cronString':['%s']}}}";
    Moving moving = TemporalSchedules.read(schedule.formatted(cron).replace('\'', '"'), settings());
    assertThat(left(moving)).isEmpty();
    assertThat(forms(moving)).singleElement().asString().startsWith("a {" + form);
  }

  @Test
  void a_part_of_a_temporal_schedule_that_is_left_behind_is_named() {
    Moving moving =
        TemporalSchedules.read(
            """
            {"scheduleId":"a","schedule":{"spec":{"cronString":["61 * * * *","0 9 * * *"]}}}
            {"scheduleId":"b","schedule":{"spec":{"cronString":["@every 5 fish"]}}}
            {"scheduleId":"c","schedule":{"spec":{"cronString":["0 9 * * * * * *"]}}}
            {"scheduleId":"d","schedule":{"spec":{"cronString":["0 9 * * * 2027/2"]}}}
            {"scheduleId":"e","schedule":{"spec":{"timezoneName":"UTC","cronString":["TZ=Asia/Tokyo 0 9 * * *"]}}}
            {"scheduleId":"f","schedule":{"spec":{"calendar":[{"hour":"9"}],"interval":[{"interval":"60s"}]}}}
            {"scheduleId":"g","schedule":{"spec":{"interval":[{"interval":"1h"}]}}}
            {"scheduleId":"h","schedule":{"spec":{"cronString":["@every 1.5h"]}}}
            """,
            settings());
    assertThat(forms(moving)).singleElement().asString().contains("\"cron\":\"0 0 9 * * *\"");
    assertThat(left(moving))
        .satisfiesExactly(
            why ->
                assertThat(why)
                    .startsWith("schedule a, cronString \"61 * * * *\" | ")
                    .contains("61 is out of range"),
            why -> assertThat(why).startsWith("schedule b, cronString \"@every 5 fish\" | "),
            why -> assertThat(why).contains("cronString \"0 9 * * * * * *\" | it has 8 fields"),
            why -> assertThat(why).contains("\"0 9 * * * 2027/2\" | its years are not one range"),
            why -> assertThat(why).startsWith("schedule e | it names two time zones"),
            why -> assertThat(why).startsWith("schedule f | its calendars are texts"),
            why -> assertThat(why).startsWith("schedule g, interval {\"interval\":\"1h\"} | "),
            why -> assertThat(why).contains("\"@every 1.5h\" | its interval is not understood"));
  }

  /** Temporal's spec: a second after the end ends the schedule, the end itself does not. */
  @Test
  void the_end_of_a_temporal_schedule_is_its_last_occurrence_and_the_start_a_whole_second() {
    Moving moving =
        TemporalSchedules.read(
            """
            {"scheduleId":"a","schedule":{"spec":{
              "structuredCalendar":[{"hour":[{"start":9}]}],
              "interval":[{"interval":"90.7s","phase":"1.2s"}],
              "startTime":"2026-12-01T09:00:00.500Z","endTime":"2026-12-03T09:00:00Z"}}}
            """,
            settings());
    assertThat(forms(moving))
        .hasSize(2)
        .allMatch(
            form ->
                form.contains(
                    "\"start_at\":\"2026-12-01T09:00:00Z\",\"end_at\":\"2026-12-03T09:00:00.001Z\""))
        .last()
        .asString()
        .contains("\"every\":\"PT1M30S\",\"anchor\":\"1970-01-01T00:00:01Z\"");
  }

  @Test
  void a_recurring_job_of_jobrunr_occurs_as_jobrunr_says() {
    Moving moving =
        JobRunrJobs.read(
            """
            [{"id":"report","scheduleExpression":"0 9 * * 1-5","zoneId":"UTC",
              "jobDetails":{"className":"com.example.Reports","methodName":"send",
                "jobParameters":[{"className":"java.lang.String","object":"ops"}]}},
             {"id":"beat","scheduleExpression":"PT30S","createdAt":"2026-01-01T00:00:00Z"},
             {"id":"green","scheduleExpression":"0 3 * * * [PT1H/PT3H]","zoneId":"UTC"},
             {"id":"odd","scheduleExpression":"never"},
             {"id":"mars","scheduleExpression":"0 3 * * *","zoneId":"Mars"}]
            """,
            settings());
    assertThat(forms(moving))
        .hasSize(3)
        .element(0)
        .asString()
        .contains("\"type\":\"com.example.Reports.send\"", "\"object\":\"ops\"");
    assertThat(left(moving)).hasSize(2);
    Proof proof = Proof.of(moving.schedules().get(0), Sources.NOW, 10_000, Sources.ENGINES);
    assertThat(proof.differences()).isEmpty();
    assertThat(proof.agreed()).isEqualTo(10_000);
  }

  @Test
  void a_day_of_jobrunr_is_24_hours() {
    Moving moving =
        JobRunrJobs.read(
            """
            [{"id":"day","scheduleExpression":"P1D","zoneId":"Europe/Berlin",
              "createdAt":"2026-03-28T01:30:00.123456Z"},
             {"id":"mixed","scheduleExpression":"p1dt12h","zoneId":"Europe/Berlin",
              "createdAt":"2026-03-28T01:30:00Z"},
             {"id":"week","scheduleExpression":"P1W","createdAt":"2026-03-28T01:30:00Z"}]
            """,
            settings());
    assertThat(forms(moving))
        .hasSize(2)
        .element(0)
        .asString()
        .contains("\"every\":\"PT24H\",\"anchor\":\"2026-03-29T01:30:00.123Z\"");
    assertThat(left(moving))
        .singleElement()
        .asString()
        .endsWith(
            "\"P1W\" is no duration of JobRunr, which has no weeks, months and years; e.g. \"P7D\"");
    Instant beforeTheCreation = Instant.parse("2026-03-27T12:00:00Z");
    assertThat(Proof.of(moving.schedules().get(0), beforeTheCreation, 10, Sources.ENGINES))
        .extracting(Proof::agreed)
        .isEqualTo(10L);
    Instant beforeTheChange = Instant.parse("2026-03-28T12:00:00Z");
    Proof day = Proof.of(moving.schedules().get(0), beforeTheChange, 1, Sources.ENGINES);
    assertThat(day).isEqualTo(new Proof(1, List.of(), Instant.parse("2026-03-29T01:30:00.123Z")));
    for (MovedSchedule schedule : moving.schedules()) {
      Proof proof = Proof.of(schedule, beforeTheChange, 10_000, Sources.ENGINES);
      assertThat(proof.differences()).isEmpty();
      assertThat(proof.agreed()).isEqualTo(10_000);
    }
  }

  /** A search that grew with the square of the length took hours for it. */
  @Test
  void an_expression_of_a_million_brackets_is_left_behind() {
    String jobs = "[{\"id\":\"a\",\"scheduleExpression\":\"%s\"}]";
    Moving moving = JobRunrJobs.read(jobs.formatted("[".repeat(1_000_000)), settings());
    assertThat(moving.schedules()).isEmpty();
    assertThat(left(moving)).hasSize(1);
  }
}
