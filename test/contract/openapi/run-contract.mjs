// Drives a running svc through prism by the documents that it serves, and lints them: `npm run contract`.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { createClient } from "./contract-client.mjs";
import { walkAccount, walkAds, walkOffers, walkRefusals } from "./walks.mjs";

/** From the registry for this run alone. It asks for Node 24.18 and was seen to run on 20.20. */
const PRISM = "@stoplight/prism-cli@5.16.0";
const READY_WITHIN_MS = 120_000;
/** Operations that do not go through prism, and why. */
const NOT_DRIVEN = {
  followClick: "prism follows the redirect itself; its 404 went through, and its 302 was looked at directly",
  verifyAdvertiserDomain: "its 200 needs a domain on the public network; its 409 went through",
  requestAdvertiserReview: "its 200 needs a verified domain; its 409 went through",
};
const DOCUMENTS = { offers: "/api/v1/openapi.json", platform: "/v1/openapi.json" };
const SETTINGS = path.join(import.meta.dirname, "../../api");
const require = createRequire(import.meta.url);

/** Prints its findings; resolves with whether there was none. */
export async function runContract({ rootDir, print }) {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-contract-"));
  const children = [];
  // Children are groups of their own and would outlive an interrupted run.
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => void Promise.all(children.map(stop)).finally(() => process.exit(1)));
  }
  try {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    children.push(startSvc({ rootDir, dir, port }));
    await until(`${url}/readyz`, "svc");
    const { documents, files } = await fetchDocuments({ url, dir });
    const linted = [];
    for (const [name, document] of Object.entries(documents)) {
      // Linters hold the address of a trial against it.
      const file = path.join(dir, `${name}.lint.json`);
      await writeFile(file, JSON.stringify(document).replaceAll(url, "https://svc.example"));
      linted.push(...(await lint(file, rootDir)));
    }
    const ports = await startPrism({ files, url, children });
    const shared = await keysOf(dir);
    const client = createClient({ documents, ports, shared });
    await walk({ ...client, shared, url });
    return report({ client, linted, print });
  } finally {
    await Promise.all(children.map(stop));
    await rm(dir, { recursive: true, force: true });
  }
}

async function walk(parts) {
  for (const step of [walkAccount, walkAds, walkOffers, walkRefusals]) await step(parts);
}

function report({ client: { operations, driven, statuses, faults }, linted, print }) {
  const left = [...operations.keys()].filter((id) => !driven.has(id) && !NOT_DRIVEN[id]);
  const stale = Object.keys(NOT_DRIVEN).filter((id) => driven.has(id) || !operations.has(id));
  const problems = [
    ...linted,
    ...faults,
    ...left.map((id) => `${id}: no walk drives it, and run-contract.mjs gives no reason`),
    ...stale.map((id) => `${id}: it is driven or gone; take it out of NOT_DRIVEN`),
  ];
  for (const problem of problems) print(problem);
  for (const [id, reason] of Object.entries(NOT_DRIVEN)) print(`${id}: not driven: ${reason}`);
  const answers = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`);
  const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  print(`${driven.size} of ${operations.size} operations driven, ${total} calls: ${answers.join(", ")}`);
  print(problems.length === 0 ? "no violation" : `${problems.length} problems`);
  return problems.length === 0;
}

function startSvc({ rootDir, dir, port }) {
  const env = {
    ...kept(),
    NODE_ENV: "production",
    LOG_LEVEL: "warn",
    SVC_DATA_DIR: path.join(dir, "data"),
    PORT: String(port),
  };
  return spawn(process.execPath, [path.join(rootDir, ".build/server/main.mjs")], {
    cwd: rootDir,
    env,
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
}

/** svc's settings come from here alone. */
const kept = () =>
  Object.fromEntries(
    ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"].flatMap((name) =>
      process.env[name] ? [[name, process.env[name]]] : [],
    ),
  );

async function keysOf(dir) {
  const { api, channel, dashboard } = JSON.parse(await readFile(path.join(dir, "data/demo.json"), "utf8"));
  return { bearer: api.live_key, channel: channel.server_key, project: api.project_id, ...dashboard };
}

async function fetchDocuments({ url, dir }) {
  const documents = {};
  const files = {};
  for (const [name, at] of Object.entries(DOCUMENTS)) {
    documents[name] = await (await fetch(url + at)).json();
    files[name] = path.join(dir, `${name}.json`);
    await writeFile(files[name], JSON.stringify(documents[name]));
  }
  return { documents, files };
}

/** What redocly holds against a document. */
async function lint(file, rootDir) {
  const redocly = path.join(path.dirname(require.resolve("@redocly/cli/package.json")), "bin/cli.js");
  const { code, said } = await outputOf(
    [redocly, "lint", file, "--config", path.join(SETTINGS, "redocly.yaml")],
    rootDir,
  );
  return code === 0 ? [] : [said];
}

function outputOf(args, cwd) {
  return new Promise((resolve) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", FORCE_COLOR: "0" };
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.on("exit", (code) => resolve({ code, said }));
  });
}

/** Two proxies a document: one holds requests and replies to it, one, for requests that are wrong on purpose, the replies. */
async function startPrism({ files, url, children }) {
  const ports = {};
  for (const [name, file] of Object.entries(files)) {
    const [both, replies] = [await freePort(), await freePort()];
    ports[name] = { both, replies };
    for (const [port, more] of [
      [both, []],
      [replies, ["--validate-request=false"]],
    ]) {
      const args = [
        "exec",
        "--yes",
        `--package=${PRISM}`,
        "--",
        "prism",
        "proxy",
        file,
        url,
        "--errors",
        "-p",
        String(port),
        "-v",
        "warn",
        ...more,
      ];
      // npm starts prism, so both are ended as one group.
      children.push(spawn("npm", args, { stdio: ["ignore", "ignore", "ignore"], detached: true }));
      await until(`http://127.0.0.1:${port}/`, PRISM);
    }
  }
  return ports;
}

/** Resolves at the first answer, whatever it says; from svc it must be a good one. */
async function until(address, name) {
  for (const giveUpAt = Date.now() + READY_WITHIN_MS; Date.now() < giveUpAt; ) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer && (answer.ok || name === PRISM)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${name} did not answer at ${address} within ${READY_WITHIN_MS / 1000} s.`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  return new Promise((resolve) => {
    child.once("exit", resolve);
    process.kill(-child.pid, "SIGTERM");
  });
}
