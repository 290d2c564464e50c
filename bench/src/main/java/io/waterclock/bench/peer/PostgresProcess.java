package io.waterclock.bench.peer;

import io.waterclock.bench.rig.Child;
import io.waterclock.bench.run.Closing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A PostgreSQL server with processes of its own. */
public final class PostgresProcess implements AutoCloseable {
  private final Child child;
  private final String url;
  private final ProcessHandle postmaster;

  private PostgresProcess(Child child) {
    this.child = child;
    this.url = child.ask("url");
    this.postmaster = ProcessHandle.of(Long.parseLong(child.ask("pid"))).orElseThrow();
  }

  /**
   * @param syncs whether a commit waits for the disk
   */
  public static PostgresProcess start(Path dir, boolean syncs) {
    Child child =
        Child.start(
            PostgresMain.class,
            List.of("-Xmx128m", "-XX:+UseSerialGC"),
            List.of(dir.toString(), syncs ? "on" : "off"),
            dir.resolve("postgres-main.log"));
    return Closing.onFailure(child::close, () -> new PostgresProcess(child));
  }

  public String url() {
    return url;
  }

  public String configuration() {
    return child.ask("configuration");
  }

  /** CPU time that the server has used for those who are connected, and for itself. */
  public Duration cpu() {
    return Stream.concat(Stream.of(postmaster), postmaster.descendants())
        .map(process -> process.info().totalCpuDuration())
        .flatMap(Optional::stream)
        .reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() {
    child.close();
  }
}
