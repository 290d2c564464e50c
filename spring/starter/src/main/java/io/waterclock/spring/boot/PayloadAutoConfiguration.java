package io.waterclock.spring.boot;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.spring.payload.Jackson3Mapper;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Payloads as JSON: with Jackson 3 where the application has it, else with Jackson 2. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
    })
public class PayloadAutoConfiguration {
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "tools.jackson.databind.json.JsonMapper")
  static class Jackson3 {
    @Bean
    @ConditionalOnMissingBean
    PayloadMapper waterclockPayloads(ObjectProvider<JsonMapper> mappers) {
      return new Jackson3Mapper(mappers.getIfUnique(JsonMapper::shared));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "com.fasterxml.jackson.databind.ObjectMapper")
  static class Jackson2 {
    @Bean
    @ConditionalOnMissingBean
    PayloadMapper waterclockPayloads(ObjectProvider<ObjectMapper> mappers) {
      ObjectMapper own = mappers.getIfUnique();
      return own == null ? JacksonMapper.standard() : new JacksonMapper(own);
    }
  }
}
