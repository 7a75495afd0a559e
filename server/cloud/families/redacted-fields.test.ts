import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { redactionsOf } from "../core/specs/sealed-fields";
import { redactedSpec, withKeptValues } from "../core/specs/specs";
import { FAMILIES } from "./cloud-families";

const MARK = "Mk7f3a9c";
/** Longer than names are. */
const LONG = MARK.repeat(20);
/** What people put their secrets into. */
const HOLDING_SECRETS = [`#!/bin/sh\nexport PASSWORD=${LONG}`, `https://host.example/model?signature=${LONG}`];

const kinds = FAMILIES.list().flatMap(({ plane, service, kinds: all }) =>
  Object.entries(all).map(([kind, { spec }]) => ({ name: `${plane} ${service} ${kind}`, spec })),
);

const fieldsOf = (spec: z.ZodType) =>
  Object.entries((spec as unknown as { shape: Record<string, z.ZodType> }).shape).map(([name, field]) => ({
    name,
    takes: HOLDING_SECRETS.filter((text) => field.safeParse(text).success),
  }));

describe.each(kinds)("a spec of $name", ({ spec }) => {
  it("marks each field that takes a program or a URL with a query", () => {
    const marked = redactionsOf(spec).map(([name]) => name);
    const taking = fieldsOf(spec).filter(({ takes }) => takes.length > 0);
    expect(taking.map(({ name }) => name).sort()).toEqual(marked.sort());
  });

  it("shows nothing of them, and keeps what comes back as it was shown", () => {
    const given = Object.fromEntries(fieldsOf(spec).map(({ name, takes }) => [name, takes[0] ?? "plain"]));
    const shown = redactedSpec(spec, given);
    expect(JSON.stringify(shown)).not.toContain(MARK);
    expect(withKeptValues(spec, shown, given)).toEqual(given);
    for (const [name] of redactionsOf(spec)) {
      expect(withKeptValues(spec, { ...shown, [name]: "new" }, given)).toEqual({ ...given, [name]: "new" });
    }
  });
});

it("shows host and path of a URL, and an empty text as it is", () => {
  const endpoint = kinds.find(({ name }) => name === "gpuc inference endpoint")?.spec as z.ZodType;
  const shown = (tensorizer_uri: string) => redactedSpec(endpoint, { tensorizer_uri }).tensorizer_uri;
  expect(shown("https://a.example/m?token=1")).toBe("https://a.example/m?[redacted]");
  expect(shown("https://user:word@a.example/m")).toBe("https://a.example/m?[redacted]");
  expect(shown("s3://bucket/m.tensors")).toBe("s3://bucket/m.tensors");
  const instance = kinds.find(({ name }) => name === "gpuc gpu instance")?.spec as z.ZodType;
  expect(redactedSpec(instance, { user_data: "" })).toEqual({ user_data: "" });
});
