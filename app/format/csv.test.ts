import { expect, it } from "vitest";
import { csvOf } from "./csv";

it("quotes what needs quotes, and keeps text from being read as a formula", () => {
  expect(
    csvOf([
      ["line", "id"],
      [2, 'a "b", c'],
      [-3, "=1+1"],
      ["-0.25", "-1+1"],
    ]),
  ).toBe('line,id\r\n2,"a ""b"", c"\r\n-3,\'=1+1\r\n-0.25,\'-1+1\r\n');
});
