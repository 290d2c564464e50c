// Defines schedules and reads fires with kafkajs 2.
import { randomUUID } from "node:crypto";
import { Answer, Fire, Seen, checkId, definition, fromJson, partition } from "./index.js";

const partitioner =
  () =>
  ({ message, partitionMetadata }) =>
    message.key === null
      ? Math.floor(Math.random() * partitionMetadata.length)
      : partition(message.key, partitionMetadata.length);

export class Waterclock {
  #kafka;
  #prefix;
  #timeout;
  #producer;
  #mailbox;
  #consumers = [];
  #waiting = new Map();

  constructor(kafka, { prefix = "waterclock", timeout = 10_000 } = {}) {
    this.#kafka = kafka;
    this.#prefix = prefix;
    this.#timeout = timeout;
  }

  put(scheduleId, fields) {
    return this.#ask("schedules", checkId(scheduleId), definition(fields));
  }

  command(scheduleId, action) {
    return this.#ask("commands", checkId(scheduleId), JSON.stringify({ command_id: randomUUID(), ...action }));
  }

  async delete(scheduleId) {
    await this.#send("schedules", checkId(scheduleId), null, []);
  }

  async later(key, value, headers) {
    await this.#send("later", key, value, headers);
  }

  async fires(group, { only = "", decode = fromJson, remember = 100_000, fromBeginning = true } = {}, handle) {
    const consumer = this.#kafka.consumer({ groupId: group, readUncommitted: false });
    this.#consumers.push(consumer);
    const seen = new Seen(remember);
    await consumer.connect();
    await consumer.subscribe({ topic: `${this.#prefix}.fires`, fromBeginning });
    await consumer.run({
      eachMessage: async ({ message }) => {
        if (!message.key.toString().startsWith(only)) return;
        const fire = new Fire(message, decode);
        if (!seen.claim(fire.id)) return;
        try {
          await handle(fire);
        } catch (failure) {
          seen.release(fire.id);
          throw failure;
        }
      },
    });
  }

  async close() {
    await Promise.all([...this.#consumers.map((one) => one.disconnect()), (await this.#producer)?.disconnect()]);
  }

  async #send(topic, key, value, headers) {
    this.#producer ??= this.#connect();
    const all = {};
    for (const [name, text] of headers) all[name] = name in all ? [all[name], text].flat() : text;
    const producer = await this.#producer;
    await producer.send({ topic: `${this.#prefix}.${topic}`, messages: [{ key, value, headers: all }] });
  }

  async #connect() {
    const producer = this.#kafka.producer({ createPartitioner: partitioner, allowAutoTopicCreation: false });
    await producer.connect();
    return producer;
  }

  async #ask(topic, scheduleId, value) {
    const to = await (this.#mailbox ??= this.#open());
    const id = randomUUID();
    let timer;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      const late = `${scheduleId} is written, and no scheduler has answered in ${this.#timeout} ms`;
      timer = setTimeout(() => reject(new Error(late)), this.#timeout);
    });
    try {
      await this.#send(topic, scheduleId, value, [
        ["waterclock-correlation-id", id],
        ["waterclock-answer-partition", String(to)],
      ]);
      return new Answer(fromJson(await answer)).orThrow();
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  // Reads one partition of the answers from its end: a group of its own, whose only offset is committed before it begins.
  async #open() {
    const topic = `${this.#prefix}.answers`;
    const groupId = `waterclock-answers-${randomUUID()}`;
    const admin = this.#kafka.admin();
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(topic);
    await admin.setOffsets({ groupId, topic, partitions: ends.map(({ partition, high }) => ({ partition, offset: high })) });
    await admin.disconnect();
    const consumer = this.#kafka.consumer({ groupId, readUncommitted: false });
    this.#consumers.push(consumer);
    await consumer.connect();
    await consumer.subscribe({ topic });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => this.#waiting.get(message.key?.toString())?.(message.value),
    });
    return ends[Math.floor(Math.random() * ends.length)].partition;
  }
}
