import { pino } from "pino";
import { readConfig } from "../../server/config";
import { startServer } from "../../server/start-server";
import { createClientAddress } from "../../server/surfaces/http/client-address";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { startNext } from "../../server/surfaces/pages/pages";

/** svc as it is, and on a second port the same pages without the direct paths: there Next's route handlers answer. */
const config = readConfig();
const running = await startServer(config, {
  openPages: async (given, log) => {
    const pages = await startNext(given, log);
    const { server: indirect, serve } = createHttpServer({
      tls: undefined,
      publicUrl: config.publicUrl,
      allowedHosts: [],
      log: pino({ level: "silent" }),
    });
    serve({ direct: [], pages: pages.listener, clientAddress: createClientAddress([]) });
    await new Promise<void>((resolve) => indirect.listen(Number(process.env.INDIRECT_PORT), "127.0.0.1", resolve));
    const close = async () => {
      indirect.close();
      indirect.closeAllConnections();
      await pages.close();
    };
    return { listener: pages.listener, close };
  },
});
process.on("SIGTERM", () => void running.stop().then(() => process.exit(0)));
