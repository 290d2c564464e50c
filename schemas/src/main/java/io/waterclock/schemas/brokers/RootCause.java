package io.waterclock.schemas.brokers;

import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The root causes of failures, in words: the exception of a Kafka client's constructor does not
 * contain its reason.
 */
public final class RootCause {
  /** What a broker answers to a token that it does not accept (RFC 7628, section 3.2.2). */
  private static final String REFUSED_TOKEN = "\"status\":\"invalid_token\"";

  /** What Kafka's clients say when no name in bootstrap.servers can be resolved. */
  private static final String UNRESOLVED = "No resolvable bootstrap urls";

  /** What they say of an address without a port. */
  private static final Pattern NO_PORT =
      Pattern.compile("Invalid url in bootstrap\\.servers: ([^:\\s]+)");

  private static final String CAUSE = "\nCaused by: ";
  private static final Pattern CLASS_NAMES =
      Pattern.compile("^([\\w.$]+\\.[\\w$]*(Exception|Error): )+");

  private RootCause() {}

  /**
   * The words of the deepest cause that has a message, or the class name of the failure; without a
   * full stop. A refused login comes with the settings to look at.
   */
  public static String of(Throwable failure) {
    String reason =
        chain(failure)
            .filter(cause -> cause.getMessage() != null)
            .reduce((upper, deeper) -> namesTopic(upper, deeper) ? upper : deeper)
            .map(RootCause::words)
            .orElse(failure.getClass().getSimpleName());
    String remedy = chain(failure).map(RootCause::remedy).reduce("", String::concat);
    boolean isLogin = chain(failure).anyMatch(LoginException.class::isInstance);
    return (isLogin ? "the login failed: " : "") + reason.replaceFirst("\\.$", "") + remedy;
  }

  /** What a producer waited for has a name; that it does not exist is said without one. */
  private static boolean namesTopic(Throwable upper, Throwable deeper) {
    return upper instanceof TimeoutException && deeper instanceof UnknownTopicOrPartitionException;
  }

  /** The failure, its cause, the cause of that, and so on. */
  public static Stream<Throwable> chain(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
  }

  /** The messages of some exceptions of the JDK are only a name. */
  private static String words(Throwable cause) {
    String message = text(String.valueOf(cause.getMessage()));
    if (cause instanceof UnknownHostException) {
      return "the host " + message.replaceFirst(": .*", "") + " is unknown";
    }
    if (cause instanceof NoSuchFileException) {
      return "there is no file " + message;
    }
    if (cause instanceof AccessDeniedException) {
      return "access to the file " + message + " is denied";
    }
    if (cause instanceof FileAlreadyExistsException) {
      return "there is a file " + message + " already";
    }
    if (cause instanceof FileSystemLoopException) {
      return "the folder " + message + " leads back to itself";
    }
    if (cause instanceof NotDirectoryException) {
      return message + " is no folder";
    }
    if (cause instanceof ClassNotFoundException) {
      return "there is no class " + message + " on the class path";
    }
    if (message.startsWith(UNRESOLVED)) {
      return "no host in bootstrap.servers is known: its name cannot be resolved";
    }
    Matcher portless = NO_PORT.matcher(message);
    if (portless.matches()) {
      return "%s: the port is missing, as in %s:9092".formatted(message, portless.group(1));
    }
    return message.contains(REFUSED_TOKEN) ? "the broker does not accept the token" : message;
  }

  /** Some messages begin with the class of a cause, or contain its whole trace. */
  private static String text(String message) {
    String text = message;
    if (message.contains("\n\tat ")) {
      int cause = message.lastIndexOf(CAUSE);
      text = message.substring(cause < 0 ? 0 : cause + CAUSE.length()).split("\n", 2)[0];
    }
    return CLASS_NAMES.matcher(text).replaceFirst("");
  }

  private static String remedy(Throwable cause) {
    if (cause instanceof SaslAuthenticationException) {
      return String.valueOf(cause.getMessage()).contains(REFUSED_TOKEN)
          ? "; its issuer, audience, signature and expiry must be what the sasl.oauthbearer"
              + " settings of the broker expect"
          : "; sasl.jaas.config holds the user and the password, sasl.mechanism says how they are"
              + " proven";
    }
    return cause instanceof SslAuthenticationException
        ? "; ssl.truststore.location holds the certificates that are trusted"
        : "";
  }
}
