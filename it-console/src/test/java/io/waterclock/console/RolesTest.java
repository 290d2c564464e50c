package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.console.access.Role;
import io.waterclock.turns.InTurns;
import java.net.http.HttpResponse;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
  @CsvSource(
      delimiter = '|',
      value = {
        "OPERATOR | commands    | {'id':'roles/a','action':'pause','note':'n'}",
        "OPERATOR | commands    | {'id':'roles/a','action':'resume'}",
        "OPERATOR | commands    | {'id':'roles/a','action':'trigger'}",
        "OPERATOR | commands    | {'id':'roles/a','action':'skip','occurrence':'NEXT-01-01T00:00:00Z'}",
        "OPERATOR | commands    | {'id':'roles/a','action':'unskip','occurrence':'NEXT-01-01T00:00:00Z'}",
        "OPERATOR | commands    | {'id':'roles/a','action':'backfill','from':'2026-01-01T00:00:00Z','to':'2026-01-02T00:00:00Z'}",
        "OPERATOR | bulk/count  | {'action':'pause','filter':{'prefix':'roles/'}}",
        "OPERATOR | bulk/count  | {'action':'resume','filter':{'prefix':'roles/'}}",
        "OPERATOR | bulk/count  | {'action':'trigger','filter':{'prefix':'roles/'}}",
        "OPERATOR | bulk/count  | {'action':'skip','filter':{'prefix':'roles/'},'from':'NEXT-01-01T00:00:00Z','to':'NEXT-01-02T00:00:00Z'}",
        "EDITOR   | bulk/count  | {'action':'delete','filter':{'prefix':'roles/'}}",
        "EDITOR   | check       | {'id':'roles/a','definition':{'every':'1h'}}",
        "EDITOR   | preview     | {'id':'roles/a','definition':{'every':'1h'}}",
        "EDITOR   | preview     | {'id':'roles/a','delete':true}",
        "EDITOR   | definitions | {'id':'roles/a','definition':{'every':'1h'},'expected_revision':'x'}",
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

  /** Buttons and links of the page's own part, by their names; others belong to the frame. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VIEWER   | /#/schedule?id=roles%2Fa | ''                           | Pause,Fire now,Backfill,Edit,Delete",
        "OPERATOR | /#/schedule?id=roles%2Fa | Pause,Fire now,Backfill      | Edit,Delete",
        "EDITOR   | /#/schedule?id=roles%2Fa | Pause,Fire now,Backfill,Edit,Delete | ''",
        "VIEWER   | /#/schedules             | ''                           | Change many,New schedule",
        "OPERATOR | /#/schedules             | Change many                  | New schedule",
        "EDITOR   | /#/schedules             | Change many,New schedule     | ''",
        "OPERATOR | /#/bulk                  | Count what would change      | ''",
        "VIEWER   | /#/what-if               | Compute                      | ''",
        "VIEWER   | /#/audit                 | Run the audit                | ''",
        "VIEWER   | /#/bulk                  | ''                           | Count what would change",
        "VIEWER   | /#/edit                  | ''                           | Preview",
        "OPERATOR | /#/edit?id=roles%2Fa     | ''                           | Preview"
      })
  @InTurns(promise = "pages of roles", of = 4)
  void each_page_offers_what_the_role_may_do(
      Role role, String path, String offered, String withheld) {
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
        .hasCount(path.equals("/#/schedules") && role != Role.VIEWER ? rows(page) : 0);
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
