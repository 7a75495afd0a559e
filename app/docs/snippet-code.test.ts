import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { fileFolder } from "../../test/factories/file-folder";
import { LANGUAGES } from "./snippet-code";
import type { SnippetRequest } from "./snippet-request";

const run = promisify(execFile);
const KEYS = { SVC_KEY: "svc_test_x", SVC_CHANNEL_KEY: "svc_srv_x" };
const REQUESTS: SnippetRequest[] = [
  { method: "GET", path: "/v1/ads/channels?limit=2&mode=test", key: "platform" },
  { method: "GET", path: "/readyz", key: "none" },
  { method: "POST", path: "/v1/signals", key: "channel" },
  {
    method: "POST",
    path: "/v1/ads/channels",
    key: "platform",
    idempotencyKey: "0b0f0c6e-8f0e-4a55-9d0e-3f1f7a2d9c11",
    body: { name: 'Ümläut "x"', limit: 3, on: true, off: false, none: null, list: ["a", { b: 1.5 }] },
  },
];
/** What svc reads of a request. */
const READ = ["authorization", "x-svc-api-key", "idempotency-key"];
/** The calls of the package `requests` that the examples use, with the standard library. */
const PYTHON_REQUESTS = `
import json as j, urllib.request
class Response:
    def __init__(self, r): self.status_code, self.text = r.status, r.read().decode()
def call(method, url, headers={}, json=None):
    data = None if json is None else j.dumps(json).encode()
    own = {} if json is None else {"Content-Type": "application/json"}
    return Response(urllib.request.urlopen(urllib.request.Request(url, data, {**headers, **own}, method=method)))
def get(url, **options): return call("GET", url, **options)
def post(url, **options): return call("POST", url, **options)
`;

const seen: unknown[] = [];
const server = createServer(async (request, response) => {
  seen.push(await read(request));
  response.end("fine");
});

const folder = fileFolder("svc-snippets-");
await writeFile(path.join(folder, "requests.py"), PYTHON_REQUESTS);
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.close().closeAllConnections());

async function read(request: IncomingMessage) {
  let body = "";
  for await (const chunk of request) body += chunk;
  const headers = READ.map((name) => [name, request.headers[name]]).filter(([, value]) => value !== undefined);
  return {
    method: request.method,
    path: request.url,
    headers: Object.fromEntries(headers),
    body: body && JSON.parse(body),
  };
}

const programs = {
  curl: ["bash", "-c"],
  python: ["python3", "-c"],
  node: [process.execPath, "--input-type=module", "-e"],
} as const;
const installed = async (program: string): Promise<boolean> =>
  run(program, ["--version"]).then(
    () => true,
    () => false,
  );

it.each(["curl", "python", "node"] as const)(
  "sends in %s what the Run button sends, with the key of the environment",
  async (language) => {
    const [program, ...options] = programs[language];
    if (!(await installed(program))) return;
    for (const request of REQUESTS) {
      seen.length = 0;
      const code = LANGUAGES[language].write(request, url);
      for (const key of Object.values(KEYS)) expect(code).not.toContain(key);
      const env = {
        PATH: process.env.PATH,
        PYTHONPATH: folder,
        PYTHONDONTWRITEBYTECODE: "1",
        ...KEYS,
      } as unknown as NodeJS.ProcessEnv;
      const { stdout } = await run(program, [...options, code], { env });
      expect(stdout.trim()).toBe(language === "curl" ? "fine" : "200 fine");
      const headers = {
        ...(request.key === "platform" && { authorization: "Bearer svc_test_x" }),
        ...(request.key === "channel" && { "x-svc-api-key": "svc_srv_x" }),
        ...(request.idempotencyKey && { "idempotency-key": request.idempotencyKey }),
      };
      expect(seen).toEqual([{ method: request.method, path: request.path, headers, body: request.body ?? "" }]);
    }
  },
);
