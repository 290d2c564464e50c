package io.waterclock.bench.rig;

import io.waterclock.bench.run.BenchException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A JVM on this one's class path that answers each line with a line, see {@link ChildProtocol}. It
 * ends when this JVM does. For one thread at a time.
 */
public final class Child implements AutoCloseable {
  private static final Duration LONGEST_ANSWER = Duration.ofHours(1);

  private static volatile boolean isEnding;

  private final Process process;
  private final Path log;
  private final BufferedReader answers;
  private final BufferedWriter questions;

  private Child(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts a main class; its standard error goes to the end of the log. */
  public static Child start(
      Class<?> main, List<String> jvmOptions, List<String> arguments, Path log) {
    return startWith(List.of(), main, jvmOptions, arguments, log);
  }

  /**
   * Starts a main class.
   *
   * @param before the words before the command, such as {@code nice}
   */
  static Child startWith(
      List<String> before,
      Class<?> main,
      List<String> jvmOptions,
      List<String> arguments,
      Path log) {
    if (isEnding) {
      throw new BenchException("the benchmark is ended");
    }
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add(main.getName());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      return new Child(builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Asks and waits for the answer. Ends a child that takes more than an hour.
   *
   * @throws BenchException if the child fails or has ended
   */
  public String ask(String question) {
    CompletableFuture<?> end =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(
                LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS, Runnable::run));
    try {
      questions.write(question);
      questions.newLine();
      questions.flush();
      String answer = answers.readLine();
      if (answer != null && answer.startsWith(ChildProtocol.DONE)) {
        return answer.substring(ChildProtocol.DONE.length());
      }
      awaitEnd();
      throw new BenchException(
          "\""
              + question
              + "\" failed: "
              + (answer == null ? "the process has ended" : answer)
              + "; last in its log: "
              + lastOfLog());
    } catch (IOException e) {
      throw new BenchException("\"" + question + "\" failed, see " + log, e);
    } finally {
      end.cancel(false);
    }
  }

  /** Starts no more children, and answers no thread that has asked a child which ends. */
  static void endAll() {
    isEnding = true;
  }

  /** Never returns while this JVM ends: the measurement is over. */
  private static void awaitEnd() {
    while (isEnding) {
      LockSupport.park();
    }
  }

  private String lastOfLog() throws IOException {
    List<String> lines =
        Files.readAllLines(log).stream().filter(line -> !line.startsWith("\tat ")).toList();
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
  }

  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Ends the child as {@code kill -9} does, and returns when it has ended. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Ends the child in order, by force after 40 s. */
  @Override
  public void close() {
    try {
      questions.close();
      if (!process.waitFor(40, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
