import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { listening } from "../../../test/factories/listening";
import { openForFile } from "../../../test/factories/open-for-file";
import { type TypedLine, typeLine } from "../../../test/factories/typed-line";

const KEY = `svc_test_${"a".repeat(48)}`;
const folder = fileFolder("svc-secrets-");
const got: { line: string; body: unknown }[] = [];
const { url } = await openForFile(
  listening(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    got.push({ line: `${request.method} ${request.url}`, body: text === "" ? undefined : JSON.parse(text) });
    const isList = request.url === "/v1/secrets";
    const value = { name: "API_KEY", version: 3, value: "line 1\nline 2\u001b[31m" };
    response.setHeader("content-type", "application/json");
    if (request.method === "DELETE") response.writeHead(204).end();
    else
      response.end(
        JSON.stringify(
          isList ? { data: [], next_cursor: null } : request.method === "GET" ? value : { ...value, value: undefined },
        ),
      );
  }),
);

async function svc(argv: readonly string[], more: Partial<TypedLine> = {}) {
  got.length = 0;
  const { done, said, asked } = typeLine(["secrets", ...argv], { key: KEY, svc: url, ...more });
  return { code: await done, ...said, asked };
}

describe("svc secrets put", () => {
  const stored = { code: 0, out: "Stored API_KEY, version 3.\n", err: "" };

  it("reads the value from standard input, without the line feed at its end", async () => {
    expect(await svc(["put", "API_KEY"], { input: "-----BEGIN\nEND-----\n" })).toMatchObject(stored);
    expect(got).toEqual([{ line: "PUT /v1/secrets/API_KEY", body: { value: "-----BEGIN\nEND-----" } }]);
  });

  it("asks for it without echo on a terminal", async () => {
    const { asked } = await svc(["put", "API_KEY", "--tenant"], { answers: ["typed"] });
    expect(asked).toEqual([["Value: ", { hidden: true }]]);
    expect(got[0]?.body).toEqual({ value: "typed", tenant: true });
  });

  it("reads it from a file byte for byte", async () => {
    const file = path.join(folder, "value");
    writeFileSync(file, "\ufeffin a file\n");
    expect(await svc(["put", "API_KEY", "--value-file", file])).toMatchObject(stored);
    expect(got[0]?.body).toEqual({ value: "\ufeffin a file\n" });
  });

  it("warns about the history of the shell when it is an argument", async () => {
    const { code, err, out } = await svc(["put", "API_KEY", "--value", "given"]);
    expect([code, err.includes("history"), `${err}${out}`.includes("given")]).toEqual([0, true, false]);
  });

  it.each([
    ["nothing", [], ""],
    ["other bytes than UTF-8", [], new Uint8Array([0xff, 0xfe])],
    ["more than 64 KiB", [], "x".repeat(65_537)],
    ["two sources", ["--value", "a", "--value-file", "b"], ""],
  ])("sends nothing for %s", async (_, more, input) => {
    const { code } = await svc(["put", "API_KEY", ...more], { input });
    expect([code, got]).toEqual([2, []]);
  });
});

describe("svc secrets reveal, ls and rm", () => {
  it("prints only the value, exactly", async () => {
    const { code, out, err } = await svc(["reveal", "API_KEY", "--version", "3", "--tenant"]);
    expect([code, out, err]).toEqual([0, "line 1\nline 2\u001b[31m", ""]);
    expect(got[0]?.line).toBe("GET /v1/secrets/API_KEY/value?tenant=true&version=3");
  });
});
