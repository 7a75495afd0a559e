import { readConfig } from "../../../server/config";
import { startServer } from "../../../server/start-server";
import { withFixtures } from "./fixtures";

/** svc without its pages, whose endpoint for agents has the fixtures of the conformance suite. */
const running = await startServer(readConfig(), {
  replaceAgentHandlers: withFixtures,
  openPages: async () => ({
    listener: (_incoming, outgoing) => outgoing.writeHead(404).end(),
    close: async () => undefined,
  }),
});
process.on("SIGTERM", () => {
  running.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
process.send?.({ ready: true });
