// Loaded before the module of the tenant: `console` then adds to the logs of the call that runs.
import { AsyncLocalStorage } from "node:async_hooks";

const running = new AsyncLocalStorage();
const LEVELS = { debug: "debug", trace: "debug", log: "info", info: "info", warn: "warn", error: "error" };

for (const [name, level] of Object.entries(LEVELS)) {
  console[name] = (...values) => {
    const call = running.getStore();
    if (call === undefined || call.room <= 0) return;
    const text = values.map((value) => textOf(value)).join(" ");
    const kept = text.slice(0, call.room);
    call.room -= kept.length + 1;
    call.add({ at: new Date().toISOString(), level, text: kept });
  };
}

// Passes each line of `run` to `add`, up to `room` characters.
export const collect = ({ room, add }, run) => running.run({ room, add }, run);

function textOf(value) {
  if (typeof value === "string") return value;
  if (value instanceof Error) return value.stack ?? String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
