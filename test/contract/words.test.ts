import { expect, it } from "vitest";
import { findWords } from "../boundaries/check-words.mjs";

it("finds a planted word and says what to write instead", () => {
  expect(findWords("server/a.ts", "// fine\n/** Read anew by whoever hears of it. */")).toEqual([
    "server/a.ts:2: anew -> again",
    "server/a.ts:2: whoever -> anyone who, the client that",
    "server/a.ts:2: hears -> receives, is notified",
  ]);
});

it("finds texts in which things have senses or a will, and words of the specification", () => {
  const planted: [file: string, line: string, instead: string][] = [
    ["server/a.ts", '.describe("Prices: the specification has none for these SKUs")', "the reason itself"],
    ["server/a.ts", '{ title: "Ask it", command }', "Call the model"],
    ["server/a.ts", '.describe("What was seen of its effect last")', "the last observation"],
    ["server/a.ts", 'log.warn({}, "cannot tell a machine of its private networks")', "cannot send"],
    ["server/a.ts", 'refuse(field, "it stays as it was at the creation.")', "cannot be changed"],
    ["server/a.ts", '.describe("null: the machine does not tell")', "reports, has"],
    ["server/a.ts", '"the work goes on"', "continue"],
    ["server/a.ts", 'purpose: "look after pods"', "maintain"],
    ["app/a.tsx", "<p>Upstreams are asked in order.</p>", "called, contacted, sent"],
    ["app/a.tsx", "<p>A key sees its own project.</p>", "reads"],
    ["app/a.tsx", "<p>Messages that nobody acknowledges are deleted.</p>", "not acknowledged"],
  ];
  for (const [file, line, instead] of planted)
    expect(findWords(file, line), line).toEqual([expect.stringMatching(new RegExp(`-> ${instead}$`))]);
});

it("lets people ask, see and know, and leaves tests and identifiers of the server alone", () => {
  const fine: [file: string, line: string][] = [
    ["app/a.tsx", "<p>Ask the operator for credit.</p>"],
    ["app/a.tsx", "<p>Anyone who knows the address can read it.</p>"],
    ["server/a.ts", "const seen = asked ?? (await look(ctx));"],
    ["server/a.test.ts", 'it("goes on after a failure", () => {});'],
  ];
  expect(fine.flatMap(([file, line]) => findWords(file, line))).toEqual([]);
});

it("leaves words alone that only contain one of the list, and those of other folders", () => {
  expect(findWords("server/a.ts", "// recommended, heard of in renewal")).toEqual([]);
  expect(findWords("server/ads/a.ts", "// letters that repeat")).toEqual([]);
  expect(findWords("server/identity/a.ts", "// letters that repeat")).toHaveLength(1);
});

it("finds names that have been replaced, also as members and in comments", () => {
  const text = [
    "await settleRun(tx);",
    "parts.noteKeyUse(id);",
    "class LocalMachine implements Node {}",
    "const place: SecretPlace = of(machineId);",
    "/** Like `lockRunners`, without `lackOf`. */",
  ];
  expect(findWords("server/cloud/a.ts", text.join("\n"))).toEqual([
    "server/cloud/a.ts:1: settleRun -> what it does: recordExit, waitUntilStable",
    "server/cloud/a.ts:2: noteKeyUse -> recordX",
    "server/cloud/a.ts:3: LocalMachine -> node",
    "server/cloud/a.ts:4: machineId -> node",
    "server/cloud/a.ts:4: SecretPlace -> Owner",
    "server/cloud/a.ts:5: lackOf -> the terms of resource families",
    "server/cloud/a.ts:5: lockRunners -> node",
  ]);
});

it("leaves names alone that mean something else", () => {
  const text = "allSettled(alarms.settle(), notebook, noteTitle, EdgeRunner, QueuePlace, runner_up)";
  expect(findWords("server/cloud/compute/a.ts", text)).toEqual([]);
});

it("finds a runner or a machine that is a node: in code, comments, names of the wire and of files", () => {
  const planted: [file: string, line: string, found: string][] = [
    ["server/cloud/compute/pods/a.ts", "const { runnerId } = run;", "runnerId"],
    ["server/cloud/compute/pods/a.ts", "for (const runner of all) add(runner);", "runner"],
    ["server/cloud/money/a.sql.ts", "WHERE r.required_runner_id = $1", "required_runner_id"],
    ["server/cloud/net/a.ts", "/** The networks of a machine. */", "machine"],
    ["prisma/schema/pods.prisma", "/// The machine that runs it.", "machine"],
    ["app/docs/pods/page.tsx", "<Code>machine_away</Code>", "machine_away"],
    ["test/api/a.test.ts", 'reason: "no_machine"', "no_machine"],
  ];
  for (const [file, line, found] of planted)
    expect(findWords(file, line), line).toEqual([`${file}:1: ${found} -> node`]);
  expect(findWords("server/cloud/compute/pods/pod-runner.ts", "")).toEqual([
    "server/cloud/compute/pods/pod-runner.ts: its name -> node",
  ]);
});

it("leaves runners and machines alone that are no nodes", () => {
  const fine: [file: string, line: string][] = [
    ["server/engines/jobs/lost-jobs.ts", "const runnerId = id;"],
    ["server/cloud/compute/functions/function-runner.ts", 'import type { FunctionRunner } from "./function-runner";'],
    ["server/cloud/compute/nodes/a.ts", "// Pods start on the machine of svc."],
    ["server/engines/runtime/process/read-program.ts", "machine: head.readUInt16LE(18),"],
    ["server/node-agent/node-command.ts", "Runs pods of an svc on this machine"],
    ["server/cloud/compute/waits/a.ts", "const place = queue.position;"],
  ];
  expect(fine.flatMap(([file, line]) => findWords(file, line))).toEqual([]);
});

it("finds a place that is an owner, and a settled request of chat", () => {
  expect(findWords("server/cloud/core/a.ts", "const place = { tenantId, projectId, mode };")).toHaveLength(1);
  expect(findWords("server/cloud/core/a.ts", "place: { projectId: string; mode: Mode };")).toHaveLength(1);
  expect(findWords("server/cloud/ai/ledger/a.ts", "// A request is settled once.")).toHaveLength(1);
  expect(findWords("server/cloud/core/kinds/a.ts", "settled: true,")).toEqual([]);
});
