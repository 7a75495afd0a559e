// The entry point of every npm script: builds what is out of date, then runs the command.
import { spawn } from "node:child_process";
import path from "node:path";
import { build, rootDir } from "./build/build.mjs";

process.env.NEXT_TELEMETRY_DISABLED = "1";
const [command = "start", ...args] = process.argv.slice(2);
const print = (line) => process.stderr.write(`svc: ${line}\n`);
const terminal = process.stderr.isTTY ? process.stderr : undefined;

const commands = {
  async start() {
    process.env.NODE_ENV ??= "production";
    await build({ print, terminal });
    await import(path.join(rootDir, ".build/server/main.mjs"));
  },

  async dev() {
    process.env.SVC_DEV = "on";
    process.env.NODE_ENV = "development";
    await build({ print, pages: false });
    await import(path.join(rootDir, ".build/server/main.mjs"));
  },

  async db() {
    await build({ print, pages: false });
    await import(path.join(rootDir, ".build/server/cli.mjs"));
  },

  async test() {
    await build({ print, terminal });
    const { runTests } = await import(path.join(rootDir, "test/runner/run-tests.mjs"));
    process.exitCode = await runTests({ rootDir, args, print });
  },

  async verify() {
    if (args.includes("--counts")) {
      process.exitCode = await run(path.join(rootDir, "test/boundaries/count-tree.mjs"), []);
      return;
    }
    await build({ print, pages: false });
    const tests = [["unit tests", bin("vitest/vitest.mjs"), ["run", "--project", "unit"]]];
    const steps = [
      ["format and lint", bin("@biomejs/biome/bin/biome"), ["check", "--error-on-warnings", "."]],
      ["types", bin("typescript/bin/tsc"), ["--noEmit", "-p", "."]],
      ["boundaries and cycles", path.join(rootDir, "test/boundaries/check-boundaries.mjs"), []],
      ["words", path.join(rootDir, "test/boundaries/check-words.mjs"), []],
      ["generated files", path.join(rootDir, "test/boundaries/count-tree.mjs"), ["--check"]],
      ["dead code", bin("knip/bin/knip.js"), []],
      ["lock file", path.join(rootDir, "server/build/check-lock.mjs"), []],
      ["widget size", path.join(rootDir, "server/build/check-widget-size.mjs"), []],
      // `--no-tests` is for callers that run all tests separately.
      ...(args.includes("--no-tests") ? [] : tests),
    ];
    // They depend on nothing of each other; the types alone take as long as all others.
    const others = steps.filter(([name]) => name !== "types");
    // Next rewrites types while it builds pages, so `--pages` begins after the check of types.
    const types = steps.filter(([name]) => name === "types");
    const pages = args.includes("--pages") ? [["pages", () => build({ print, terminal }).then(() => 0)]] : [];
    let failedWith = 0;
    const work = async (own) => {
      for (let step = own.shift(); step && failedWith === 0; step = own.shift() ?? others.shift()) {
        const [name, program, programArgs] = step;
        const startedAt = Date.now();
        const code = await (typeof program === "function" ? program() : run(program, programArgs));
        print(`${name}: ${code === 0 ? "ok" : "FAILED"} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
        failedWith ||= code;
      }
    };
    await Promise.all([work([...types, ...pages]), work(others)]);
    if (failedWith !== 0) process.exit(failedWith);
  },

  async contract() {
    await build({ print });
    const { runContract } = await import(path.join(rootDir, "test/contract/openapi/run-contract.mjs"));
    if (!(await runContract({ rootDir, print }))) process.exitCode = 1;
  },

  async bench() {
    process.env.NODE_ENV ??= "production";
    const needsPages = args.length === 0 || args.includes("reports") || args.includes("rest");
    await build({ print, pages: needsPages });
    await import(path.join(rootDir, ".build/server/bench.mjs"));
  },
};
commands.svc = commands.db;

function bin(file) {
  return path.join(rootDir, "node_modules", file);
}

function run(program, programArgs) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...programArgs], { cwd: rootDir, stdio: "inherit" });
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

try {
  const chosen = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!chosen) throw new Error(`unknown command "${command}"; expected one of ${Object.keys(commands).join(", ")}`);
  await chosen();
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
