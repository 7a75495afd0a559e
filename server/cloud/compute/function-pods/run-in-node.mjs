// What runs a function in Node.js: reads the code from the first line of standard input, then answers one call a line on
// file descriptor 3. Its first two descriptors are standard error, so that nothing that the code starts can answer.
import { mkdtempSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { format } from "node:util";

const LOG_CHARACTERS_MAX = 65536;
const LEVELS = { debug: "debug", trace: "debug", log: "info", info: "info", warn: "warn", error: "error" };
let call = { room: 0, logs: [] };

const add = (level, text) => {
  if (call.room <= 0) return;
  const kept = text.slice(0, call.room);
  call.room -= kept.length + 1;
  call.logs.push({ at: new Date().toISOString(), level, text: kept });
};
for (const [name, level] of Object.entries(LEVELS)) console[name] = (...values) => add(level, format(...values));
for (const [stream, level] of [
  [process.stdout, "info"],
  [process.stderr, "error"],
]) {
  stream.write = (chunk, encoding, done) => {
    add(level, String(chunk).replace(/\n$/, ""));
    const after = typeof encoding === "function" ? encoding : done;
    if (after) process.nextTick(after);
    return true;
  };
}

const answer = (value) => {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(3, bytes, sent);
};

const errorOf = (cause) => {
  const isError = cause instanceof Error;
  const message = isError ? `${cause.name}: ${cause.message}` : String(cause);
  return { message: message.slice(0, 2000), stack: isError ? String(cause.stack ?? "").slice(0, 4000) : null };
};

async function load({ code, entry }) {
  // Without an image the temporary folder is the node's; the folder of the workload goes with it.
  const folder = mkdtempSync(path.join(process.env.SVC_WORKLOAD ?? tmpdir(), "function-"));
  const file = path.join(folder, "main.mjs");
  writeFileSync(file, code);
  const exported = await import(pathToFileURL(file).href);
  if (typeof exported[entry] !== "function") throw new Error(`the code exports no function named ${entry}`);
  return exported[entry];
}

async function outcomeOf(run, { payload, context }) {
  call = { room: LOG_CHARACTERS_MAX, logs: [] };
  const { logs } = call;
  try {
    return { logs, result: JSON.stringify(await run(payload, context)) ?? "null" };
  } catch (cause) {
    return { logs, error: errorOf(cause) };
  }
}

let run;
for await (const line of createInterface({ input: process.stdin })) {
  const sent = JSON.parse(line);
  if (run) {
    answer(await outcomeOf(run, sent));
    continue;
  }
  try {
    run = await load(sent);
    answer({ loaded: true });
  } catch (cause) {
    answer({ loaded: false, error: errorOf(cause) });
  }
}
process.exit(0);
