import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { inputFailure, inputIssues, issueText } from "./input-failure";

const Order = z.strictObject({
  id: z.string(),
  count: z.number().int().min(1).max(8),
  kind: z.enum(["a", "b"]).optional(),
  name: z.string().min(2).max(3).optional(),
  share: z.number().gt(0).optional(),
  list: z
    .array(z.object({ ok: z.boolean() }))
    .max(1)
    .optional(),
  own: z.string().min(3, "expected a long name").optional(),
  tags: z.record(z.string().min(2), z.string()).optional(),
});

beforeAll(() => z.config({ customError: issueText }));
afterAll(() => z.config({ customError: undefined }));

const issuesOf = (input: unknown) => inputIssues(Order.safeParse(input).error ?? new z.ZodError([]));
const messagesOf = (input: object) =>
  issuesOf({ id: "x", count: 1, ...input }).map(({ param, message }) => `${param}: ${message}`);

test("a sentence names the field and what was expected", () => {
  expect(issuesOf({ count: 1 })).toEqual([{ param: "id", message: "missing, expected text." }]);
  expect(messagesOf({ id: 7 })).toEqual(["id: expected text, not a number."]);
  expect(messagesOf({ count: 9 })).toEqual(["count: expected a number of at most 8."]);
  expect(messagesOf({ count: 0 })).toEqual(["count: expected a number of at least 1."]);
  expect(messagesOf({ count: 1.5 })).toEqual(["count: expected a whole number."]);
  expect(messagesOf({ share: 0 })).toEqual(["share: expected a number of more than 0."]);
  expect(messagesOf({ kind: "c" })).toEqual(['kind: expected one of "a", "b".']);
  expect(messagesOf({ name: "n" })).toEqual(["name: expected at least 2 characters."]);
  expect(messagesOf({ list: [{ ok: true }, { ok: true }] })).toEqual(["list: expected at most 1 entry."]);
  expect(messagesOf({ list: [{ ok: "yes" }] })).toEqual(["list[0].ok: expected true or false, not text."]);
  expect(messagesOf({ tags: { a: "b" } })).toEqual([
    "tags.a: a name that cannot be used: expected at least 2 characters.",
  ]);
  expect(messagesOf({ other: 1 })).toEqual(["other: this field is not known here; leave it out."]);
});

test("a schema's own messages are kept", () => {
  expect(messagesOf({ own: "ab" })).toEqual(["own: expected a long name."]);
});

test("an input that is not an object is reported as the body", () => {
  const { error } = Order.safeParse(7);
  expect(error && inputFailure(error)).toMatchObject({
    code: "invalid_request",
    param: "body",
    message: "body: expected an object, not a number.",
  });
});
