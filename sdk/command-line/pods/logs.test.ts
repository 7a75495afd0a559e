import { describe, expect, it } from "vitest";
import { listening } from "../../../test/factories/listening";
import { openForFile } from "../../../test/factories/open-for-file";
import { typeLine } from "../../../test/factories/typed-line";

const KEY = `svc_test_${"a".repeat(48)}`;
const asked: string[] = [];
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const { url } = await openForFile(
  listening((request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.includes("/unknown/")) {
      const error = { code: "not_found", message: 'No pod has the id "unknown".', request_id: "r" };
      return void response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    }
    if (!request.url?.includes("follow=true")) {
      response.setHeader("content-type", "application/json");
      return void response.end(JSON.stringify({ run: 1, text: "one\ntwo\u001b[31m\n", ended: false }));
    }
    response.setHeader("content-type", "text/event-stream");
    response.write(event({ text: "one\n" }));
    if (request.url.includes("/silent/")) return;
    response.write(event({ text: "two\n" }));
    response.end(request.url.includes("/broken/") ? "" : event({ ended: true }));
  }),
);

const svc = (...argv: string[]) => typeLine(["pods", "logs", ...argv], { key: KEY, svc: url });

describe("svc pods logs", () => {
  it("prints the output so far, without what would control the terminal", async () => {
    const { done, said } = svc("pod_1", "--tail-bytes", "100");
    expect([await done, said.out, said.err]).toEqual([0, "one\ntwo[31m\n", ""]);
    expect(asked.at(-1)).toBe("/v1/pods/pod_1/logs?tail_bytes=100");
  });

  it("follows it to the end of the run", async () => {
    const { done, said } = svc("pod_1", "--follow");
    expect([await done, said.out]).toEqual([0, "one\ntwo\n"]);
    const json = svc("pod_1", "--follow", "--json");
    expect([await json.done, json.said.out]).toEqual([0, '{"text":"one\\n"}\n{"text":"two\\n"}\n{"ended":true}\n']);
  });

  it("ends with Ctrl-C, and with status 130", async () => {
    const { done, said, stop } = svc("silent", "--follow");
    while (said.out === "") await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect([await done, said.out]).toEqual([130, "one\n"]);
  });

  it("fails with the API's message, and if the output breaks off", async () => {
    for (const flags of [[], ["--follow"]]) {
      const { done, said } = svc("unknown", ...flags);
      expect([await done, said.err.includes('No pod has the id "unknown".')]).toEqual([1, true]);
    }
    const broken = svc("broken", "--follow");
    expect([await broken.done, broken.said.err.includes("ended before the run did")]).toEqual([4, true]);
  });
});
