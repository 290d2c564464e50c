package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.text.Interval;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * The trigger, spread over the schedule's object: exactly one of cron, every, rrule (these two may
 * have an anchor), at and in.
 */
record TriggerMember(int pos) implements Member {
  private static final String CRON = "cron";
  private static final String EVERY = "every";
  private static final String RRULE = "rrule";
  private static final String ANCHOR = "anchor";
  private static final String AT = "at";
  private static final String IN = "in";
  private static final String NOW = "now";
  private static final List<String> CHOICES = List.of(CRON, EVERY, RRULE, AT, IN);
  private static final List<String> NAMES = List.of(CRON, EVERY, RRULE, ANCHOR, AT, IN);
  private static final String ALL = "cron, every, rrule, at and in";
  private static final TextForm CRON_TEXT = TextForm.stripped("a cron expression", "0 9 * * 1-5");
  private static final TextForm RULE =
      TextForm.stripped("a recurrence rule", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=12");
  private static final TextForm INTERVAL =
      new TextForm(
          "an interval", v -> ((Interval) v).text(), (text, at) -> Interval.parse(text), "PT5M");

  @Override
  public List<String> names() {
    return NAMES;
  }

  @Override
  public void write(SpecificRecordBase record, ObjectNode to) {
    Object trigger = record.get(pos);
    if (trigger instanceof CronTrigger cron) {
      to.put(CRON, cron.getExpression());
    } else if (trigger instanceof EveryTrigger every) {
      to.set(EVERY, INTERVAL.write(new Interval(every.getN(), every.getUnit())));
      writeAnchor(every.getAnchor(), every.getLocalAnchor(), to);
    } else if (trigger instanceof RRuleTrigger rrule) {
      to.put(RRULE, rrule.getRule());
      writeAnchor(rrule.getAnchor(), rrule.getLocalAnchor(), to);
    } else if (trigger instanceof OnceTrigger once) {
      writeOnce(once, to);
    }
  }

  @Override
  public void read(ObjectNode from, SpecificRecordBase record, Reading at) {
    List<String> given =
        CHOICES.stream().filter(name -> Member.value(from, name).isPresent()).toList();
    List<Optional<Object>> triggers = given.stream().map(name -> readOne(name, from, at)).toList();
    if (given.isEmpty()) {
      at.reportMissing(
          "there is no trigger: one of " + ALL + " must be given", "\"every\": \"PT5M\"");
    } else if (given.size() > 1) {
      at.report(
          (given.size() == 2 ? "both " : "all of ")
              + String.join(" and ", given)
              + " are given; exactly one of "
              + ALL
              + " is right",
          "\"" + given.get(0) + "\": " + example(given.get(0)));
    } else {
      triggers.get(0).ifPresent(trigger -> record.put(pos, trigger));
    }
    if (Member.value(from, ANCHOR).isPresent()
        && !given.contains(EVERY)
        && !given.contains(RRULE)) {
      at.field(ANCHOR)
          .report(
              "goes with every and rrule only",
              "\"every\": \"P1M\", \"anchor\": " + example(ANCHOR));
    }
  }

  @Override
  public String example(String name) {
    return switch (name) {
      case CRON -> CRON_TEXT.example();
      case EVERY -> INTERVAL.example();
      case RRULE -> RULE.example();
      case IN -> "\"PT90S\"";
      default -> TextForm.INSTANT.example();
    };
  }

  private static void writeAnchor(
      @Nullable Instant anchor, @Nullable LocalDateTime local, ObjectNode to) {
    if (anchor != null) {
      to.set(ANCHOR, TextForm.TIME.write(anchor));
    } else if (local != null) {
      to.set(ANCHOR, TextForm.TIME.write(local));
    }
  }

  private static void writeOnce(OnceTrigger once, ObjectNode to) {
    if (once.getAt() != null) {
      to.set(AT, TextForm.INSTANT.write(once.getAt()));
    } else if (once.getInMs() != null && once.getInMs() == 0) {
      to.put(AT, NOW);
    } else if (once.getInMs() != null) {
      to.put(IN, Duration.ofMillis(once.getInMs()).toString());
    }
  }

  private static Optional<Object> readOne(String name, ObjectNode from, Reading at) {
    JsonNode node = from.get(name);
    Reading here = at.field(name);
    return switch (name) {
      case CRON -> CRON_TEXT.read(node, here).map(text -> new CronTrigger((String) text));
      case EVERY -> INTERVAL.read(node, here).map(interval -> every((Interval) interval, from, at));
      case RRULE -> RULE.read(node, here).map(rule -> rrule((String) rule, from, at));
      case AT -> readAt(node, here);
      default -> TextForm.DURATION_MS.read(node, here).map(ms -> new OnceTrigger(null, (Long) ms));
    };
  }

  private static EveryTrigger every(Interval interval, ObjectNode from, Reading at) {
    EveryTrigger every = new EveryTrigger(interval.n(), interval.unit(), null, null);
    anchor(from, at, every::setAnchor, every::setLocalAnchor);
    return every;
  }

  private static RRuleTrigger rrule(String rule, ObjectNode from, Reading at) {
    RRuleTrigger rrule = new RRuleTrigger(rule, null, null);
    anchor(from, at, rrule::setAnchor, rrule::setLocalAnchor);
    return rrule;
  }

  private static void anchor(
      ObjectNode from, Reading at, Consumer<Instant> instant, Consumer<LocalDateTime> local) {
    Member.value(from, ANCHOR)
        .flatMap(node -> TextForm.TIME.read(node, at.field(ANCHOR)))
        .ifPresent(
            time -> {
              if (time instanceof LocalDateTime shown) {
                local.accept(shown);
              } else {
                instant.accept((Instant) time);
              }
            });
  }

  private static Optional<Object> readAt(JsonNode node, Reading at) {
    if (node.isTextual() && node.textValue().strip().equalsIgnoreCase(NOW)) {
      return Optional.of(new OnceTrigger(null, 0L));
    }
    return TextForm.INSTANT.read(node, at).map(instant -> new OnceTrigger((Instant) instant, null));
  }
}
