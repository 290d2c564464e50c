package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.source.MovingList.Draft;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.CronDialect;
import io.waterclock.occurrences.CronTranslator;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A crontab of Vixie cron and cronie: entries, comments, and settings of the environment. {@code
 * CRON_TZ} is the zone of the entries after it. The command goes into the payload, with the user,
 * the standard input that {@code %} begins, and the environment.
 */
public final class Crontab {
  private static final Pattern SETTING =
      Pattern.compile("(?:\"([^\"]*)\"|'([^']*)'|([A-Za-z_][A-Za-z0-9_]*))\\s*=\\s*(.*)");
  private static final Pattern ALIAS = Pattern.compile("(@\\S+)\\s+(.*)");
  private static final Pattern FIELDS = Pattern.compile("((?:\\S+\\s+){4}\\S+)\\s+(.*)");
  private static final Pattern USER = Pattern.compile("(\\S+)\\s+(.*)");
  private static final Pattern MINUTES = Pattern.compile("\\d{1,9}");
  private static final String RANDOM_DELAY = "RANDOM_DELAY";
  private static final String CRON_TZ = "CRON_TZ";

  private final MovingSettings settings;
  private final boolean users;
  private final MovingList list;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private Optional<ZoneId> zone = Optional.empty();
  private Optional<String> wrongZone = Optional.empty();

  private Crontab(MovingSettings settings, boolean users) {
    this.settings = settings;
    this.users = users;
    this.list = new MovingList(settings);
  }

  /**
   * @param users whether a column before the command names a user, as in {@code /etc/crontab}
   */
  public static Moving read(String text, boolean users, MovingSettings settings) {
    Crontab crontab = new Crontab(settings, users);
    int number = 0;
    for (String line : text.split("\\r?\\n", -1)) {
      crontab.read(line.strip(), "line " + ++number + ": ");
    }
    return crontab.list.moved();
  }

  private void read(String line, String where) {
    Matcher setting = SETTING.matcher(line);
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    if (setting.matches()) {
      set(setting);
    } else {
      entry(line, where + line);
    }
  }

  private void set(Matcher setting) {
    String name =
        Optional.ofNullable(setting.group(1))
            .or(() -> Optional.ofNullable(setting.group(2)))
            .or(() -> Optional.ofNullable(setting.group(3)))
            .orElse("");
    String value = unquoted(String.valueOf(setting.group(4)));
    if (!name.equals(CRON_TZ)) {
      environment.put(name, value);
      return;
    }
    try {
      zone = value.isEmpty() ? Optional.empty() : Optional.of(Instants.zone(value));
      wrongZone = Optional.empty();
    } catch (InvalidValueException e) {
      wrongZone = Optional.of(CRON_TZ + " before it: " + e.getMessage());
    }
  }

  private static String unquoted(String value) {
    boolean isQuoted =
        value.length() > 1
            && (value.startsWith("\"") || value.startsWith("'"))
            && value.charAt(0) == value.charAt(value.length() - 1);
    return isQuoted ? value.substring(1, value.length() - 1) : value;
  }

  private void entry(String line, String what) {
    Matcher entry = (line.startsWith("@") ? ALIAS : FIELDS).matcher(line.replaceFirst("^-", ""));
    if (!entry.matches()) {
      list.leave(what, "it is no entry of a crontab: five fields, or an alias, and a command");
      return;
    }
    if (wrongZone.isPresent()) {
      list.leave(what, wrongZone.get());
      return;
    }
    String cron = String.valueOf(entry.group(1)).replaceAll("\\s+", " ");
    String command = String.valueOf(entry.group(2)).strip();
    Matcher owned = USER.matcher(command);
    if (users && !owned.matches()) {
      list.leave(what, "there is no command behind the user");
      return;
    }
    ZoneId of = zone.orElse(settings.zone());
    if (!list.attempt(what, () -> Cron.parse(cron, CronDialect.UNIX, of))) {
      return;
    }
    Draft draft = Draft.empty();
    draft.form().put("cron", cron).put("timezone", of.getId()).put("catch_up", "skip");
    if (zone.isEmpty()) {
      draft.noZone("cron uses that of its machine", of);
    }
    if (line.startsWith("-")) {
      draft.leaveOut("the minus sign, which keeps the command out of the log");
    }
    delay(draft);
    CrontabCommand run = CrontabCommand.read(users ? String.valueOf(owned.group(2)) : command);
    payload(draft, run, users ? Optional.ofNullable(owned.group(1)) : Optional.empty());
    list.add(what, run.name(), draft.from(source(cron, of)));
  }

  /** cronie delays all jobs by the same part of their {@code RANDOM_DELAY} in minutes. */
  private void delay(Draft draft) {
    String minutes = environment.getOrDefault(RANDOM_DELAY, "0");
    if (!MINUTES.matcher(minutes).matches()) {
      draft.leaveOut(RANDOM_DELAY + ", which is no number of minutes");
    } else if (Integer.parseInt(minutes) > 0) {
      draft.form().put("jitter", "PT" + Integer.parseInt(minutes) + "M");
      draft.note(
          "cronie chooses one delay up to RANDOM_DELAY when it starts; here each occurrence has"
              + " its own.");
    }
  }

  private static SourceTrigger source(String cron, ZoneId zone) {
    return new SourceTrigger(SourceEngine.CRON_UTILS, fields(cron), zone);
  }

  /** cron-utils knows no alias in a crontab, and no Sunday at the end of a range but 7. */
  private static String fields(String cron) {
    return CronTranslator.translated(cron, CronDialect.UNIX).replaceFirst("^0 ", "");
  }

  private void payload(Draft draft, CrontabCommand run, Optional<String> user) {
    ObjectNode payload = draft.form().putObject("payload");
    payload.put("command", run.text());
    run.input().ifPresent(input -> payload.put("stdin", input));
    user.ifPresent(name -> payload.put("user", name));
    if (!environment.isEmpty()) {
      ObjectNode variables = payload.putObject("environment");
      environment.forEach(variables::put);
    }
    draft.form().put("type", "crontab");
  }
}
