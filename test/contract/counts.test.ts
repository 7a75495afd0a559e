import { expect, it } from "vitest";
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
