package io.waterclock.occurrences.tzdb;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Reads time-zone data in the format of {@code java.time}: from {@code lib/tzdb.dat} of a Java
 * runtime, or from a jar of the library ThreeTen-Backport ({@code org.threeten:threetenbp}), which
 * is published with most versions of the data.
 *
 * <p>The format is that of the JDK's {@code TzdbZoneRulesProvider}: the version, the names of the
 * zones, the serialised rules, and for each zone the number of its rules. The JDK has no public
 * reader of the rules, but they are the body of a Java object stream of {@link ZoneRules}, so this
 * class puts the header of such a stream before them. A filter admits no other class.
 */
public final class ZoneDataFile {
  private static final int MOST_BYTES = 4 << 20;
  private static final Pattern VERSION = Pattern.compile("(\\d{4}[a-z]{1,2}?)(gtz)?");
  private static final byte BLOCK = 0x7a;
  private static final byte END_OF_BLOCKS = 0x78;
  private static final byte SHORT_BLOCK = 0x77;

  private ZoneDataFile() {}

  /**
   * @param path a file in the format, a jar with such a file, or the folder of a Java runtime
   * @throws InvalidZoneDataException if there is none
   */
  public static ZoneData read(Path path) {
    try {
      if (Files.isDirectory(path)) {
        return parse(limited(Files.newInputStream(path.resolve("lib").resolve("tzdb.dat"))));
      }
      return parse(isZip(path) ? fromJar(path) : limited(Files.newInputStream(path)));
    } catch (IOException e) {
      throw new InvalidZoneDataException(
          "cannot read time-zone data from "
              + path
              + ": "
              + e
              + "; a tzdb.dat, a jar of org.threeten:threetenbp or the folder of a Java runtime is"
              + " right, for example /usr/lib/jvm/java-25/lib/tzdb.dat");
    }
  }

  private static boolean isZip(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return in.read() == 'P' && in.read() == 'K';
    }
  }

  private static byte[] fromJar(Path path) throws IOException {
    try (ZipFile jar = new ZipFile(path.toFile())) {
      ZipEntry entry =
          jar.stream()
              .filter(each -> each.getName().matches("(.*/)?(TZDB|tzdb)\\.dat"))
              .findFirst()
              .orElseThrow(() -> new ZipException("it contains no TZDB.dat"));
      return limited(jar.getInputStream(entry));
    }
  }

  private static byte[] limited(InputStream in) throws IOException {
    try (in) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new IOException("it has more than " + MOST_BYTES + " bytes");
      }
      return bytes;
    }
  }

  private static ZoneData parse(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    if (in.read() != 1 || !in.readUTF().equals("TZDB")) {
      throw new IOException("it does not begin like time-zone data");
    }
    String[] versions = texts(in);
    String[] names = texts(in);
    ZoneRules[] rules = new ZoneRules[in.readUnsignedShort()];
    byte[] header = header();
    for (int i = 0; i < rules.length; i++) {
      byte[] body = in.readNBytes(in.readUnsignedShort());
      rules[i] = rules(header, body);
    }
    Map<String, ZoneRules> byName = new HashMap<>();
    for (int version = 0; version < versions.length; version++) {
      byName.clear();
      int zones = in.readUnsignedShort();
      for (int zone = 0; zone < zones; zone++) {
        int name = in.readUnsignedShort();
        int rule = in.readUnsignedShort();
        if (name >= names.length || rule >= rules.length) {
          throw new IOException("a zone has no name or no rules");
        }
        byName.put(names[name], rules[rule]);
      }
    }
    if (byName.isEmpty()) {
      throw new IOException("it contains no zone");
    }
    // ThreeTen-Backport has them in code
    List.of("UTC", "GMT", "GMT0")
        .forEach(name -> byName.putIfAbsent(name, ZoneOffset.UTC.getRules()));
    Matcher version = VERSION.matcher(versions[versions.length - 1]);
    if (!version.matches()) {
      throw new IOException("its version is not like 2026a");
    }
    return new ZoneData(version.group(1), byName);
  }

  private static String[] texts(DataInputStream in) throws IOException {
    String[] texts = new String[in.readUnsignedShort()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = in.readUTF();
    }
    return texts;
  }

  /** The bytes of an object stream of rules up to the first block of their data. */
  private static byte[] header() throws IOException {
    ByteArrayOutputStream example = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(example)) {
      out.writeObject(ZoneOffset.UTC.getRules());
    }
    byte[] bytes = example.toByteArray();
    int end = bytes.length - 1;
    while (end > 0 && !(bytes[end] == SHORT_BLOCK && bytes[end - 1] == 0x70)) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }

  private static ZoneRules rules(byte[] header, byte[] body) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(stream);
    out.write(header);
    out.writeByte(BLOCK);
    out.writeInt(body.length);
    out.write(body);
    out.writeByte(END_OF_BLOCKS);
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(stream.toByteArray()))) {
      in.setObjectInputFilter(ObjectInputFilter.Config.createFilter("java.time.**;!*"));
      if (in.readObject() instanceof ZoneRules rules) {
        return rules;
      }
      throw new IOException("it contains something else than rules");
    } catch (ClassNotFoundException | RuntimeException e) {
      throw new IOException("its rules are not valid", e);
    }
  }
}
