import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import net from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { openSession } from "../../server/identity/sessions/open-session";
import { scopesOfRole } from "../../server/operation/actor";
import { createPortsSurface } from "../../server/surfaces/ports/create-ports-surface";
import { eventually, TEST_REQUEST, uncountedPipeline } from "../factories/app";
import { programLayer, shellLayer } from "../factories/image-layers";
import { type PodClient, type PodScene, podScene } from "../factories/pod-scene";
import { HTTP_SERVER, imageWithPerl, servePorts } from "../factories/pod-server";
import { CERT, makeTlsFiles } from "../factories/tls-files";

const [shell, perl] = [await shellLayer(), await programLayer(["perl"])];
const scene = typeof shell === "string" ? shell : typeof perl === "string" ? perl : await podScene();
const JSON_TYPE = "Content-Type: application/json";
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";

describe.skipIf(skipped)(`a server in a pod${skipped}`, () => {
  const { test, registry, client: newClient, close } = scene as PodScene;
  let client: PodClient & { tenantId: string };
  let pod: Pod;
  let svc: Awaited<ReturnType<typeof servePorts>>;
  beforeAll(async () => {
    const image = await imageWithPerl(registry, shell as { bytes: Buffer });
    client = await newClient();
    svc = await servePorts(test);
    const command = ["/bin/sh", "-c", 'exec perl -e "$SERVER"'];
    pod = await client.create({ image, command, env: { SERVER: HTTP_SERVER }, ports: [8080, 9000], memory_mb: 128 });
    await client.until(pod.id, "ready");
    await client.said(pod.id, "serving");
  });
  afterAll(async () => {
    svc?.stop();
    await close();
  });

  const pathOf = (path: string, port = 8080) => `/v1/pods/${pod.id}/ports/${port}${path}`;
  interface Asked {
    method?: string;
    key?: string;
    headers?: http.OutgoingHttpHeaders;
  }
  const open = (path: string, { method = "GET", key = client.key, headers = {} }: Asked = {}) =>
    http.request({
      port: svc.port,
      host: "127.0.0.1",
      method,
      path,
      agent: false,
      headers: { host: `localhost:${svc.port}`, ...(key && { authorization: `Bearer ${key}` }), ...headers },
    });
  const responseOf = async (request: http.ClientRequest): Promise<IncomingMessage> => {
    const [response] = await once(request, "response");
    return response;
  };
  async function ask(path: string, asked: Asked & { body?: string } = {}) {
    const response = await responseOf(open(path, asked).end(asked.body));
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }
  const errorOf = async (path: string, asked?: Asked) => {
    const { status, body } = await ask(path, asked);
    return [status, JSON.parse(body).error.details?.reason ?? JSON.parse(body).error.code];
  };
  /** Everything that svc sends to raw bytes until the connection ends, or until it contains `until`. */
  async function raw(bytes: string, until?: string): Promise<string> {
    const socket = net.connect(svc.port, "127.0.0.1");
    socket.write(bytes, "latin1");
    let received = "";
    for await (const chunk of socket) {
      received += (chunk as Buffer).toString("latin1");
      if (until !== undefined && received.includes(until)) break;
    }
    return received;
  }
  const head = (line: string, ...headers: string[]) =>
    [line, `Host: localhost:${svc.port}`, `Authorization: Bearer ${client.key}`, ...headers, "", ""].join("\r\n");

  it("receives the method, path, query and body, and no credential of svc", async () => {
    expect(pod.ports).toEqual([
      { port: 8080, url: `${test.config.publicUrl}${pathOf("/")}` },
      { port: 9000, url: `${test.config.publicUrl}${pathOf("/", 9000)}` },
    ]);
    const { status, headers, body } = await ask(pathOf("/a%2Fb/../c?d=e&d=f"), {
      method: "PUT",
      body: "the body",
      headers: {
        cookie: "svc_session=secret",
        "x-forwarded-for": "10.0.0.1",
        forwarded: "for=10.0.0.1",
        "x-own": "kept",
        "x-svc-api-key": "svc_srv_secret",
        connection: "close, x-hop",
        "x-hop": "dropped",
        te: "trailers",
      },
    });
    expect([status, body.split("\r\n")[0], body.split("\r\n\r\n")[1]]).toEqual([
      200,
      "PUT /a%2Fb/../c?d=e&d=f HTTP/1.1",
      "the body",
    ]);
    expect(body).toMatch(/^x-own: kept\r$/im);
    expect(body).toMatch(/^Host: localhost:8080\r$/im);
    expect(body).toMatch(/^X-Forwarded-For: 192\.0\.2\.1\r$/im);
    expect(body).toMatch(new RegExp(`^X-Forwarded-Prefix: ${pathOf("")}\r$`, "im"));
    for (const absent of ["svc_session", "authorization", client.key, "10.0.0.1", "svc_srv", "x-hop", "trailers"])
      expect(body.toLowerCase()).not.toContain(absent.toLowerCase());
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox allow-scripts allow-forms",
    });
    expect((await ask(pathOf("?x"))).body).toMatch(/^GET \/\?x HTTP/);
    expect((await ask(pathOf("/none"), { method: "POST" })).body).toMatch(/^Content-Length: 0\r$/im);
  });

  it("sends and receives as the bytes arrive", async () => {
    const request = open(pathOf("/"), { method: "POST", headers: { expect: "100-continue" } });
    request.flushHeaders();
    await once(request, "continue");
    request.write("first");
    const response = await responseOf(request);
    let received = "";
    response.on("data", (bytes) => {
      received += bytes;
    });
    await eventually(() => received.includes("first"));
    request.write("second");
    await eventually(() => received.includes("second"));
    const ended = once(response, "end");
    request.end();
    await ended;
  });

  it("sends no header that acts on the origin of svc, and redirects within itself", async () => {
    const { headers } = await ask(pathOf("/hostile"));
    expect(headers["x-own"]).toBe("kept");
    expect(headers["content-security-policy"]).toContain("sandbox allow-scripts allow-forms");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    const removed = ["set-cookie", "clear-site-data", "service-worker-allowed", "strict-transport-security", "alt-svc"];
    for (const name of [...removed, "nel", "report-to"]) expect(headers).not.toHaveProperty(name);
    expect((await ask(pathOf("/redirect"))).headers.location).toBe(pathOf("/there?a=b"));
  });

  it("is 503 if it sends no valid response, and breaks off what it breaks off", async () => {
    for (const path of ["/garbage", "/two-lengths", "/long"])
      expect(await errorOf(pathOf(path))).toEqual([503, "port_failed"]);
    await expect(ask(pathOf("/short"))).rejects.toThrow("aborted");
  });

  it("notices that its client has gone", async () => {
    const request = open(pathOf("/hang")).on("error", () => undefined);
    request.end();
    await client.said(pod.id, "hangs");
    request.destroy();
    await client.said(pod.id, "gone");
  });

  it("gets a connection of its own for a WebSocket, or refuses it", async () => {
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];
    const tunnel = await raw(`${head(`GET ${pathOf("/socket")} HTTP/1.1`, ...upgrade)}early bytes`, "early bytes");
    expect(tunnel).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    expect(tunnel).not.toMatch(/set-cookie/i);
    const refused = await raw(head(`GET ${pathOf("/refuse")} HTTP/1.1`, ...upgrade));
    expect(refused).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const closed = await raw(head(`GET ${pathOf("/socket", 9000)} HTTP/1.1`, ...upgrade));
    expect(closed).toMatch(/^HTTP\/1\.1 503 [\s\S]*"port_closed"/);
    const page = head("GET /page HTTP/1.1", ...upgrade);
    const served = await raw(`${page}${head(`GET /next HTTP/1.1`, "Connection: close")}`);
    expect(served).toMatch(/page GET \/page[\s\S]*page GET \/next/);
    const h2c = head("POST /v1/pods HTTP/1.1", "Connection: Upgrade", "Upgrade: h2c", "Content-Length: 2", JSON_TYPE);
    expect(await raw(`${h2c}{}`, "}}")).toMatch(/^HTTP\/1\.1 400 [\s\S]*"param":"image"/);
  });

  it("is upgraded over TLS too, and a connection or a response without traffic ends after the limit", async () => {
    const actor = { kind: "person", tenantId: client.tenantId, userId: "u", sessionId: "s", role: "owner" } as const;
    const ports = createPortsSurface({
      pipeline: uncountedPipeline(test),
      publicUrl: test.config.publicUrl,
      log: pino({ level: "silent" }),
      authenticate: async () => ({ ...actor, scopes: scopesOfRole("owner") }),
      session: async () => undefined,
      stopping: new AbortController().signal,
      idleMs: 1000,
    });
    const files = makeTlsFiles();
    const secure = await servePorts(test, { tls: files, ports });
    const to = { port: secure.port, host: "127.0.0.1", ca: CERT, headers: { host: `localhost:${secure.port}` } };
    const authorization = `Bearer ${client.key}`;
    const waiting = https.get({ ...to, path: pathOf("/hang"), headers: { ...to.headers, authorization } });
    const late = responseOf(waiting).then(async (response) => [response.statusCode, JSON.parse(await text(response))]);
    const upgrade = { authorization, connection: "Upgrade", upgrade: "websocket" };
    const asked = https.get({ ...to, path: pathOf("/socket"), headers: { ...to.headers, ...upgrade } });
    const [response, socket] = (await once(asked, "upgrade")) as [IncomingMessage, Duplex];
    expect(response.statusCode).toBe(101);
    socket.write("over TLS");
    expect(String((await once(socket, "data"))[0])).toBe("over TLS");
    await once(socket, "close");
    expect(await late).toMatchObject([503, { error: { details: { reason: "port_timeout" } } }]);
    secure.stop();
    files.remove();
  });

  it("cannot be reached by others, on other ports, or where nothing listens", async () => {
    const other = await newClient();
    expect(await errorOf(pathOf("/"), { key: other.key })).toEqual([404, "not_found"]);
    expect(await errorOf(pathOf("/"), { key: "" })).toEqual([401, "unauthorized"]);
    expect(await errorOf(pathOf("/", 8081))).toEqual([409, "port_not_declared"]);
    expect(await errorOf(pathOf("/", 70_000))).toEqual([409, "port_not_declared"]);
    expect(await errorOf("/v1/pods/x%00/ports/1")).toEqual([400, "invalid_request"]);
    expect(await errorOf(pathOf("/", 9000))).toEqual([503, "port_closed"]);
  });

  it("receives exactly the requests that svc received", async () => {
    const both = head(`POST ${pathOf("/")} HTTP/1.1`, "Content-Length: 5", "Transfer-Encoding: chunked");
    expect(await raw(`${both}0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    const chunked = head(`GET ${pathOf("/")} HTTP/1.1`, "Transfer-Encoding: chunked", "Connection: close");
    const got = await raw(`${chunked}5\r\nGET /\r\n0\r\n\r\n`);
    expect(got).toMatch(/Transfer-Encoding: chunked\r\n[\s\S]*5\r\nGET \/\r\n0\r\n\r\n/i);
    const split = head(`GET ${pathOf("/")} HTTP/1.1`, "X-A: b\rX-Injected: c", "Connection: close");
    expect(await raw(split)).toMatch(/^HTTP\/1\.1 400 /);
    const absolute = head(`GET http://localhost:${svc.port}${pathOf("/x")} HTTP/1.1`, "Connection: close");
    expect(await raw(absolute)).toContain("\r\nGET /x HTTP/1.1\r\n");
    const up = head(`GET ${pathOf("/../../../../v1/pods")} HTTP/1.1`, "Connection: close");
    expect(await raw(up)).toContain("\r\nGET /../../../../v1/pods HTTP/1.1\r\n");
  });

  it("shows pages to a person who is logged in, and answers nothing else that a browser sends for them", async () => {
    const user = await test.app.cloud.db.user.findFirstOrThrow({
      where: { memberships: { some: { tenantId: client.tenantId } } },
    });
    const { cookie } = await openSession({ ...test.app.account, request: TEST_REQUEST }, user, client.tenantId);
    const visit = { cookie: cookie.split(";")[0], "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const { status, body } = await ask(pathOf("/page"), { key: "", headers: visit });
    expect([status, body.toLowerCase().includes("cookie")]).toEqual([200, false]);
    const refused = [401, "unauthorized"];
    expect(await errorOf(pathOf("/"), { key: "", method: "POST", headers: visit })).toEqual(refused);
    expect(await errorOf(pathOf("/"), { key: "", headers: { ...visit, "sec-fetch-dest": "iframe" } })).toEqual(refused);
    expect(await errorOf(pathOf("/"), { key: "", headers: { cookie: visit.cookie } })).toEqual(refused);
  });

  it("loses its WebSockets when svc stops", async () => {
    const socket = net.connect(svc.port, "127.0.0.1");
    socket.write(head(`GET ${pathOf("/socket")} HTTP/1.1`, "Connection: Upgrade", "Upgrade: websocket"));
    const [first] = await once(socket, "data");
    expect(String(first)).toMatch(/^HTTP\/1\.1 101 /);
    test.app.endWaits();
    await once(socket, "close");
  });

  it("is 409 once its pod is stopped", async () => {
    await client.call(`/${pod.id}/stop`, { method: "POST" });
    expect(await errorOf(pathOf("/"))).toEqual([409, "not_running"]);
  });
});
