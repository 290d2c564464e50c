package io.waterclock.spring.aot;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/** What a native image needs for the client: the generated classes of Avro, resources, proxies. */
public final class WaterclockRuntimeHints implements RuntimeHintsRegistrar {
  private static final String RECORDS = "io/waterclock/schemas/avro/";

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    ClassLoader used = loader == null ? ClassUtils.getDefaultClassLoader() : loader;
    try {
      for (Resource file :
          new PathMatchingResourcePatternResolver(used)
              .getResources("classpath*:" + RECORDS + "*.class")) {
        String name = String.valueOf(file.getFilename()).replace(".class", "");
        hints
            .reflection()
            .registerType(
                TypeReference.of(RECORDS.replace('/', '.') + name),
                hint ->
                    hint.withMembers(
                            MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
                            MemberCategory.INVOKE_PUBLIC_METHODS)
                        .withField("SCHEMA$")
                        .withField("MODEL$"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    hints.resources().registerPattern("io/waterclock/schemas/published/**");
    hints.resources().registerPattern("io/waterclock/client/dedup/claims.sql");
    hints.proxies().registerJdkProxy(Producer.class);
    hints.proxies().registerJdkProxy(Logger.class);
  }
}
