// Stops the embedded Postgres after the server process that started or adopted it has ended: the watcher's standard
// input is a pipe from that process, which the kernel closes at any exit. A server that starts soon after takes
// Postgres over and writes its own token into the owner file; then this watcher exits.
//
//   node postgres-watcher.mjs <cluster folder> <owner file> <lock file> <token>
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { takeLock } from "../file-lock.mjs";
import { runningServer, stopServer } from "./server-pid.mjs";

// 1.5 + 1.5 s and the stop itself end well within the documented 5 s.
const ADOPTION_MS = 1500;
const GRACE_MS = 1500;
const POLL_MS = 20;

const [cluster = "", ownerFile = "", lockFile = "", token = ""] = process.argv.slice(2);

for await (const _ of process.stdin) {
  // Nothing is ever sent; the loop ends when the pipe closes.
}
const deadline = Date.now() + ADOPTION_MS;
while (isMine() && Date.now() < deadline) await sleep(POLL_MS);
while (isMine()) {
  // A starting server holds this lock until it owns Postgres or has failed, so nobody adopts a Postgres that is being
  // stopped.
  const lock = takeLock(lockFile);
  if (lock.taken) {
    const server = isMine() ? runningServer(cluster) : undefined;
    if (server) await stopServer(server, GRACE_MS);
    lock.release();
    break;
  }
  await sleep(POLL_MS);
}

function isMine() {
  try {
    return JSON.parse(readFileSync(ownerFile, "utf8")).token === token;
  } catch {
    return false;
  }
}
