import type { Kafka } from "kafkajs";
import type { Answer, Definition, Fire, Headers } from "./index.js";

/** A scheduler's topics. Its methods may run at the same time. */
export class Waterclock {
  /** timeout: milliseconds, how long a change waits for its answer. */
  constructor(kafka: Kafka, options?: { prefix?: string; timeout?: number });
  /** Defines or redefines a schedule. Rejects with Refused, and with an Error without an answer. */
  put(scheduleId: string, fields: Definition): Promise<Answer>;
  /** Sends a command of docs/commands.md: { pause: {} }, { trigger: { payload: 1 } }. Rejects as put does. */
  command(scheduleId: string, action: object): Promise<Answer>;
  /** Deletes a schedule. Resolves when the brokers have the tombstone: from then on nothing of it fires. */
  delete(scheduleId: string): Promise<void>;
  /** Sends a record with the headers of later or cancel. Resolves when the brokers have it. */
  later(key: string | Buffer | null, value: string | Buffer | null, headers: Headers): Promise<void>;
  /**
   * Handles the fires of schedules whose ids begin with only, each once in this process, committed records alone. Resolves when the
   * group is joined. A fire whose handler fails comes again. A new group begins with the oldest fire unless fromBeginning is false.
   */
  fires(
    group: string,
    options: { only?: string; decode?: (value: Buffer) => any; remember?: number; fromBeginning?: boolean },
    handle: (fire: Fire) => Promise<void> | void,
  ): Promise<void>;
  close(): Promise<void>;
}
