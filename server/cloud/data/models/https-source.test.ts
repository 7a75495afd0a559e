import { randomBytes } from "node:crypto";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contentOf } from "../../../../test/factories/objects";
import { openHttpsSource } from "./https-source";

const file = randomBytes(300_000);
const never = new AbortController().signal;
/** What the server does wrong. */
let quirk: (request: http.IncomingMessage, response: http.ServerResponse) => boolean = () => false;
let requests: (string | undefined)[] = [];
let etag = '"1"';

const server = http.createServer((request, response) => {
  const { range } = request.headers;
  requests.push(range);
  if (quirk(request, response)) return;
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (request.url === "/plain" || first === undefined) return void response.end(file);
  const part = file.subarray(Number(first), Number(last) + 1);
  response.writeHead(206, { etag, "content-range": `bytes ${first}-${last}/${file.length}` }).end(part);
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.closeAllConnections());

const network = {
  resolve: async (host: string) => [host === "inside.example" ? "10.0.0.1" : "8.8.8.8"],
  connect: () => net.connect((server.address() as AddressInfo).port, "127.0.0.1"),
};

async function open(path = "/model", misbehave: typeof quirk = () => false) {
  requests = [];
  etag = '"1"';
  quirk = misbehave;
  return openHttpsSource(`https://models.example${path}`, { network, retryMs: 1 }, never);
}

it("reads ranges", async () => {
  const { size, read } = await open();
  expect(size).toBe(file.length);
  expect(await contentOf(read(0, size, never))).toEqual(file);
  expect(await contentOf(read(1000, 70_000, never))).toEqual(file.subarray(1000, 70_000));
  expect(requests).toEqual(["bytes=0-0", `bytes=0-${size - 1}`, "bytes=1000-69999"]);
});

it("reads a server without ranges from the start", async () => {
  const { size, read } = await open("/plain");
  expect(size).toBe(file.length);
  expect(await contentOf(read(1000, 70_000, never))).toEqual(file.subarray(1000, 70_000));
});

it("follows redirects through the guard", async () => {
  const redirect = (to: string) => (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (request.url !== "/model") return false;
    response.writeHead(302, { location: to }).end();
    return true;
  };
  const { size, read } = await open("/model", redirect("/moved"));
  expect(await contentOf(read(5, size, never))).toEqual(file.subarray(5));
  await expect(open("/model", redirect("https://inside.example/"))).rejects.toMatchObject({
    code: "unprocessable",
    param: "source_model",
    details: { reason: "source_refused" },
  });
  await expect(open("/model", redirect("http://models.example/"))).rejects.toThrow("https");
  await expect(open("/model", redirect("/model"))).rejects.toThrow("redirects more than 5 times");
});

it("continues an interrupted connection where it ended, and gives up after several failures", async () => {
  let cuts = 2;
  const { size, read } = await open("/model", (request, response) => {
    const [, first = "0", last = "0"] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (last === "0" || cuts-- <= 0) return false;
    const start = Number(first);
    response.writeHead(206, { etag, "content-range": `bytes ${first}-${last}/${file.length}` });
    response.write(file.subarray(start, start + 100_000), () => response.destroy());
    return true;
  });
  expect(await contentOf(read(0, size, never))).toEqual(file);
  quirk = (_request, response) => !response.writeHead(503).end().closed;
  requests = [];
  await expect(contentOf(read(0, size, never))).rejects.toMatchObject({
    code: "unavailable",
    details: { reason: "source_unreadable" },
  });
  expect(requests).toHaveLength(5);
});

it("notices that the file has changed", async () => {
  const { size, read } = await open();
  etag = '"2"';
  await expect(contentOf(read(0, size, never))).rejects.toMatchObject({ details: { reason: "source_changed" } });
});

it.each([
  ["a missing file", (response: http.ServerResponse) => response.writeHead(404), "status 404; check the URL"],
  ["a private file", (response: http.ServerResponse) => response.writeHead(403), "authorization"],
  [
    "an encoded file",
    (response: http.ServerResponse) => response.writeHead(200, { "content-encoding": "gzip" }),
    "gzip",
  ],
  [
    "a file of unknown size",
    (response: http.ServerResponse) => response.writeHead(200, { "transfer-encoding": "chunked" }),
    "size",
  ],
])("says what is wrong with %s", async (_what, head, message) => {
  const opened = open("/model", (_request, response) => !head(response).end().closed);
  await expect(opened).rejects.toThrow(message);
  await expect(opened).rejects.toMatchObject({ code: "unprocessable", details: { reason: "source_refused" } });
});

it("ends at once when it is aborted", async () => {
  const { size, read } = await open("/model", (request, response) => {
    if (request.headers.range === "bytes=0-0") return false;
    response.writeHead(206, { etag, "content-range": `bytes 0-299999/${file.length}` }).write("x");
    return true;
  });
  const stop = new AbortController();
  const reading = (async () => {
    for await (const _chunk of read(0, size, stop.signal)) stop.abort(new Error("stopped"));
  })();
  await expect(reading).rejects.toThrow("stopped");
});
