// Runs the ClickHouse server of chdb's library in a process of its own.
//   node sidecar.mjs <absolute data dir> <http port> [arguments of clickhouse-local]
// Run it only as a child with a stdin pipe: it ends as soon as stdin ends, so a killed parent leaves no orphan.
import { createRequire } from "node:module";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { repairDeduplication } from "./repair-deduplication.mjs";

const PACKAGES = {
  "linux-x64": "@chdb/lib-linux-x64-gnu",
  "linux-arm64": "@chdb/lib-linux-arm64-gnu",
  "darwin-x64": "@chdb/lib-darwin-x64",
  "darwin-arm64": "@chdb/lib-darwin-arm64",
};

// The engine ends with its last query, so the second query keeps it alive for about 126 years. By default the engine
// looks 10 times a second whether that query has a result or progress to show.
const SERVE =
  "SYSTEM START LISTEN HTTP; SELECT sleepEachRow(1) FROM numbers(4000000000) " +
  "SETTINGS max_block_size = 1, interactive_delay = 60000000 FORMAT Null";

/** Exits with a sentence for the parent; allowed only before the engine is loaded. */
const exitWith = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(65);
};

// SIGKILL, because exit() hangs while the engine's thread runs; acknowledged parts are already in place.
const stop = () => process.kill(process.pid, "SIGKILL");

function libraryFile() {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  // Without this the report would resolve the host name of each open connection.
  process.report.excludeNetwork = true;
  const musl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
  if (!name || musl) {
    exitWith(
      `The embedded ClickHouse does not run on ${process.platform}-${process.arch}${musl ? " with musl" : ""}; set CLICKHOUSE_URL to a server.`,
    );
  }
  try {
    // Resolved from chdb, so that the version is the one that chdb pins.
    const fromChdb = createRequire(createRequire(import.meta.url).resolve("chdb"));
    return path.join(path.dirname(fromChdb.resolve(`${name}/package.json`)), "libchdb.so");
  } catch {
    return exitWith(
      `The package ${name} is not installed; run npm install with optional dependencies, or set CLICKHOUSE_URL to a server.`,
    );
  }
}

/** Resolves when the engine ends, which does not happen in normal use. */
function serve(dir, port, extra) {
  const args = [
    "clickhouse-local",
    `--path=${dir}`,
    "--listen_host=127.0.0.1",
    `--http_port=${port}`,
    ...extra,
    `--query=${SERVE}`,
  ];
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("sidecar-engine.mjs", import.meta.url), {
      workerData: { library: libraryFile(), args, dir, port: Number(port) },
      trackUnmanagedFds: false,
    });
    thread.once("error", reject).once("exit", resolve);
  });
}

const [dir, port, ...extra] = process.argv.slice(2);
if (!dir || !path.isAbsolute(dir) || !/^\d+$/.test(port ?? "")) {
  exitWith("usage: node sidecar.mjs <absolute data dir> <http port> [arguments of clickhouse-local]");
}
process.stdin.resume();
process.stdin.on("end", stop).on("close", stop).on("error", stop);
// A signal to the whole group must not stop the engine before the server has flushed its data to it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

try {
  repairDeduplication(dir);
  await serve(dir, port, extra);
} catch (cause) {
  process.stderr.write(`${cause}\n`);
}
// The engine never returns in normal use; it has already written its own error to stderr.
stop();
