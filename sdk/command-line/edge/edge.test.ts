import { expect, it } from "vitest";
import { listening } from "../../../test/factories/listening";
import { openForFile } from "../../../test/factories/open-for-file";
import { typeLine } from "../../../test/factories/typed-line";

const KEY = `svc_test_${"a".repeat(48)}`;
const CODE = "export default { fetch: () => new Response() };\n";
const LINE = { at: "2026-01-01T00:00:00.000Z", level: "request", text: "GET / 200 3 ms" };
const got: { line: string; body: unknown }[] = [];
const { url } = await openForFile(
  listening(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    got.push({ line: `${request.method} ${request.url}`, body: text === "" ? undefined : JSON.parse(text) });
    if (request.url?.includes("follow=true")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.write(`data: ${JSON.stringify(LINE)}\n\n`);
    }
    const isNew = request.url === "/v1/edge/functions/new";
    const error = { code: "not_found", message: "No edge function has the id or name.", request_id: "req_1" };
    response.setHeader("content-type", "application/json");
    response.statusCode = isNew ? 404 : 200;
    const made = { id: "edg_1", name: "hello", version: 2, url: "http://hello-x.edge.localhost/", data: [LINE] };
    response.end(JSON.stringify(isNew ? { error } : made));
  }),
);
const svc = (argv: string[], input = "") => typeLine(["edge", ...argv], { key: KEY, svc: url, input });

it("svc edge deploy stores the module as a draft, of a new edge function if there is none, and publishes it", async () => {
  const published = svc(["deploy", "new", "--file", "-"], CODE);
  const text = "hello, version 2: http://hello-x.edge.localhost/\n";
  expect([await published.done, published.said]).toEqual([0, { out: `Published ${text}`, err: "" }]);
  const bindings = [{ type: "kv", name: "CACHE", namespace: "cache" }];
  const env = { GREETING: "Hello" };
  const more = ["--bindings", JSON.stringify(bindings), "--env", JSON.stringify(env)];
  const draft = svc(["deploy", "hello", "--file", "-", "--draft", ...more], CODE);
  expect([await draft.done, draft.said.out]).toEqual([0, `Stored ${text}`]);
  expect(got).toEqual([
    { line: "PATCH /v1/edge/functions/new", body: { code: CODE } },
    { line: "POST /v1/edge/functions", body: { name: "new", code: CODE } },
    { line: "POST /v1/edge/functions/edg_1/publish", body: { version: 2 } },
    { line: "PATCH /v1/edge/functions/hello", body: { code: CODE, bindings, env } },
  ]);
});

it("svc edge logs prints lines, and follows them until Ctrl-C", async () => {
  const line = "2026-01-01T00:00:00.000Z request GET / 200 3 ms\n";
  const kept = svc(["logs", "hello", "--lines", "5"]);
  expect([await kept.done, kept.said.out]).toEqual([0, line]);
  expect(got.at(-1)?.line).toBe("GET /v1/edge/functions/hello/logs?lines=5");
  const { done, said, stop } = svc(["logs", "hello", "--follow"]);
  while (said.out === "") await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  expect([await done, said.out]).toEqual([130, line]);
});
