package io.waterclock.runtime.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * The folders of the stores, beside those of Kafka Streams, which deletes the folder of a task
 * whose producer was fenced.
 *
 * <p>{@code TASK/} belongs to Kafka Streams: a task whose folder is not empty has state here, and
 * comes back here after a rebalance. So {@code TASK/elsewhere} marks a task with stores in {@code
 * stores/TASK/NAME}. Kafka Streams deletes {@code TASK} some time after the task has moved to
 * another instance; then {@link #sweep} deletes its stores.
 *
 * <p>Safe for all threads.
 */
final class StoreFolders {
  private static final String MARK = "elsewhere";

  private final Path tasks;
  private final Path stores;
  private final Duration keepUnused;
  private final Set<Path> open = new HashSet<>();

  /**
   * @param tasks where Kafka Streams has the folders of its tasks: {@code state.dir} and the
   *     application id
   * @param keepUnused how long the stores of a task that has moved away stay, at least
   */
  StoreFolders(Path tasks, Duration keepUnused) {
    this.tasks = tasks;
    this.keepUnused = keepUnused;
    this.stores = tasks.resolve("stores");
  }

  /** The folder of a store, protected until it is closed. */
  synchronized Path open(StoreId store) {
    mark(store.task().toString());
    Path folder = folder(store);
    open.add(folder);
    return folder;
  }

  synchronized void close(StoreId store) {
    open.remove(folder(store));
  }

  /** Deletes the rows of a store whose database is closed. */
  synchronized void delete(StoreId store) {
    delete(folder(store));
  }

  private Path folder(StoreId store) {
    return stores.resolve(store.task().toString()).resolve(store.name());
  }

  /** Marks the tasks whose stores outlived their folders, before Kafka Streams looks for them. */
  synchronized void mark() {
    tasksWithStores().forEach(folder -> mark(String.valueOf(folder.getFileName())));
  }

  private void mark(String task) {
    try {
      Path mark = tasks.resolve(task).resolve(MARK);
      Files.createDirectories(tasks.resolve(task));
      if (!Files.exists(mark)) {
        Files.createFile(mark);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Deletes the stores of tasks that have moved away: Kafka Streams has deleted their folders, and
   * nothing has written them for a while.
   */
  synchronized void sweep(Instant now) {
    for (Path task : tasksWithStores()) {
      boolean isKept =
          Files.exists(tasks.resolve(task.getFileName()).resolve(MARK))
              || open.stream().anyMatch(folder -> folder.startsWith(task))
              || !lastWrite(task).plus(keepUnused).isBefore(now);
      if (!isKept) {
        delete(task);
      }
    }
  }

  /** Deletes all stores. None may be open. */
  synchronized void deleteAll() {
    delete(stores);
  }

  private List<Path> tasksWithStores() {
    try (Stream<Path> folders = Files.list(stores)) {
      return folders.toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Instant lastWrite(Path task) {
    try (Stream<Path> files = Files.walk(task)) {
      return files
          .map(
              file -> {
                try {
                  return Files.getLastModifiedTime(file).toInstant();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .max(Instant::compareTo)
          .orElse(Instant.EPOCH);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try {
      Utils.delete(folder.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
