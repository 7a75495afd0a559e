import { execFile } from "node:child_process";
import path from "node:path";
import pino from "pino";
import { expect, it } from "vitest";
import { createQueueEngine } from "../../../server/cloud/data/queue-log/create-queue-engine";
import { MemoryCounters } from "../../../server/engines/counters/memory-counters";
import { ManualClock, systemClock } from "../../../server/kernel/clock";
import { newId } from "../../../server/kernel/ids";
import { openForFile } from "../../factories/open-for-file";
import { testDatabase } from "../../factories/postgres";
import { testProgram } from "../../factories/test-program";

/** The first round's turns are a send, a receive, an acknowledgement and a return; the second's come after them. */
const TURNS = [1, 2, 3, 4, 6, 7];
const MOMENTS = ["before", "during", "after"];

interface Note {
  what: "sending" | "sent" | "received" | "acknowledging" | "acknowledged";
  names: string[];
}

const database = await openForFile(testDatabase());
const program = await testProgram(path.join(import.meta.dirname, "queue-process.ts"));

/** What a process wrote down until it killed itself. */
function runToDeath(args: readonly string[]): Promise<Note[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, database.url, ...args], (failure, stdout, stderr) => {
      if (failure?.signal !== "SIGKILL") reject(new Error(`It ended otherwise: ${failure?.message} ${stderr}`));
      else
        resolve(
          stdout
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Note),
        );
    });
  });
}

/** Receives and acknowledges everything, after the end of all leases. */
async function drain(queueId: string): Promise<Note[]> {
  const clock = new ManualClock(new Date("2027-01-01T00:00:00Z"));
  const counters = new MemoryCounters(systemClock);
  const engine = createQueueEngine({ sql: database.sql, clock, counters, log: pino({ level: "silent" }) });
  const queue = { id: queueId, visibilityTimeoutMs: 30_000, retentionMs: 86_400_000_000, maxReceives: 1_000_000 };
  const notes: Note[] = [];
  for (;;) {
    const messages = await engine.receive(queue, { messagesMax: 7, waitMs: 0 });
    if (messages.length === 0) break;
    const names = messages.map(({ body }) => body);
    notes.push({ what: "received", names }, { what: "acknowledging", names }, { what: "acknowledged", names });
    await engine.acknowledge(
      queue,
      messages.map(({ receipt }) => receipt),
    );
  }
  expect(await engine.figures(queue)).toEqual({ waiting: 0, delayed: 0, inFlight: 0, oldestAt: undefined });
  await engine.stop();
  return notes;
}

const orderOf = (name: string): number =>
  (/\d+\.\d+\.\d+/.exec(name)?.[0] ?? "").split(".").reduce((sum, part) => sum * 1000 + Number(part), 0);

it("kill -9 at each step of send, receive and acknowledge loses nothing, repeats nothing acknowledged, keeps order", async () => {
  const queueId = newId("que", Date.now());
  const notes: Note[] = [];
  let run = 0;
  for (const turn of TURNS) {
    for (const moment of MOMENTS) notes.push(...(await runToDeath([queueId, `${run++}`, `${turn}`, moment])));
  }
  notes.push(...(await drain(queueId)));

  const namesOf = (what: Note["what"]) =>
    new Set(notes.filter((note) => note.what === what).flatMap(({ names }) => names));
  const received = namesOf("received");
  for (const name of namesOf("sent")) expect(received, name).toContain(name);
  for (const name of received) expect(namesOf("sending"), name).toContain(name);

  const acknowledged = new Set<string>();
  const maybeAcknowledged = new Set<string>();
  for (const { what, names } of notes) {
    if (what === "acknowledging") for (const name of names) maybeAcknowledged.add(name);
    if (what === "acknowledged") for (const name of names) acknowledged.add(name);
    if (what !== "received") continue;
    for (const [i, name] of names.entries()) {
      expect(acknowledged, `${name} was acknowledged before`).not.toContain(name);
      const earlier = [...received].filter((one) => one[0] === name[0] && orderOf(one) < orderOf(name));
      const missing = earlier.filter((one) => !maybeAcknowledged.has(one) && !names.slice(0, i).includes(one));
      expect(missing, `came after ${name}`).toEqual([]);
    }
  }
  expect(notes.filter(({ what }) => what === "acknowledged").length).toBeGreaterThan(TURNS.length);
}, 600_000);
