package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.source.MovingList.Draft;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.CronDialect;
import io.waterclock.occurrences.CronTranslator;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Locale;
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
  private static final Pattern UNESCAPED_PERCENT = Pattern.compile("(?<!\\\\)%");
  private static final Pattern FIRST_WORD = Pattern.compile("^[^\\s;&|<>()]*");
  private static final String CRON_TZ = "CRON_TZ";

  private final MovingSettings settings;
  private final boolean users;
  private final MovingList list;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private ZoneId zone;
  private Optional<String> wrongZone = Optional.empty();

  private Crontab(MovingSettings settings, boolean users) {
    this.settings = settings;
    this.users = users;
    this.list = new MovingList(settings);
    this.zone = settings.zone();
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
      zone = value.isEmpty() ? settings.zone() : Instants.zone(value);
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
    try {
      Cron.parse(cron, CronDialect.UNIX, zone);
    } catch (InvalidTriggerException e) {
      list.leave(what, e);
      return;
    }
    Draft draft = Draft.empty();
    draft.form().put("cron", cron).put("timezone", zone.getId()).put("catch_up", "skip");
    String run = users ? String.valueOf(owned.group(2)) : command;
    payload(draft, run, users ? Optional.ofNullable(owned.group(1)) : Optional.empty());
    list.add(what, name(run), draft.from(source(cron)));
  }

  private SourceTrigger source(String cron) {
    return new SourceTrigger(
        SourceEngine.CRON_UTILS, cron.startsWith("@") ? fields(cron) : cron, zone);
  }

  /** cron-utils knows no alias in a crontab. */
  private static String fields(String alias) {
    return CronTranslator.translated(alias.toLowerCase(Locale.ROOT), CronDialect.UNIX)
        .replaceFirst("^0 ", "");
  }

  private void payload(Draft draft, String run, Optional<String> user) {
    String[] parts = UNESCAPED_PERCENT.split(run, 2);
    ObjectNode payload = draft.form().putObject("payload");
    payload.put("command", parts[0].replace("\\%", "%").strip());
    if (parts.length > 1) {
      payload.put(
          "stdin", UNESCAPED_PERCENT.matcher(parts[1]).replaceAll("\n").replace("\\%", "%"));
    }
    user.ifPresent(name -> payload.put("user", name));
    if (!environment.isEmpty()) {
      ObjectNode variables = payload.putObject("environment");
      environment.forEach(variables::put);
    }
    draft.form().put("type", "crontab");
  }

  /** The file name of the program. */
  private static String name(String command) {
    Matcher word = FIRST_WORD.matcher(command);
    String program = word.find() ? word.group() : "";
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.isEmpty() ? "entry" : name;
  }
}
