package io.waterclock.it;

import static java.util.Objects.requireNonNull;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A thread of another JVM that a debugger has stopped, as a dead lock or a stuck disk would. */
final class FrozenThread implements AutoCloseable {
  private final VirtualMachine jvm;

  private FrozenThread(VirtualMachine jvm) {
    this.jvm = jvm;
  }

  /** Lets a JVM be debugged. */
  static List<String> jvmOptions(int port) {
    return List.of(
        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:" + port);
  }

  /** Stops the threads whose names hold a text, until this is closed. */
  static FrozenThread in(int port, String name)
      throws IOException, IllegalConnectorArgumentsException {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(any -> any.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
    requireNonNull(arguments.get("port")).setValue(Integer.toString(port));
    VirtualMachine jvm = connector.attach(arguments);
    List<ThreadReference> threads =
        jvm.allThreads().stream().filter(thread -> thread.name().contains(name)).toList();
    if (threads.isEmpty()) {
      jvm.dispose();
      throw new IllegalStateException("no thread is named " + name);
    }
    threads.forEach(ThreadReference::suspend);
    return new FrozenThread(jvm);
  }

  @Override
  public void close() {
    jvm.dispose();
  }
}
