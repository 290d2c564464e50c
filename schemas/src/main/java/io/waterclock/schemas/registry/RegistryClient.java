package io.waterclock.schemas.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException.Reason;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * Requests to a registry. Each call waits for the answer, at most for the time-outs of all
 * addresses. Thread-safe.
 */
public final class RegistryClient implements SchemaSource {
  /** How many others a schema may name, and those name again. */
  static final int REFERENCES = 100;

  private static final int SUBJECT_NOT_FOUND = 40401;
  private static final int SCHEMA_NOT_FOUND = 40403;

  private final RegistrySettings settings;
  private final RestClient rest;

  public RegistryClient(RegistrySettings settings) {
    this.settings = settings;
    this.rest = new RestClient(settings);
  }

  /**
   * The same with its answers kept: a bounded number of schemas and refusals, and an outage for a
   * while, so that a reader does not wait for it at each record. Thread-safe.
   *
   * @param quiet how long not to ask after an outage
   */
  public SchemaSource kept(Duration quiet) {
    return new KeptAnswers(this, System::nanoTime, quiet);
  }

  @Override
  public Lookup lookup(int id) {
    if (KeptSchemas.isImpossible(id)) {
      return refused(id, "ids begin with 1");
    }
    try {
      JsonNode found = rest.get("/schemas/ids/" + id);
      String type = found.path("schemaType").asText("AVRO");
      return type.equals("AVRO")
          ? new Lookup.Known(parse(found))
          : new Lookup.Refused(
              Reason.INCOMPATIBLE_SCHEMA,
              "written with schema " + id + " of the registry, which is " + type + ", not Avro");
    } catch (RestClient.RefusalException e) {
      return e.code() == RestClient.TOO_LONG
          ? unusable(id, String.valueOf(e.getMessage()))
          : refused(id, String.valueOf(e.getMessage()));
    } catch (RestClient.AwayException e) {
      return new Lookup.Unavailable(String.valueOf(e.getMessage()));
    } catch (InvalidSchemaException e) {
      return unusable(id, String.valueOf(e.getMessage()));
    }
  }

  private static Lookup unusable(int id, String why) {
    return new Lookup.Refused(
        Reason.INCOMPATIBLE_SCHEMA,
        "written with schema " + id + " of the registry, which cannot be used: " + why);
  }

  private static Lookup refused(int id, String why) {
    return new Lookup.Refused(
        Reason.UNKNOWN_SCHEMA,
        "Confluent wire format with the schema id %s, which the registry does not know: %s"
            .formatted(Integer.toUnsignedString(id), why));
  }

  /**
   * The id under which a schema is written to a topic.
   *
   * @throws RestClient.AwayException if the registry does not answer
   * @throws RestClient.RefusalException if it rejects or does not know the schema
   */
  int idOf(String topic, Schema schema) {
    String subject = settings.subjects().subject(topic, schema);
    String path = "/subjects/" + escaped(subject);
    if (settings.useLatest()) {
      return latest(subject, path, schema);
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("schema", schema.toString());
    try {
      return id(rest.post(settings.autoRegister() ? path + "/versions" : path, body));
    } catch (RestClient.RefusalException e) {
      throw new RestClient.RefusalException(e.code(), advice(e, subject, schema));
    }
  }

  private static String advice(RestClient.RefusalException e, String subject, Schema schema) {
    boolean missing = e.code() == SUBJECT_NOT_FOUND || e.code() == SCHEMA_NOT_FOUND;
    return "the subject %s has no schema of %s as this release writes it: %s%s"
        .formatted(
            subject,
            schema.getFullName(),
            e.getMessage(),
            missing ? "; register it, or set auto.register.schemas=true" : "");
  }

  private int latest(String subject, String path, Schema schema) {
    JsonNode latest = rest.get(path + "/versions/latest");
    if (!isSame(latest, schema)) {
      throw new RestClient.RefusalException(
          409,
          ("the latest version of the subject %s differs from %s as this release writes it;"
                  + " register that, or set use.latest.version=false")
              .formatted(subject, schema.getFullName()));
    }
    return id(latest);
  }

  /** True when both write the same bytes. */
  private boolean isSame(JsonNode found, Schema schema) {
    try {
      return SchemaNormalization.toParsingForm(parse(found))
          .equals(SchemaNormalization.toParsingForm(schema));
    } catch (InvalidSchemaException e) {
      return false;
    }
  }

  private static int id(JsonNode answer) {
    if (!answer.path("id").canConvertToInt()) {
      throw new RestClient.AwayException("the registry answered without an id: " + answer);
    }
    return answer.path("id").intValue();
  }

  private Schema parse(JsonNode found) {
    // what others have registered needs not be as strict as what we write
    Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION);
    parser.setValidateDefaults(false);
    return parse(found, parser, new HashSet<>(), new AtomicLong());
  }

  /** A schema may name others, which are read first. */
  private Schema parse(JsonNode found, Schema.Parser parser, Set<String> read, AtomicLong length) {
    if (length.addAndGet(found.path("schema").asText().length()) > RestClient.LONGEST) {
      throw new InvalidSchemaException(
          "it has more than " + RestClient.LONGEST + " characters, with those that it refers to");
    }
    for (JsonNode reference : found.path("references")) {
      String path =
          "/subjects/"
              + escaped(reference.path("subject").asText())
              + "/versions/"
              + reference.path("version").asInt();
      if (read.add(path)) {
        if (read.size() > REFERENCES) {
          throw new InvalidSchemaException(
              "it refers to more than " + REFERENCES + " others, with those that they refer to");
        }
        parse(rest.get(path), parser, read, length);
      }
    }
    try {
      return parser.parse(found.path("schema").asText());
    } catch (RuntimeException | StackOverflowError e) {
      throw new InvalidSchemaException("Avro refuses it: " + e.getMessage());
    }
  }

  private static String escaped(String subject) {
    return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** What the registry holds is beyond our bounds, or Avro's. */
  private static final class InvalidSchemaException extends RuntimeException {
    InvalidSchemaException(String message) {
      super(message);
    }
  }
}
