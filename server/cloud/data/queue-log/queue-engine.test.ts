import pino from "pino";
import { describe, expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { SCENARIOS, type Scenario, type Step } from "../../../../test/factories/queue-scenarios";
import { MemoryCounters } from "../../../engines/counters/memory-counters";
import { ManualClock, systemClock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import { createQueueEngine } from "./create-queue-engine";
import type { QueueEngine, QueueRef, ReceivedMessage } from "./queue-engine";

const log = pino({ level: "silent" });
const database = await openForFile(testDatabase());

/** Plays a scenario; with `restart`, every step runs in an engine of its own, as after a crash. */
class Player {
  readonly #scenario: Scenario;
  readonly #clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
  readonly #dead: QueueRef;
  readonly #queue: QueueRef;
  readonly #receipts = new Map<string, string[]>();
  readonly #last = new Map<string, ReceivedMessage>();
  #engine: QueueEngine;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const { maxReceives = 10, retention = 86_400 } = scenario;
    const base = { visibilityTimeoutMs: 30_000, retentionMs: retention * 1000 };
    this.#dead = { ...base, id: newId("que", Date.now()), maxReceives: 1000 };
    this.#queue = { ...base, id: newId("que", Date.now()), maxReceives, dlq: this.#dead };
    this.#engine = this.#start();
  }

  async play(restart: boolean): Promise<void> {
    for (const [i, step] of this.#scenario.steps.entries()) {
      if (restart) {
        await this.#engine.stop();
        this.#engine = this.#start();
      }
      await this.#step(step, `step ${i + 1}: ${JSON.stringify(step)}`);
    }
    await this.#engine.stop();
  }

  #start(): QueueEngine {
    const { inFlightMax } = this.#scenario;
    const counters = new MemoryCounters(systemClock);
    return createQueueEngine({
      sql: database.sql,
      clock: this.#clock,
      counters,
      log,
      ...(inFlightMax === undefined ? {} : { inFlightMax }),
    });
  }

  async #step(step: Step, what: string): Promise<void> {
    const [engine, queue] = [this.#engine, this.#queue];
    if ("wait" in step) this.#clock.advance(step.wait * 1000);
    else if ("send" in step) {
      const delay = step.delay === undefined ? {} : { delayMs: step.delay * 1000 };
      await engine.send(
        queue,
        step.send.map((name) => ({ ...messageOf(name), ...delay })),
      );
    } else if ("sendOnce" in step) {
      const [sent] = await engine.send(queue, [{ ...messageOf(step.sendOnce), deduplicationId: step.id }]);
      expect(sent?.isDuplicate, what).toBe(step.isDuplicate);
    } else if ("receive" in step) {
      const timeout = step.timeout === undefined ? {} : { visibilityTimeoutMs: step.timeout * 1000 };
      const received = await engine.receive(queue, { messagesMax: step.max ?? 10, waitMs: 0, ...timeout });
      this.#note(received);
      expect(received.map(nameOf), what).toEqual(step.receive);
    } else if ("receiveDead" in step) {
      const received = await engine.receive(this.#dead, { messagesMax: 10, waitMs: 0 });
      this.#note(received);
      expect(received.map(nameOf), what).toEqual(step.receiveDead);
    } else await this.#look(step, what);
  }

  async #look(step: Step, what: string): Promise<void> {
    const [engine, queue] = [this.#engine, this.#queue];
    if ("acknowledge" in step) {
      const outcomes = await engine.acknowledge(queue, step.acknowledge.map(this.#receipt));
      expect(outcomes, what).toEqual(step.acknowledge.map(() => step.outcome ?? "ok"));
    } else if ("extend" in step) {
      const items = step.extend.map((name) => ({ receipt: this.#receipt(name), visibilityTimeoutMs: step.to * 1000 }));
      expect(await engine.extend(queue, items), what).toEqual(step.extend.map(() => step.outcome ?? "ok"));
    } else if ("giveBack" in step) {
      const items = step.giveBack.map((name) => ({ receipt: this.#receipt(name), delayMs: (step.delay ?? 0) * 1000 }));
      expect(await engine.giveBack(queue, items), what).toEqual(step.giveBack.map(() => step.outcome ?? "ok"));
    } else if ("counts" in step) {
      const { waiting, delayed, inFlight, oldestAt } = await engine.figures(queue);
      expect([waiting, delayed, inFlight], what).toEqual(step.counts);
      expect(oldestAt !== undefined, what).toBe(waiting + delayed + inFlight > 0);
    } else if ("receiveCount" in step) {
      for (const [name, count] of Object.entries(step.receiveCount)) {
        expect(this.#last.get(name)?.receiveCount, what).toBe(count);
      }
    } else if ("purge" in step) expect(await engine.purge(queue), what).toEqual({ purged: step.purge });
    else if ("redrive" in step)
      expect(await engine.redrive(this.#dead, queue, 100), what).toEqual({ moved: step.redrive });
  }

  #note(messages: readonly ReceivedMessage[]): void {
    for (const message of messages) {
      const name = nameOf(message);
      this.#last.set(name, message);
      this.#receipts.set(name, [...(this.#receipts.get(name) ?? []), message.receipt]);
    }
  }

  #receipt = (name: string): string => {
    const [message = "", n] = name.split("#");
    return this.#receipts.get(message)?.at(n === undefined ? -1 : Number(n) - 1) ?? "nonsense";
  };
}

function messageOf(name: string) {
  const [body = "", groupId] = name.split(":").reverse();
  return { body, isText: true, groupId };
}

const nameOf = ({ body, groupId }: { body: string; groupId: string | undefined }): string =>
  groupId === undefined ? body : `${groupId}:${body}`;

describe("as SQS FIFO", () => {
  for (const scenario of SCENARIOS) {
    it(scenario.name, () => new Player(scenario).play(false));
    it(`${scenario.name} (a new process for every step)`, () => new Player(scenario).play(true));
  }
});
