import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileFolder } from "../../test/factories/file-folder";
import { OPERATIONS } from "../generated/operations";
import { commands, commandsOf, type Field, flagName, nouns } from "./command";
import type { Io } from "./io";
import { main } from "./main";
import { readArguments } from "./read-arguments";
import { readValue } from "./typed-values";
import { exampleOf } from "./usage";

const KEY = `svc_test_${"a".repeat(48)}`;
const home = fileFolder("svc-home-");

interface Terminal {
  columns?: number;
  env?: Record<string, string>;
  /** What svc answers. */
  answer?: Response;
}

/** Types a line, and tells what came of it and what was sent. */
async function run(argv: string[], { columns, env = {}, answer = Response.json({}) }: Terminal = {}) {
  const said = { out: "", err: "" };
  const sent: { url: string; body: unknown }[] = [];
  const io: Io = {
    stdout: { write: (text) => (said.out += text), isTTY: columns !== undefined, columns },
    stderr: { write: (text) => (said.err += text) },
    env: { HOME: home, SVC_API_KEY: KEY, SVC_BASE_URL: "https://svc.example", ...env },
    ask: async () => "",
    input: () => new Blob([]).stream(),
    hostname: "laptop",
    fetch: async (url, { body }) => {
      sent.push({
        url: url.replace("https://svc.example", ""),
        body: typeof body === "string" ? JSON.parse(body) : undefined,
      });
      return answer.clone();
    },
  };
  return { code: await main(argv, io), ...said, sent };
}

describe("commands", () => {
  it("take the ports of a pod one by one or as a list, as numbers", async () => {
    const create = ["pods", "create", "--image", "alpine"];
    const { sent } = await run([...create, "--port", "8080", "--ports", "9000,9001"]);
    expect(sent[0]?.body).toEqual({ image: "alpine", ports: [8080, 9000, 9001] });
    const { code, err } = await run([...create, "--port", "http"]);
    expect([code, err.includes('--ports: it must be a whole number, not "http".')]).toEqual([2, true]);
  });

  it("take a program and its arguments with commas in them as a JSON list", async () => {
    const { sent } = await run(["pods", "create", "--image", "a", "--command", '["/bin/sh", "-c", "echo a, b", ""]']);
    expect(sent[0]?.body).toEqual({ image: "a", command: ["/bin/sh", "-c", "echo a, b", ""] });
    const plain = await run(["pods", "create", "--image", "a", "--command", "/bin/sh", "--command", "-c,date"]);
    expect(plain.sent[0]?.body).toEqual({ image: "a", command: ["/bin/sh", "-c", "date"] });
    const program = await run(["pods", "exec", "pod_1", "--", "/bin/sh", "-c", "echo a, b"]);
    expect(program.sent[0]?.body).toEqual({ command: ["/bin/sh", "-c", "echo a, b"] });
  });

  it("are one for each operation but those that live by a browser's cookie, and those that a program replaces", () => {
    const replaced = new Set([
      "deployFunction",
      "putSecret",
      "revealSecret",
      "getPodLogs",
      "getEdgeLogs",
      "execPod",
      "execSandbox",
      "execWorkspace",
    ]);
    const without = Object.keys(OPERATIONS).filter(
      (id) => !replaced.has(id) && !commands.some(({ operation }) => operation === id),
    );
    expect(without.map((id) => OPERATIONS[id as keyof typeof OPERATIONS].noun)).toEqual(without.map(() => "auth"));
    const names = commands.map(({ noun, verb }) => `${noun} ${verb}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["keys create", "keys rotate", "keys revoke", "tenants get"]));
  });

  it.each(commands.map((command) => [`${command.noun} ${command.verb}`, command] as const))(
    "%s has a help whose example can be run",
    async (name, command) => {
      const { code, out, err } = await run([...name.split(" "), "--help"]);
      const example = exampleOf(command);
      expect([code, err, out.includes(`  ${example}\n`)]).toEqual([0, "", true]);
      for (const field of command.fields) if (field.in !== "path") expect(out).toContain(`--${flagName(field.name)}`);
      // The words of a shell: quoted ones, and others that end at a space; files of JSON are not there.
      const words = [...example.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
      const args = words.slice(3).map((word) => word.replace(/^@.*/, "{}"));
      const kinds = new Map(command.fields.map((field) => [`--${flagName(field.name)}`, field.kind]));
      const given = args.map((word, at) => (kinds.get(args[at - 1] ?? "") === "objects" ? "[]" : word));
      expect(() => readArguments(command, given)).not.toThrow();
    },
  );

  it.each([
    ["queues", "consume", "receive"],
    ["webhooks", "listen", undefined],
    ["storage", "cp", undefined],
    ["storage", "ls", undefined],
    ["storage", "presign", undefined],
    ["storage", "rm", undefined],
    ["storage", "sync", undefined],
    ["secrets", "put", undefined],
    ["secrets", "reveal", undefined],
  ])("%s %s is listed and completed beside the operations", async (noun, verb, operation) => {
    const all = await run(["--help"]);
    expect(all.out).toMatch(new RegExp(`^  ${noun} [^\\n]*(\\n {5,}[^\\n]*)*\\b${verb}\\b`, "m"));
    const { out } = await run([noun, "--help"]);
    expect(out).toContain(`  ${noun} ${verb} `);
    if (operation) expect(out).toContain(`  ${noun} ${operation} `);
    const help = await run([noun, verb, "--help"]);
    const example = commandsOf(noun).find((one) => one.verb === verb)?.example;
    expect([help.code, help.err, help.sent, help.out.includes(`  ${example}\n`)]).toEqual([0, "", [], true]);
    const completed = async (...words: string[]) => (await run(["__complete", ...words])).out.trim().split("\n");
    expect(await completed(noun, "")).toContain(verb);
    const flag = (await completed(noun, verb, "--")).at(-1) ?? "";
    expect(help.out).toContain(`  ${flag}`);
    expect(await completed(noun, verb, "--", "--")).toEqual(verb === "consume" ? [""] : expect.arrayContaining([flag]));
    expect((await run([noun, `${verb}x`])).err).toContain(`did you mean "${verb}"?`);
  });

  it("without a verb, such as svc chat, are listed and completed, and take the words after the noun", async () => {
    expect((await run(["--help"])).out).toMatch(/^ {2}chat +Talk to a language model/m);
    const { code, out } = await run(["chat", "--help"]);
    expect([code, out.includes("Usage: svc chat [prompt]\n")]).toEqual([0, true]);
    const completed = async (...words: string[]) => (await run(["__complete", ...words])).out.trim().split("\n");
    expect(await completed("ch")).toContain("chat");
    expect(await completed("chat", "--m")).toEqual(["--model", "--max-tokens"]);
    expect(await completed("chat", "--model", "")).toEqual([""]);
    expect(await run(["chat", "a", "b"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("See svc chat --help."),
    });
  });

  it("take the name of what they create as an argument, and durations with a unit", async () => {
    const queue = await run(["queues", "create", "jobs", "--visibility-timeout", "30s", "--dlq", "jobs-dead"]);
    expect(queue.sent[0]).toEqual({
      url: "/v1/queues",
      body: { name: "jobs", visibility_timeout: "30s", dlq: "jobs-dead" },
    });
    const long = await run(["queues", "create", "jobs", "--retention", "4d", "--visibility-timeout-s=5m"]);
    expect(long.sent[0]?.body).toEqual({ name: "jobs", retention_s: 345_600, visibility_timeout_s: 300 });
    const sent = await run(["queues", "receive", "jobs", "--wait", "20s"]);
    expect(sent.sent[0]?.url).toBe("/v1/queues/jobs/receive?wait_seconds=20");
    const { code, err } = await run(["queues", "create", "jobs", "--retention", "1500ms"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--retention-s: it must be a whole number")]);
    expect(await run(["queues", "create", "jobs", "--name", "jobs"])).toMatchObject({
      code: 2,
      err: expect.stringContaining('"jobs" is an unexpected argument'),
    });
    expect((await run(["queues", "create", "--help"])).out).toContain("Usage: svc queues create <name>\n");
  });

  const CREATING = commands.filter(({ fields, verb }) => {
    const name = fields.find((field) => field.in === "body" && field.name === "name");
    return name !== undefined && (name.required || verb === "create");
  });

  it.each(CREATING.map((command) => [`${command.noun} ${command.verb}`, command] as const))(
    "%s takes a name as its argument",
    (_, command) => {
      const ids = command.fields.filter((field) => field.in === "path").map(() => "id_1");
      const required = command.fields.filter((field) => field.in !== "path" && field.required && field.name !== "name");
      const data = JSON.stringify(Object.fromEntries(required.map((field) => [field.name, "x"])));
      const argv = [...ids, "the-name", ...(required.length > 0 ? ["--data", data] : [])];
      expect(readArguments(command, argv).input.name).toBe("the-name");
    },
  );

  it.each(["https://svc.example/v1", "https://svc.example/v1/", "https://svc.example//v1//"])(
    "call the address %s without a second version segment",
    async (address) => {
      for (const given of [{ env: { SVC_BASE_URL: address } }, { flags: ["--base-url", address] }] as {
        env?: Record<string, string>;
        flags?: string[];
      }[]) {
        const { sent } = await run(["keys", "get", "key_1", ...(given.flags ?? [])], given);
        expect(sent[0]?.url).toBe("/v1/keys/key_1");
      }
      const agent = await run(["mcp", "tools"], { env: { SVC_BASE_URL: address }, answer: Response.json({}) });
      expect(agent.sent[0]?.url).toMatch(/^\/v1\/mcp/);
      const chat = await run(["chat", "Hello", "--model", "m"], { env: { SVC_BASE_URL: address } });
      expect(chat.sent[0]?.url).toBe("/v1/chat/completions");
    },
  );

  it("have the short names ls and rm", async () => {
    const { code, sent } = await run(["keys", "ls"], { answer: Response.json({ data: [], next_cursor: null }) });
    expect([code, sent.map(({ url }) => url)]).toEqual([0, ["/v1/keys"]]);
    expect((await run(["webhooks", "rm", "wh_1"])).sent.map(({ url }) => url)).toEqual(["/v1/webhooks/wh_1"]);
  });

  it("have flags of their own that no field of the API has", () => {
    const taken = ["json", "help", "base-url", "timeout", "retries", "all", "data", "idempotency-key"];
    for (const { fields } of commands) {
      expect(fields.map(({ name }) => flagName(name)).filter((name) => taken.includes(name))).toEqual([]);
    }
  });
});

describe("what is typed", () => {
  it("becomes the input of the API: words, numbers, lists, JSON, null", async () => {
    const file = path.join(home, "targeting.json");
    writeFileSync(file, '{"geos":["DE"]}');
    const create = [
      "campaigns",
      "create",
      "--advertiser-id",
      "adv_1",
      "--name=A b",
      "--model",
      "cpc",
      "--bid_micros",
      "5",
    ];
    const more = [
      "--total-budget-micros",
      "null",
      "--targeting",
      `@${file}`,
      "--caps",
      '[{"count":1,"window_seconds":60}]',
    ];
    const { sent, code } = await run([...create, ...more]);
    expect(code).toBe(0);
    expect(sent[0]?.body).toEqual({
      advertiser_id: "adv_1",
      name: "A b",
      model: "cpc",
      bid_micros: 5,
      total_budget_micros: null,
      targeting: { geos: ["DE"] },
      caps: [{ count: 1, window_seconds: 60 }],
    });
    const key = await run(["keys", "create", "--name", "ci", "--project", "p", "--scopes", "pods:read,pods:write"]);
    expect(key.sent[0]?.body).toEqual({ name: "ci", project: "p", scopes: ["pods:read", "pods:write"] });
    const whole = await run(["projects", "create", "--data", '{"name":"a"}', "--name", "b"]);
    expect(whole.sent[0]?.body).toEqual({ name: "b" });
  });

  it("names ids in their order, or by flags", async () => {
    const asked = "/v1/ads/campaigns/cmp_1/creatives/crv_1";
    const inOrder = await run(["creatives", "get", "cmp_1", "crv_1"]);
    const byFlags = await run(["creatives", "get", "--creative-id", "crv_1", "--campaign-id", "cmp_1"]);
    const mixed = await run(["creatives", "get", "crv_1", "--id=cmp_1"]);
    expect([inOrder, byFlags, mixed].map(({ sent }) => sent[0]?.url)).toEqual([asked, asked, asked]);
  });

  it.each([
    [["key", "list"], 'Unknown command "key"; did you mean "keys"?'],
    [["keys", "rotaet", "key_1"], 'Unknown command "keys rotaet"; did you mean "rotate"?'],
    [["campaigns", "list", "--modle", "live"], 'Unknown flag --modle; did you mean "mode"?'],
    [["campaigns", "list", "--mode", "liev"], '--mode: it must be one of test, live, not "liev"; did you mean "live"?'],
    [["campaigns", "list", "--limit", "1001"], '--limit: it must be a whole number from 1 to 1000, not "1001".'],
    [["campaigns", "list", "--limit", "1e2"], '--limit: it must be a whole number from 1 to 1000, not "1e2".'],
    [["campaigns", "list", "--limit"], "--limit needs a value: --limit=…"],
    [["campaigns", "list", "--mode", "test", "--mode", "live"], "--mode: it was given more than once."],
    [["keys", "get"], "<key-id> is missing."],
    [["keys", "get", ".."], '<key-id> must be an id, not "..".'],
    [["keys", "get", "a", "b"], '"b" is an unexpected argument'],
    [["keys", "create", "--scopes", "pods:raed"], '"pods:raed"; did you mean "pods:read"?'],
    [["keys", "create", "--scopes", "pods:read"], "--name is missing: it must be a string."],
    [["projects", "create", "--data", "{oops"], "--data: it is not valid JSON: "],
    [["projects", "create", "--data", "@/none/at/all"], "--data: it is not valid JSON: ENOENT"],
    [["pods", "create", "--image", "a", "--command", "[ -e /a ]"], "--command: it is not valid JSON: "],
    [
      ["pods", "create", "--image", "a", "--command", "[{}]"],
      '--command: it must be a JSON list of strings, such as ["a", "b, c"].',
    ],
    [["projects", "list", "--timeout", "0"], "--timeout: it must be a number from 0.001"],
    [["products", "import", "cmp_1"], "<file> is missing; - reads standard input."],
    [["products", "import", "cmp_1", "/none.csv"], "/none.csv: no such file."],
    [["products", "import", "cmp_1", "-"], "set --content-type"],
    [["completion", "powershell"], "svc completion needs one of bash, zsh, fish."],
    [["admin", "quota"], "svc admin runs where the server is installed: npm run svc -- admin --help"],
    [["login", "--mode", "liv"], "--mode: it must be one of test, live"],
    [["login", "--passwd", "x"], "Unknown option '--passwd'"],
  ])("%j is refused before anything is sent", async (argv, words) => {
    const { code, out, err, sent } = await run(argv);
    expect(err).toContain(words);
    expect([code, out, sent]).toEqual([2, "", []]);
  });

  it("says of everything at once what is wrong with it", async () => {
    const { err } = await run(["campaigns", "create", "--bid-micros", "1.5", "--model", "cpx", "--name", "a"]);
    expect(err.trim().split("\n")).toEqual([
      expect.stringMatching(/^svc: --model: /),
      expect.stringMatching(/^ {5}--bid-micros: /),
      expect.stringMatching(/^ {5}--advertiser-id is missing/),
      "See svc campaigns create --help.",
    ]);
  });

  it("is refused without a key, or with what cannot be one, and the key is not repeated", async () => {
    expect(await run(["keys", "list"], { env: { SVC_API_KEY: "" } })).toMatchObject({ code: 3, sent: [] });
    const wrong = await run(["keys", "list"], { env: { SVC_API_KEY: `${KEY}b` } });
    expect(wrong).toMatchObject({ code: 2, sent: [] });
    expect(wrong.err).not.toContain("aaaa");
    expect((await run(["keys", "list", "--base-url", "svc"])).err).toMatch(/^svc: baseUrl must be the http/);
  });
});

describe("a value", () => {
  const read = (kind: Field["kind"], ...given: string[]) => readValue({ kind }, given);

  it("is read as what it is, or refused", () => {
    expect([read("boolean", "true"), read("boolean", "false"), read("number", "-0.5"), read("integer", "7")]).toEqual([
      true,
      false,
      -0.5,
      7,
    ]);
    expect(read("list", "a, b", "c")).toEqual(["a", "b", "c"]);
    expect(read("list", "")).toEqual([]);
    for (const text of ["", " 1", "1 ", "0x10", "Infinity", "1.5", "9007199254740993"]) {
      expect(() => read("integer", text)).toThrow(/^it must be a whole number/);
    }
    for (const text of ["yes", "1", ""]) expect(() => read("boolean", text)).toThrow("it must be true or false");
    for (const text of ["[]", "null", "1"]) expect(() => read("object", text)).toThrow("it must be a JSON object");
    expect([read("text", "hello, world"), read("text", '{"a":1}')]).toEqual(["hello, world", { a: 1 }]);
    expect(() => read("text", "{a}")).toThrow("it is not valid JSON");
  });

  it("of many words in the name of a command is typed with hyphens", () => {
    expect(commandsOf("webhooks").map(({ verb }) => verb)).toContain("rotate-secret");
  });

  it("of a switch may stand in its name", () => {
    const [command] = commandsOf("projects");
    if (!command) throw new Error("There are no projects.");
    const spot: Field = { name: "auto_resume", in: "body", kind: "boolean" };
    const inputOf = (...argv: string[]) => readArguments({ ...command, fields: [spot] }, argv).input;
    const typings = [["--auto-resume"], ["--no-auto-resume"], ["--auto_resume=false"], []];
    expect(typings.map((argv) => inputOf(...argv).auto_resume)).toEqual([true, false, false, undefined]);
  });
});

describe("what is printed", () => {
  const list = (...data: object[]): Response => Response.json({ data, next_cursor: null });

  it("is a table that fits the terminal, and says what does not", async () => {
    const name = "A very long name that goes on and on, until the end of the line and beyond";
    const answer = list({ id: "prj_1", name, created_at: "2027-01-01" }, { id: "prj_22", name: "日本" });
    const { out } = await run(["projects", "list"], { columns: 40, answer, env: { NO_COLOR: "1" } });
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ID {6}NAME/);
    expect(lines[1]).toMatch(/^prj_1 {3}A very long name.*…$/);
    expect(lines.slice(0, 3).every((line) => line.length <= 40)).toBe(true);
    expect(lines.at(-1)).toMatch(/1 more column: --json/);
    const wide = await run(["projects", "list"], { answer });
    expect(wide.out).toContain(name);
  });

  it("has the parts of an object as lines of their own, and its lists as tables", async () => {
    const price = { per_hour: "2.49", purchases: [{ purchase: "spot", per_hour: "1.37" }] };
    const { out } = await run(["pods", "estimate"], { answer: Response.json({ fits_now: true, price, labels: {} }) });
    expect(out.trimEnd().split("\n")).toEqual([
      "fits_now        true",
      "price.per_hour  2.49",
      "labels          {}",
      "",
      "price.purchases:",
      "PURCHASE  PER_HOUR",
      "spot      1.37",
    ]);
  });

  it("is bold only in a terminal that wants it", async () => {
    const answer = list({ id: "prj_1", name: "a" });
    const bold = async (terminal: Terminal) =>
      (await run(["projects", "list"], { answer, ...terminal })).out.includes("\u001b[1m");
    const env = { NO_COLOR: "1" };
    expect([await bold({ columns: 80 }), await bold({ columns: 80, env }), await bold({})]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("gives no orders to the terminal, whatever a name holds", async () => {
    const answer = list({ id: "prj_1", name: "\u001b]0;owned\u0007\u202egnp.exe\nprj_2" });
    const { out } = await run(["projects", "list"], { answer });
    expect(out.trim().split("\n")).toHaveLength(2);
    expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
  });

  it("shows a secret whole, and says that it is shown once", async () => {
    const answer = Response.json({ id: "key_1", scopes: ["ads:read", "ads:write"], key: KEY }, { status: 201 });
    const made = await run(["keys", "rotate", "key_1"], { columns: 30, answer });
    expect(made.out).toContain(KEY);
    expect(made.err).toMatch(/This key is shown only once/);
    const secret = `whsec_${"b".repeat(43)}=`;
    const webhook = await run(["keys", "rotate", "key_1"], {
      columns: 30,
      answer: Response.json({ id: "wh_1", secret }),
    });
    expect(webhook.out).toContain(secret);
    expect(webhook.err).toMatch(/This secret is shown only once/);
  });

  it("is JSON where it was asked for, and refusals too", async () => {
    const answer = list({ id: "prj_1" });
    expect(JSON.parse((await run(["projects", "list", "--json"], { answer })).out)).toEqual(
      await answer.clone().json(),
    );
    const error = { code: "forbidden", message: "No.", request_id: "req_1" };
    const refused = await run(["projects", "list", "--json"], { answer: Response.json({ error }, { status: 403 }) });
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(JSON.parse(refused.err)).toEqual({ error });
  });

  it("is no word more than needed", async () => {
    expect((await run(["projects", "list"], { answer: list() })).err).toBe("No items.\n");
    const gone = await run(["projects", "delete", "prj_1"], { answer: new Response(null, { status: 204 }) });
    expect(gone.out).toBe("Done.\n");
  });
});

describe("svc products import", () => {
  const argv = ["products", "import", "cmp_1", "-", "--content-type", "text/csv"];
  const errors = [{ line: 2, id: "sku-1", code: "missing_field", message: "link: expected a value" }];

  it("fails if lines were rejected, with a summary and the lines", async () => {
    const { code, out, err } = await run(argv, { answer: Response.json({ accepted: 2, rejected: 1, errors }) });
    expect([code, err.trim().split("\n").at(-1)]).toEqual([
      1,
      "svc: 1 of 3 lines rejected; the other lines are stored.",
    ]);
    expect(out).toMatch(
      /^accepted +2\nrejected +1\n\nerrors:\nLINE +ID +CODE +MESSAGE\n2 +sku-1 +missing_field +link: /,
    );
    expect((await run(argv, { answer: Response.json({ accepted: 2, rejected: 0, errors: [] }) })).code).toBe(0);
  });

  it("lists the lines that were rejected before a feed broke", async () => {
    const details = { reason: "broken_csv", line: 3, accepted: 0, rejected: 1, errors };
    const error = { code: "invalid_request", message: "A quoted value is not closed.", request_id: "req_1", details };
    const { code, err } = await run(argv, { answer: Response.json({ error }, { status: 400 }) });
    expect(code).toBe(1);
    expect(err).toMatch(/details +\{"reason":"broken_csv","line":3,"accepted":0,"rejected":1\}/);
    expect(err).toMatch(/\n\nLINE +ID +CODE +MESSAGE\n2 +sku-1 +missing_field +link: expected a value\n$/);
  });
});

describe("help and completion", () => {
  it("shows every noun, and every verb of a noun", async () => {
    const { out, code } = await run([]);
    expect(code).toBe(0);
    for (const noun of nouns) {
      expect(out).toMatch(new RegExp(`^  ${noun} [^\\n]*(\\n {5,}[^\\n]*)*\\b${commandsOf(noun)[0]?.verb}\\b`, "m"));
    }
    expect((await run(["keys", "--help"])).out).toMatch(/keys rotate <key-id> +Replace/);
    expect((await run(["whoami", "--help"])).out).toMatch(/^Usage: svc whoami/);
  });

  it.each([
    [["ke"], ["keys"]],
    [["keys", "ro"], ["rotate"]],
    [["campaigns", "list", "--mo"], ["--mode"]],
    [
      ["campaigns", "list", "--mode", ""],
      ["test", "live"],
    ],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["nothing", "here", ""], []],
  ])("%j is completed", async (words, found) => {
    expect((await run(["__complete", ...words])).out.split("\n").filter(Boolean)).toEqual(found);
  });

  it.each(["bash", "zsh", "fish"])("has a script for %s", async (shell) => {
    const { code, out } = await run(["completion", shell]);
    expect([code, out.includes("svc __complete")]).toEqual([0, true]);
  });
});

describe("svc login after too many wrong passwords", () => {
  const refusal = (status: number, reason: string) =>
    Response.json(
      {
        error: {
          code: status === 429 ? "rate_limited" : "unauthorized",
          message: "x",
          request_id: "req_1",
          details: { reason },
        },
      },
      { status, headers: status === 429 ? { "retry-after": "27" } : {} },
    );

  it.each([
    ["the account takes a code", [refusal(401, "code_required")], [undefined, "12345678"]],
    [
      "the network is limited",
      [refusal(429, "code_accepted"), refusal(401, "code_required")],
      [undefined, "", "12345678"],
    ],
  ])("asks for the code when %s, without waiting", async (_, refusals, codes) => {
    const asked: string[] = [];
    const sent: unknown[] = [];
    const answers = [...refusals];
    const said = { err: "" };
    const own = mkdtempSync(path.join(os.tmpdir(), "svc-home-"));
    const io: Io = {
      stdout: { write: () => undefined, isTTY: false },
      stderr: { write: (text) => (said.err += text) },
      env: { HOME: own, SVC_BASE_URL: "https://svc.example" },
      ask: async (question) => {
        asked.push(question);
        return question.startsWith("Code") ? "12345678 " : "ada@example.com";
      },
      input: () => new Blob([]).stream(),
      hostname: "laptop",
      fetch: async (url, { body }) => {
        if (url.endsWith("/v1/keys")) return Response.json({ id: "key_1", key: KEY });
        sent.push((JSON.parse(String(body)) as { code?: string }).code);
        return answers.shift() ?? Response.json({ access_token: "a.b.c" });
      },
    };
    expect(await main(["login"], io)).toBe(0);
    expect([asked, sent]).toEqual([["Email: ", "Password: ", "Code: "], codes]);
    expect(said.err).toContain("also needs a code");
    rmSync(own, { recursive: true });
  });
});
