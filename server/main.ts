import { readConfig } from "./config";
import { startServer } from "./start-server";

try {
  const running = await startServer(readConfig());
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
} catch (failure) {
  process.stderr.write(`svc: ${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exit(1);
}
