import { readConfig } from "./config";
import { startServer } from "./start-server";

/** npm passes on the Ctrl-C that the terminal has already sent to everybody, so one key press arrives twice. */
const SAME_WISH_MS = 500;

const wish = new AbortController();
let wishedAt = 0;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (wish.signal.aborted && signal === "SIGINT" && performance.now() - wishedAt > SAME_WISH_MS) process.exit(130);
    if (wish.signal.aborted) return;
    wishedAt = performance.now();
    wish.abort();
  });
}

try {
  const running = await startServer(readConfig(), { signal: wish.signal });
  if (!wish.signal.aborted) await new Promise((resolve) => wish.signal.addEventListener("abort", resolve));
  await running.stop();
  process.exit(0);
} catch (failure) {
  // A start that was given up on request and left nothing behind is no failure.
  if (wish.signal.aborted && failure === wish.signal.reason) process.exit(0);
  process.stderr.write(`svc: ${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exit(1);
}
