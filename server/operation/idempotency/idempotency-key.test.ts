import { expect, it } from "vitest";
import { idempotencyKeyOf } from "./idempotency-key";

const UUID = "0198c0de-aaaa-7bbb-8ccc-ddddeeeeffff";

it.each([UUID, `"${UUID}"`, UUID.toUpperCase()])("treats %s as the same key", (header) => {
  expect(idempotencyKeyOf(header)).toBe(UUID);
});

it.each([
  "",
  "retry-1",
  `'${UUID}'`,
  `"${UUID}`,
  `${UUID}, ${UUID}`,
  `{${UUID}}`,
  UUID.replaceAll("-", ""),
  `${UUID}0`,
])("rejects %j and names the header", (header) => {
  expect(() => idempotencyKeyOf(header)).toThrow(
    expect.objectContaining({ code: "invalid_request", param: "Idempotency-Key" }),
  );
});
