import { expect, it } from "vitest";
import { linesToOpen, tooLong } from "../boundaries/count-tree.mjs";
import { functionLengths, valueImports } from "../boundaries/read-source.mjs";

it("a function is as long as from the line of its head to its closing brace", () => {
  const source = `
    export function first(a: string): { b: string } {
      if (a) {
        return { b: "}" };
      }
      return { b: \`{\${a.replace(/[}/]/g, "{")}\` };
    }
    const second = async (
      a: number,
      b: number,
    ): Promise<number> => {
      return a + b; // }
    };
    class Third {
      method() { return 1; }
    }
    const value = { notOne: true };`;
  expect(functionLengths(source).sort((a: number, b: number) => a - b)).toEqual([1, 6, 6]);
});

it("a file imports the values that it names, and not types alone", () => {
  const texts = new Map([
    [
      "a/one.ts",
      `import type { A } from "./types";\nimport { type B } from "./types";\nimport {\n  type C,\n  two,\n} from "./two";\nimport x from "pg";\nexport { y } from "../b/three";`,
    ],
    ["a/two.ts", ""],
    ["a/types.ts", ""],
    ["b/three.ts", ""],
  ]);
  expect(valueImports(texts, "a/one.ts")).toEqual(["a/two.ts", "b/three.ts"]);
});

it("a generated file that nobody can read in a review is found, whatever npm's lock file has", () => {
  const files = [
    { file: "test/contract/openapi/platform/pods.txt", lines: 2_000 },
    { file: "sdk/generated/platform-types.ts", lines: 2_001 },
    { file: "package-lock.json", lines: 20_000 },
    { file: "server/written.ts", lines: 3_000 },
  ];
  expect(tooLong(files)).toEqual(["sdk/generated/platform-types.ts: 2001 lines, of 2000 at most in a generated file"]);
});

it("a reader opens the operation, what it reaches in its folder and one file further, without examples and what a creation does not run", () => {
  const lines = (count: number, ...imports: string[]) =>
    [...imports.map((one) => `import { x } from "${one}";`), ..."x".repeat(count - imports.length)].join("\n");
  const texts = new Map([
    ["server/p/things/create-thing.ts", lines(10, "./thing", "../rows/insert-row", "./thing.example")],
    ["server/p/things/thing.ts", lines(20)],
    ["server/p/things/thing.example.ts", lines(1000)],
    ["server/p/rows/insert-row.ts", lines(30, "./behind")],
    ["server/p/rows/behind.ts", lines(1000)],
    ["server/p/families/thing-family.ts", lines(40, "../engines/create-engine", "../engines/delete-engine")],
    ["server/p/engines/create-engine.ts", lines(50)],
    ["server/p/engines/delete-engine.ts", lines(1000)],
  ]);
  const from = [["/things/create-thing.ts"], ["/families/thing-family.ts"]];
  expect(linesToOpen(texts, { row: ["/families/thing-family.ts"], from })).toBe("150 in 5 files");
});
