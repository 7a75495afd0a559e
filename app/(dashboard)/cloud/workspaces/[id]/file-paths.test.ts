import { expect, it } from "vitest";
import { isWithin, pathFrom, shownPath } from "./file-paths";

it("keeps what people type below the folder of the workspace", () => {
  for (const [text, path] of [
    ["src/a.py", "/workspace/src/a.py"],
    ["/../etc//./passwd", "/workspace/etc/passwd"],
    ["", "/workspace"],
  ] as const)
    expect(pathFrom(text)).toBe(path);
  expect([shownPath("/workspace/src/a.py"), shownPath("/workspace")]).toEqual(["src/a.py", ""]);
  expect([isWithin("/workspace/a/b", "/workspace/a"), isWithin("/workspace/ab", "/workspace/a")]).toEqual([
    true,
    false,
  ]);
});
