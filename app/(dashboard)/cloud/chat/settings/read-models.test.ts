import { expect, it } from "vitest";
import { modelLines, modelsIn } from "./read-models";

const MODEL = {
  name: "small",
  upstream_name: "vendor/small",
  kind: "chat" as const,
  context: 8000,
  input_price: "0.15",
  output_price: "0.60",
};

it("keeps what a line does not show of a model", () => {
  expect(modelsIn(modelLines([MODEL]), [MODEL])).toEqual([MODEL]);
  expect(modelsIn("small 1 2\n\n other ", [MODEL])).toEqual([
    { ...MODEL, input_price: "1", output_price: "2" },
    { name: "other" },
  ]);
});

it("says which line is wrong", () => {
  expect(() => modelsIn("small 1", [])).toThrow("small 0.15 0.60");
});
