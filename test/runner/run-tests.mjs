import { fork } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { LISTED_FROM_SECONDS } from "./lanes.mjs";
import { Results } from "./results.mjs";
import { startEngines } from "./shared-engines.mjs";
import { beginRun } from "./test-run.mjs";

const LANES = ["0", "1"];
const RECORD = "--record-durations";
const KILLED_AFTER_MS = 10_000;
const require = createRequire(import.meta.url);

/**
 * Runs tests as two runs of vitest beside each other on the same engines, then each file that failed once more, alone.
 * `args` are options of vitest, and `--record-durations`, which writes how long the longer files took to test/durations.json.
 * Prints the verdict, whose last line is `N passed, N failed` (`, N skipped`), and resolves to the exit code.
 */
export async function runTests({ rootDir, args, print, withEngines = true }) {
  const given = args.filter((arg) => arg !== RECORD);
  const results = new Results();
  const run = await beginRun({ rootDir, print });
  const runs = openRuns({ rootDir, args: given, results });
  const interrupted = onInterrupt(runs.stop);
  let stopEngines = async () => undefined;
  try {
    if (withEngines) stopEngines = await startEngines({ rootDir });
    await Promise.all(LANES.map((lane) => runLane(runs, results, { SVC_TEST_LANE: lane })));
    for (const key of runs.isStopped() ? [] : results.toLookAtAgain()) {
      print(`${key} failed: it runs once more`);
      results.lookAgain(key);
      await runLane(runs, results, { SVC_TEST_ONLY: JSON.stringify([key]) });
    }
  } catch (failure) {
    results.fail(failure instanceof Error ? failure.message : String(failure));
  } finally {
    await stopEngines();
  }
  if (runs.isStopped()) results.fail("the run was interrupted");
  const verdict = results.verdict({ needsFiles: !given.includes("--passWithNoTests") });
  for (const line of await run.end()) print(`left behind by this run: ${line}`);
  interrupted.ignore();
  if (args.includes(RECORD)) record(rootDir, results.seconds());
  process.stdout.write(`\n${verdict.lines.join("\n")}\n`);
  return verdict.isPassed ? 0 : 1;
}

/** Until every planned file has a result: a lost worker takes the files after it along. */
async function runLane(runs, results, env) {
  const first = await runs.start(env);
  if (first.planned.length === 0 && first.code !== 0) results.fail(`vitest ended with ${first.code}`);
  let open = results.withoutResult(first.planned);
  let began = first.began;
  while (open.length > 0 && !runs.isStopped()) {
    const lost = open.find((key) => began.includes(key));
    if (lost === undefined) return results.fail(`vitest ended with ${first.code} before ${open[0]}`);
    results.lost(lost);
    open = open.filter((key) => key !== lost);
    if (open.length === 0) return;
    ({ began } = await runs.start({ ...env, SVC_TEST_ONLY: JSON.stringify(open) }));
    open = results.withoutResult(open);
  }
}

function openRuns({ rootDir, args, results }) {
  const children = new Set();
  let isStopped = false;
  const reporters = args.some((arg) => arg.startsWith("--reporter")) ? [] : ["--reporter=default"];
  const options = [...reporters, `--reporter=${path.join(import.meta.dirname, "result-reporter.mjs")}`];
  const start = (env) =>
    new Promise((resolve) => {
      const said = { planned: [], began: [] };
      const child = fork(
        path.join(path.dirname(require.resolve("vitest/package.json")), "vitest.mjs"),
        ["run", ...args, ...options, "--passWithNoTests"],
        { cwd: rootDir, env: { ...process.env, ...env }, stdio: "inherit", execArgv: [] },
      );
      children.add(child);
      if (isStopped) child.kill();
      child.on("message", (message) => {
        if (message.type === "planned") said.planned = message.keys;
        if (message.type === "began") said.began.push(message.key);
        if (message.type === "ended") results.add(message.key, message.result);
        if (message.type === "unhandled") results.unhandled(message.errors);
      });
      child.once("error", (error) => results.fail(error.message));
      child.once("close", (code, signal) => {
        children.delete(child);
        resolve({ ...said, code: code ?? signal });
      });
    });
  const stop = () => {
    isStopped = true;
    for (const child of children) {
      child.kill();
      setTimeout(() => child.kill("SIGKILL"), KILLED_AFTER_MS).unref();
    }
  };
  return { start, stop, isStopped: () => isStopped };
}

function onInterrupt(stop) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, stop);
  const ignore = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  return { ignore };
}

function record(rootDir, seconds) {
  const file = path.join(rootDir, "test/durations.json");
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const all = Object.entries({ ...before, ...seconds }).filter(
    ([name, took]) => took >= LISTED_FROM_SECONDS && existsSync(path.join(rootDir, name)),
  );
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`);
}
