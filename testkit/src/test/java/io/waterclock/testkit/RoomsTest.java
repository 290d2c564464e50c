package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The classes that a record enters, seen by a debugger in a running scheduler, are those of "The
 * path of a record" in docs/architecture.md, in their order.
 */
@Tag("all")
final class RoomsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ([a-z, ]+) \\| (`\\w+`(?: → `\\w+`)+) \\| (\\d+) \\|$");
  private static final Pattern ROOM =
      Pattern.compile("io\\.waterclock\\.(topology\\.scheduler\\.\\w+|decide)\\.(\\w+)");

  /** Values, counters, and what tests and threads share: not where a record is worked on. */
  private static final Pattern NO_ROOM =
      Pattern.compile("io\\.waterclock\\.topology\\.scheduler\\.(context|count|input)\\..*");

  @Test
  void a_record_enters_the_rooms_of_its_path_in_their_order() throws Exception {
    Map<String, Set<String>> entered = entered();
    Map<String, Row> documented = documented();
    assertThat(entered.keySet()).isEqualTo(documented.keySet());
    entered.forEach(
        (kind, rooms) -> {
          List<String> onPath = new ArrayList<>(rooms);
          onPath.retainAll(documented.get(kind).rooms());
          assertThat(onPath).as(kind).isEqualTo(documented.get(kind).rooms());
          assertThat(rooms).as(kind).hasSizeLessThanOrEqualTo(documented.get(kind).most());
        });
  }

  /** A row of the page: the path, and how many classes run at most. */
  private record Row(List<String> rooms, int most) {}

  private static Map<String, Row> documented() throws IOException {
    Map<String, Row> found = new LinkedHashMap<>();
    ROW.matcher(Files.readString(Path.of("..", "docs", "architecture.md")))
        .results()
        .forEach(
            row ->
                found.put(
                    row.group(1),
                    new Row(
                        List.of(row.group(2).replace("`", "").split(" → ")),
                        Integer.parseInt(row.group(3)))));
    return found;
  }

  /** By the name of a mark: the classes whose methods run until the next, in their order. */
  private static Map<String, Set<String>> entered() throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("options").setValue("-cp \"" + System.getProperty("java.class.path") + "\"");
    arguments.get("main").setValue(RoomsProgram.class.getName());
    VirtualMachine vm = connector.launch(arguments);
    MethodEntryRequest marks = vm.eventRequestManager().createMethodEntryRequest();
    marks.addClassFilter(RoomsProgram.class.getName());
    marks.setSuspendPolicy(EventRequest.SUSPEND_ALL);
    marks.enable();
    MethodEntryRequest entries = vm.eventRequestManager().createMethodEntryRequest();
    entries.addClassFilter("io.waterclock.*");
    entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
    vm.resume();
    Map<String, Set<String>> entered = new LinkedHashMap<>();
    Set<String> current = new LinkedHashSet<>();
    try {
      while (true) {
        EventSet events = vm.eventQueue().remove();
        for (Event event : events) {
          if (event instanceof MethodEntryEvent entry && event.request() == marks) {
            String mark = entry.method().name();
            if (mark.equals("end")) {
              entries.disable();
            } else if (RoomsProgram.KINDS.containsKey(mark)) {
              current = new LinkedHashSet<>();
              entered.put(RoomsProgram.KINDS.get(mark), current);
              entries.enable();
            }
          } else if (event instanceof MethodEntryEvent entry) {
            room(entry.method().declaringType(), current);
          }
        }
        events.resume();
      }
    } catch (VMDisconnectedException e) {
      String errors = new String(vm.process().getErrorStream().readAllBytes());
      assertThat(vm.process().waitFor()).as(errors).isZero();
      return entered;
    }
  }

  private static void room(ReferenceType type, Set<String> rooms) {
    var room = ROOM.matcher(type.name());
    if (room.matches() && !NO_ROOM.matcher(type.name()).matches()) {
      rooms.add(room.group(2));
    }
  }
}
