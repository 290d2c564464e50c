package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.brokers.RootCause;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Exports the calendars and all schedules of a source.
 *
 * @param decidedThrough the instant up to which every schedule counts as decided, if given
 */
record Export(Cluster cluster, ExportSource source, Optional<Instant> decidedThrough) {
  /** The longest time that a record of an import may wait for the broker. */
  static final Duration WRITING = Duration.ofMinutes(2);

  private static final FileAttribute<?>[] OWNER_ONLY = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  /** For file systems without POSIX modes. */
  private static final FileAttribute<?>[] NO_MODE = {};

  /** Writes the export; returns the counts. */
  ExportWriter to(PrintWriter out, ExportHeader header) {
    ExportWriter writer = new ExportWriter(out);
    writer.begin(header);
    new CalendarTopic(cluster).all().forEach(writer::write);
    source.forEach(
        schedule -> writer.write(decidedThrough.map(schedule::decidedThrough).orElse(schedule)));
    writer.end();
    return writer;
  }

  /** Writes the export to a new file that only its owner may read, because it contains payloads. */
  ExportWriter to(Path path, ExportHeader header) {
    try (PrintWriter out = new PrintWriter(writer(path))) {
      ExportWriter written = to(out, header);
      if (out.checkError()) {
        throw new Failure("The file " + path + " cannot be written; is the disk full?");
      }
      return written;
    } catch (FileAlreadyExistsException e) {
      throw new Failure("The file " + path + " exists; the command does not overwrite it.", e);
    } catch (IOException e) {
      throw new Failure("The file " + path + " cannot be written: " + RootCause.of(e) + ".", e);
    }
  }

  private static Writer writer(Path path) throws IOException {
    boolean hasModes = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    Files.createFile(path, hasModes ? OWNER_ONLY : NO_MODE);
    return Files.newBufferedWriter(path, UTF_8);
  }
}
