package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.NO_ROLE;
import static io.waterclock.console.RunningConsole.ONE_PREFIX;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.console.access.Role;
import java.net.http.HttpResponse;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each request and each page with each role. */
final class RolesTest extends ConsolePages {
  private static final Map<Role, String> TOKENS =
      Map.of(Role.VIEWER, VIEWER, Role.OPERATOR, OPERATOR, Role.EDITOR, EDITOR);

  @BeforeAll
  static void define() throws Exception {
    running().schedules.put("roles/a", ScheduleBuilder.cron("0 0 1 1 *")).join().orThrow();
    await().until(() -> get("/api/v1/schedule?id=roles/a", VIEWER).body().contains("\"ACTIVE\""));
  }

  @AfterAll
  static void delete() {
    running().schedules.delete("roles/a").join();
  }

  @ParameterizedTest
  @Tag("all")
  @CsvSource(
      delimiter = '|',
      value = {
        "OPERATOR | /#/schedule?id=roles%2Fa | Pause,Fire now,Backfill      | Edit,Delete",
        "VIEWER   | /#/schedules             | ''                           | Change many,New"
            + " schedule",
        "EDITOR   | /#/schedules             | Change many,New schedule     | ''"
      })
  void pages_offer_what_the_role_may_do(Role role, String path, String offered, String withheld) {
    assertOffers(role, path, offered, withheld);
  }

  @ParameterizedTest
  @Tag("all")
  @CsvSource(
      delimiter = '|',
      value = {
        "OPERATOR | commands    | {'id':'roles/a','action':'pause','note':'n'}",
        "OPERATOR | commands    | {'id':'roles/a','action':'resume'}",
        "OPERATOR | commands    | {'id':'roles/a','action':'trigger'}",
        "OPERATOR | commands    |"
            + " {'id':'roles/a','action':'skip','occurrence':'NEXT-01-01T00:00:00Z'}",
        "OPERATOR | commands    |"
            + " {'id':'roles/a','action':'unskip','occurrence':'NEXT-01-01T00:00:00Z'}",
        "OPERATOR | commands    |"
            + " {'id':'roles/a','action':'backfill','from':'2026-01-01T00:00:00Z','to':'2026-01-02T00:00:00Z'}",
        "OPERATOR | limit       | {'name':'etl','action':'pause','note':'n'}",
        "OPERATOR | limit       | {'name':'etl','action':'resume'}",
        "OPERATOR | bulk/count  | {'action':'pause','filter':{'prefix':'roles/'}}",
        "OPERATOR | bulk/count  | {'action':'resume','filter':{'prefix':'roles/'}}",
        "OPERATOR | bulk/count  | {'action':'trigger','filter':{'prefix':'roles/'}}",
        "OPERATOR | bulk/count  |"
            + " {'action':'skip','filter':{'prefix':'roles/'},'from':'NEXT-01-01T00:00:00Z','to':'NEXT-01-02T00:00:00Z'}",
        "EDITOR   | bulk/count  | {'action':'delete','filter':{'prefix':'roles/'}}",
        "EDITOR   | check       | {'id':'roles/a','definition':{'every':'1h'}}",
        "EDITOR   | preview     | {'id':'roles/a','definition':{'every':'1h'}}",
        "EDITOR   | preview     | {'id':'roles/a','delete':true}",
        "EDITOR   | definitions |"
            + " {'id':'roles/a','definition':{'every':'1h'},'expected_revision':'x'}",
        "EDITOR   | delete      | {'id':'roles/a','expected_revision':'x'}",
        "VIEWER   | what-if     | {'kind':'down','hours':1,'prefix':'roles/'}",
        "VIEWER   | audit       | {'id':'roles/a'}",
        "VIEWER   | trail       | {'id':'roles/a','occurrence':'2026-01-01T00:00:00Z'}"
      })
  void each_request_needs_its_role(Role least, String path, String body) throws Exception {
    String year = Integer.toString(Year.now(ZoneOffset.UTC).getValue() + 1);
    String request = body.replace('\'', '"').replace("NEXT", year);
    for (Role role : Role.values()) {
      String token = Objects.requireNonNull(TOKENS.get(role));
      HttpResponse<String> answer = change(path, token, request);
      int status = answer.statusCode();
      if (role.compareTo(least) < 0) {
        assertThat(status).as("%s of a %s", body, role).isEqualTo(403);
      } else {
        // 409: the revision in force is not x; 422: nothing to backfill
        assertThat(status).as("%s of a %s", body, role).isIn(200, 202, 409, 422);
        if (status == 202) {
          ended(JSON.readTree(answer.body()), token); // a person has two at a time
        }
      }
    }
  }

  private static final Map<String, String> CHANGES =
      Map.ofEntries(
          Map.entry("commands", "{'id':'ID','action':'pause','expected_revision':'x'}"),
          Map.entry("check", "{'id':'ID','definition':{'every':'1h'}}"),
          Map.entry("preview", "{'id':'ID','delete':true}"),
          Map.entry("definitions", "{'id':'ID','definition':{'every':'1h'}}"),
          Map.entry("delete", "{'id':'ID','expected_revision':'x'}"),
          Map.entry("dead-letters", "{'action':'redrive','letters':['ID']}"),
          Map.entry("limit", "{'name':'ID','action':'pause'}"),
          Map.entry("bulk/count", "{'action':'pause','ids':['ID']}"),
          Map.entry("bulk", "{'action':'pause','ids':['ID'],'digest':'x'}"),
          Map.entry("cancel", "{'job':'ID'}"),
          Map.entry("what-if", "{'kind':'down','hours':'x','prefix':'ID'}"),
          Map.entry("audit", "{'id':'ID'}"),
          Map.entry("trail", "{'id':'ID','occurrence':'2026-01-01T00:00:00Z'}"));

  private static final List<String> READS =
      List.of(
          "session",
          "overview",
          "problems?owner=ID",
          "limits",
          "missed?reason=paused",
          "schedules?prefix=ID",
          "schedules?where=id+%3D+'ID'&sort=-next",
          "schedules?text=ID",
          "schedules?minute=2026-01-01T00:00:00Z&by=label&label=team&value=money",
          "load?by=owner",
          "schedule?id=ID",
          "definition?id=ID",
          "revisions?id=ID",
          "backfill?id=ID&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z",
          "job?id=ID");

  @Test
  void who_has_no_role_gets_no_answer_to_any_request() throws Exception {
    for (String read : READS) {
      assertThat(get("/api/v1/" + read, "unknown").statusCode()).as(read).isEqualTo(401);
      assertThat(get("/api/v1/" + read, NO_ROLE).statusCode()).as(read).isEqualTo(403);
    }
    for (Map.Entry<String, String> each : CHANGES.entrySet()) {
      String body = each.getValue().replace('\'', '"');
      String path = "/api/v1/" + each.getKey();
      assertThat(send(path, "unknown", body).statusCode()).as(path).isEqualTo(401);
      assertThat(send(path, NO_ROLE, body).statusCode()).as(path).isEqualTo(403);
    }
  }

  /** Every request of the description, for a hidden schedule and for one that does not exist. */
  @Test
  void a_schedule_of_another_prefix_looks_like_one_that_does_not_exist() throws Exception {
    JsonNode paths = JSON.readTree(get("/api/openapi.json", VIEWER).body()).path("paths");
    Set<String> tried = new HashSet<>(Set.of("/api/v1/events"));
    CHANGES.keySet().forEach(path -> tried.add("/api/v1/" + path));
    READS.forEach(path -> tried.add("/api/v1/" + path.replaceFirst("\\?.*", "")));
    List<String> described = new ArrayList<>();
    paths.fieldNames().forEachRemaining(described::add);
    assertThat(tried).containsExactlyInAnyOrderElementsOf(described);
    for (String read : READS.stream().filter(path -> path.contains("ID")).toList()) {
      assertThat(read(read, "billing/invoices")).as(read).isEqualTo(read(read, "billing/nothing"));
    }
    for (Map.Entry<String, String> each : CHANGES.entrySet()) {
      assertThat(changed(each, "billing/invoices"))
          .as(each.getKey())
          .isEqualTo(changed(each, "billing/nothing"))
          .doesNotStartWith("202");
    }
  }

  private static String read(String path, String id) throws Exception {
    HttpResponse<String> answer = get("/api/v1/" + path.replace("ID", id), ONE_PREFIX);
    return answer.statusCode() + answer.body().replace(id, "ID");
  }

  private static String changed(Map.Entry<String, String> change, String id) throws Exception {
    HttpResponse<String> answer =
        change(change.getKey(), ONE_PREFIX, change.getValue().replace('\'', '"').replace("ID", id));
    return answer.statusCode() + answer.body().replace(id, "ID");
  }

  @Test
  @Tag("all")
  void an_operator_of_one_prefix_finds_and_counts_no_schedule_of_another() throws Exception {
    List<String> answers = new ArrayList<>();
    for (String read :
        List.of(
            "overview",
            "problems",
            "missed?since=2020-01-01T00:00:00Z",
            "schedules",
            "schedules?sort=-owner",
            "schedules?where=owner+~+'*'+or+headers.authorization",
            "schedules?text=e",
            "schedules?state=ACTIVE,PAUSED",
            "schedules?after=ops",
            "load",
            "load?by=owner",
            "load?by=label&label=team",
            "load?by=limit",
            "limits",
            "load?by=target")) {
      answers.add(get("/api/v1/" + read, ONE_PREFIX).body());
    }
    String count = "{\"action\":\"pause\",\"filter\":{\"where\":\"%s\"}}";
    for (String where : List.of("owner ~ '*'", "headers.authorization ~ 's*'", "id ~ 'b*'")) {
      JsonNode counted = changed("bulk/count", ONE_PREFIX, count.formatted(where));
      answers.add(counted.toString());
      assertThat(counted.path("not_allowed").asInt()).as(where).isZero();
      assertThat(counted.path("unknown_count").asInt()).as(where).isZero();
    }
    for (String job :
        List.of(
            "what-if {\"kind\":\"down\",\"hours\":24}",
            "what-if {\"kind\":\"tzdb\",\"version\":\"2099z\",\"days\":300}",
            "audit {}")) {
      String[] words = job.split(" ", 2);
      answers.add(ended(changed(words[0], ONE_PREFIX, words[1]), ONE_PREFIX).toString());
    }
    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(answer)
                    .doesNotContain("billing", "invoices", "reports", "hostile", "broken", "money")
                    .doesNotContain("s3cret"));
    assertThat(answers.get(3)).contains("\"total\":2", "ops/backup", "ops/cleanup");
  }

  /** Buttons and links of the page's own part, by their names; others belong to the frame. */
  @ParameterizedTest
  @Tag("all")
  @CsvSource(
      delimiter = '|',
      value = {
        "VIEWER   | /#/schedule?id=roles%2Fa | ''                           | Pause,Fire"
            + " now,Backfill,Edit,Delete",
        "EDITOR   | /#/schedule?id=roles%2Fa | Pause,Fire now,Backfill,Edit,Delete | ''",
        "OPERATOR | /#/schedules             | Change many                  | New schedule",
        "OPERATOR | /#/bulk                  | Count what would change      | ''",
        "OPERATOR | /#/limits                | Pause etl                    | ''",
        "VIEWER   | /#/limits                | ''                           | Pause etl",
        "VIEWER   | /#/what-if               | Compute                      | ''",
        "VIEWER   | /#/audit                 | Run the audit                | ''",
        "VIEWER   | /#/bulk                  | ''                           | Count what would"
            + " change",
        "VIEWER   | /#/edit                  | ''                           | Preview",
        "OPERATOR | /#/edit?id=roles%2Fa     | ''                           | Preview"
      })
  void each_page_offers_what_the_role_may_do(
      Role role, String path, String offered, String withheld) {
    assertOffers(role, path, offered, withheld);
  }

  private void assertOffers(Role role, String path, String offered, String withheld) {
    Page page = open(Objects.requireNonNull(TOKENS.get(role)), path);
    assertThat(page.locator("main h1")).isVisible();
    assertThat(page.locator("main .empty[role=status]")).hasCount(0);
    for (String name : names(offered)) {
      assertThat(named(page, name)).isVisible();
    }
    for (String name : names(withheld)) {
      assertThat(named(page, name)).hasCount(0);
    }
    assertThat(page.locator(".who")).containsText(role.name().toLowerCase(Locale.ROOT));
    assertThat(page.getByRole(AriaRole.CHECKBOX))
        .hasCount(
            path.equals("/#/schedules") && role != Role.VIEWER ? rows(page) + 1 : 0); // and all
  }

  private static int rows(Page page) {
    assertThat(page.locator("tbody tr").first()).isVisible();
    return page.locator("tbody tr").count();
  }

  private static Locator named(Page page, String name) {
    Locator.GetByRoleOptions exact = new Locator.GetByRoleOptions().setName(name).setExact(true);
    Locator main = page.locator("main");
    return main.getByRole(AriaRole.BUTTON, exact).or(main.getByRole(AriaRole.LINK, exact));
  }

  private static List<String> names(String list) {
    return list.isEmpty() ? List.of() : List.of(list.split(","));
  }
}
