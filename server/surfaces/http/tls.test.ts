import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { connect, type SecureVersion } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpServer } from "./create-server";

/** Self-signed for localhost until 2126; only for tests. */
const CERT = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUVT1Y4SxSmAhjXz8uRIelCFCIOkUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEyNTMxOVoYDzIxMjYxMDI4
MTI1MzE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARJCYSsULRD8EKSDhkKp86qhtXyp1NYZxNh1agA03Tngfv940W86E6/
DDM/Md3dwJ0MEqOb9SW+gZaJ1KV7+y7Ao28wbTAdBgNVHQ4EFgQUdCNkYb8fnCKI
xSBUbR232DuRRWAwHwYDVR0jBBgwFoAUdCNkYb8fnCKIxSBUbR232DuRRWAwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgWFVMKMYy7ITn2Fl1WIpwsY4AiYU8f9zMi5aMx6M1FMMCIQD3
XXvsXOgzftDkJVRAp3poRu+6m78Ko94a1d02KMa0NQ==
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdTrXMwJ2bWVR3fNL
ttEHVXIs9CtvBVoItN9FJQr6S8OhRANCAARJCYSsULRD8EKSDhkKp86qhtXyp1NY
ZxNh1agA03Tngfv940W86E6/DDM/Md3dwJ0MEqOb9SW+gZaJ1KV7+y7A
-----END PRIVATE KEY-----
`;

let server: Server;
let port: number;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), "svc-tls-"));
  const [certFile, keyFile] = [path.join(dir, "cert.pem"), path.join(dir, "key.pem")];
  writeFileSync(certFile, CERT);
  writeFileSync(keyFile, KEY);
  const made = createHttpServer({
    tls: { certFile, keyFile },
    publicUrl: "https://localhost",
    allowedHosts: [],
    log: { error: () => undefined, info: () => undefined },
  });
  made.serve({ direct: [], pages: (_, outgoing) => void outgoing.end("a page"), clientAddress: () => "127.0.0.1" });
  server = made.server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close().closeAllConnections();
  rmSync(dir, { recursive: true });
});

/** The version that both sides agree on; fails as the handshake does. */
function handshake(maxVersion: SecureVersion): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...{ port, host: "127.0.0.1", ca: CERT }, minVersion: "TLSv1.2", maxVersion }, () => {
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
