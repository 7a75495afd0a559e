import { expect, it } from "vitest";
import { textOf } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { redactBytes } from "./redact-bytes";

const SECRET = "pässword-1234";

it("replaces a secret that is split across parts, also one outside ASCII, and changes no other byte", async () => {
  const output = redactBytes([SECRET]);
  const bytes = Buffer.concat([Buffer.from([0xff, 0x80]), Buffer.from(`<${SECRET}>`), Buffer.from([0xc3])]);
  for (const byte of bytes) output.write(Buffer.from([byte]));
  output.end();
  const parts: Buffer[] = [];
  for await (const part of output) parts.push(part as Buffer);
  expect(Buffer.concat(parts).toString("latin1")).toBe("\xff\x80<[redacted]>\xc3");
});

it("shows what could begin a value without waiting for more", async () => {
  const output = redactBytes([SECRET]);
  output.write("p");
  await waitFor(() => expect(String(output.read())).toBe("p"), { interval: 5 });
  output.end();
  expect(await textOf(output)).toBe("");
});
