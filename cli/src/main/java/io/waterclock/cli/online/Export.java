package io.waterclock.cli.online;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.Failure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/** What is to be exported. */
final class Export {
  private final Cluster cluster;
  private final ExportSource source;
  private final Optional<Instant> decidedThrough;

  /**
   * @param decidedThrough up to where every schedule counts as decided, whatever the source says
   */
  Export(Cluster cluster, ExportSource source, Optional<Instant> decidedThrough) {
    this.cluster = cluster;
    this.source = source;
    this.decidedThrough = decidedThrough;
  }

  /** Writes it. */
  ExportWriter to(PrintWriter out, ExportHeader header) {
    ExportWriter writer = new ExportWriter(out);
    writer.begin(header);
    new CalendarTopic(cluster).all().forEach(writer::write);
    source.forEach(
        schedule -> writer.write(decidedThrough.map(schedule::decidedThrough).orElse(schedule)));
    writer.end();
    return writer;
  }

  /**
   * Writes it to a file that must not exist.
   *
   * @throws Failure if it exists, or cannot be written
   */
  ExportWriter to(Path path, ExportHeader header) {
    try (PrintWriter out =
        new PrintWriter(Files.newBufferedWriter(path, UTF_8, StandardOpenOption.CREATE_NEW))) {
      ExportWriter written = to(out, header);
      if (out.checkError()) {
        throw new Failure("The file " + path + " cannot be written; is the disk full?");
      }
      return written;
    } catch (FileAlreadyExistsException e) {
      throw new Failure("The file " + path + " exists; it is not overwritten.", e);
    } catch (IOException e) {
      throw new Failure("The file " + path + " cannot be written: " + e.getMessage() + ".", e);
    }
  }
}
