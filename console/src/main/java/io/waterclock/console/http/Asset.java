package io.waterclock.console.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A file that browsers load: it is compressed once, and sent again only if it has changed. */
record Asset(String type, ByteBuffer plain, ByteBuffer packed, String tag) {
  private static final int TAG_CHARACTERS = 16;

  static Asset of(String type, byte[] plain) {
    return new Asset(type, ByteBuffer.wrap(plain), ByteBuffer.wrap(gzip(plain)), tag(plain));
  }

  /** Sends it, or says that the browser's copy is the newest. */
  void send(Request request, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
    response.getHeaders().put(HttpHeader.VARY, "Accept-Encoding");
    boolean packs =
        header(request, HttpHeader.ACCEPT_ENCODING).filter(t -> t.contains("gzip")).isPresent();
    String versioned = '"' + tag + (packs ? "-gzip" : "") + '"';
    response.getHeaders().put(HttpHeader.ETAG, versioned);
    if (header(request, HttpHeader.IF_NONE_MATCH).filter(versioned::equals).isPresent()) {
      response.setStatus(304);
      response.write(true, ByteBuffer.allocate(0), callback);
      return;
    }
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    if (packs) {
      response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
    }
    ByteBuffer body = (packs ? packed : plain).slice();
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
    response.write(true, body, callback);
  }

  private static Optional<String> header(Request request, HttpHeader name) {
    return Optional.ofNullable(request.getHeaders().get(name));
  }

  private static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream stream = new GZIPOutputStream(bytes)) {
      stream.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static String tag(byte[] plain) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(plain);
      return HexFormat.of().formatHex(digest).substring(0, TAG_CHARACTERS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
