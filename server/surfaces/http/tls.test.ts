import { once } from "node:events";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { connect, type SecureVersion } from "node:tls";
import { afterAll, describe, expect, it } from "vitest";
import { CERT, makeTlsFiles } from "../../../test/factories/tls-files";
import { createHttpServer } from "./create-server";

let port: number;
const tls = makeTlsFiles();
const made = createHttpServer({
  tls,
  publicUrl: "https://localhost",
  allowedHosts: [],
  log: { error: () => undefined, info: () => undefined },
});
made.serve({ direct: [], pages: (_, outgoing) => void outgoing.end("a page"), clientAddress: () => "127.0.0.1" });
const server = made.server.listen(0, "127.0.0.1");
await once(server, "listening");
({ port } = server.address() as AddressInfo);
afterAll(() => {
  server.close().closeAllConnections();
  tls.remove();
});

/** The version that both sides agree on; fails as the handshake does. */
function handshake(maxVersion: SecureVersion): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", ca: CERT, minVersion: "TLSv1.2", maxVersion }, () => {
      resolve(socket.getProtocol());
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

describe("when svc itself terminates TLS", () => {
  it("rejects a handshake of TLS 1.2 and accepts one of TLS 1.3", async () => {
    await expect(handshake("TLSv1.2")).rejects.toMatchObject({ code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
    expect(await handshake("TLSv1.3")).toBe("TLSv1.3");
  });

  it("sends Strict-Transport-Security for two years, and the request id", async () => {
    const [answer] = await once(request({ port, host: "127.0.0.1", ca: CERT }).end(), "response");
    expect(answer.headers).toMatchObject({
      "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
      "x-request-id": expect.stringMatching(/^req_[0-9a-f]{24}$/),
    });
  });
});
