import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.serializers.KafkaAvroDeserializer;
import io.confluent.kafka.serializers.KafkaAvroSerializer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;

/**
 * Confluent's own serializers, in a JVM of their own. {@code write URL TOPIC SCHEMA-FILE BODY}
 * gives the bytes that the serializer makes of a bare Avro body, {@code read URL TOPIC BYTES} the
 * record that the deserializer makes of bytes; bytes are in hexadecimal.
 */
public class ConfluentPeer {
  public static void main(String[] args) throws Exception {
    String url = args[1];
    String topic = args[2];
    CachedSchemaRegistryClient client = new CachedSchemaRegistryClient(url, 100);
    Map<String, Object> settings =
        Map.of("schema.registry.url", url, "auto.register.schemas", true);
    if (args[0].equals("write")) {
      Schema schema = new Schema.Parser().parse(Files.readString(Path.of(args[3])));
      byte[] body = HexFormat.of().parseHex(args[4]);
      GenericRecord record =
          new GenericDatumReader<GenericRecord>(schema)
              .read(null, DecoderFactory.get().binaryDecoder(body, null));
      byte[] bytes = new KafkaAvroSerializer(client, settings).serialize(topic, record);
      System.out.println(HexFormat.of().formatHex(bytes));
    } else {
      byte[] bytes = HexFormat.of().parseHex(args[3]);
      System.out.println(new KafkaAvroDeserializer(client, settings).deserialize(topic, bytes));
    }
  }
}
