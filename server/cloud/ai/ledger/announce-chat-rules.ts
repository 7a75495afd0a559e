import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Counters } from "../../../engines/counters/counters";
import { pause } from "../../../kernel/pause";
import { registeredProcesses } from "./chat-requests.sql";

/** The topic that carries the id of a project with a new budget or new settings to every process. */
const CHANGED = "cloud:chat_rules_changed";
/** The topic on which processes confirm it. */
const CONFIRMED = "cloud:chat_rules_confirmed";
/** A little longer than any process acts on what it knew before. */
const CONFIRMED_WITHIN_MS = 2100;

interface Change {
  id: string;
  projectId: string;
}

/**
 * Call it when a new budget or new settings are written: as every message of an operation, it is sent when that is
 * committed, and before it is answered. Never throws.
 */
export const announceChatRules = (counters: Pick<Counters, "publish">, projectId: string): Promise<void> =>
  counters.publish(CHANGED, JSON.stringify({ id: randomUUID(), projectId } satisfies Change)).catch(() => undefined);

interface Confirming {
  sql: Pool;
  counters: Counters;
}

/**
 * Counters whose `publish` resolves, for new chat rules, when the next chat request obeys them in every process. It waits
 * until each registered process has confirmed that it forgot what it knew of the project; for one that does not, because
 * it has just ended, is suspended or has lost Redis, it waits the two seconds for which what it knows is valid.
 */
export function confirmingChatRules(parts: Confirming): Counters {
  const publish: Counters["publish"] = (topic, message) =>
    topic === CHANGED ? obeyed(parts, JSON.parse(message)) : parts.counters.publish(topic, message);
  return new Proxy(parts.counters, {
    get: (counters, name) => {
      if (name === "publish") return publish;
      const value: unknown = Reflect.get(counters, name);
      return typeof value === "function" ? value.bind(counters) : value;
    },
  });
}

async function obeyed({ sql, counters }: Confirming, change: Change): Promise<void> {
  // Without Redis there is no other process, and this one's listeners run in the next turn.
  if (counters.engine === "memory") {
    await counters.publish(CHANGED, JSON.stringify(change));
    await new Promise((resolve) => setImmediate(resolve));
    return;
  }
  const ending = new AbortController();
  const late = pause(CONFIRMED_WITHIN_MS, ending.signal);
  await Promise.race([confirmedByAll({ sql, counters }, change, ending.signal).catch(() => late), late]);
  ending.abort();
}

async function confirmedByAll(
  { sql, counters }: { sql: Pool; counters: Pick<Counters, "publish" | "subscribe"> },
  change: Change,
  ending: AbortSignal,
): Promise<void> {
  const confirmed = new Set<string>();
  let look = () => {};
  const unsubscribe = await counters.subscribe(CONFIRMED, (message) => {
    const { id, processId } = JSON.parse(message);
    if (id !== change.id) return;
    confirmed.add(processId);
    look();
  });
  try {
    // After the commit: a process that registers later reads the new rules.
    const [processes] = await Promise.all([
      registeredProcesses(sql),
      counters.publish(CHANGED, JSON.stringify(change)),
    ]);
    await new Promise<void>((resolve) => {
      look = () => {
        if (processes.every((id) => confirmed.has(id))) resolve();
      };
      look();
      ending.addEventListener("abort", () => resolve());
    });
  } finally {
    await unsubscribe();
  }
}

/** Calls `onChange` for each announcement; returns a function that ends it. */
export const onChatRules = (
  counters: Pick<Counters, "subscribe">,
  onChange: (change: Change) => void,
): Promise<() => Promise<void>> => counters.subscribe(CHANGED, (message) => onChange(JSON.parse(message)));

/** Call it when the process has forgotten what it knew of the project. */
export const confirmChatRules = (
  counters: Pick<Counters, "publish">,
  { id }: Change,
  processId: string,
): Promise<void> => counters.publish(CONFIRMED, JSON.stringify({ id, processId }));
