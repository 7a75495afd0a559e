import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { readRequest } from "./s3-request";

/** Node has the bytes of a header as characters of Latin-1. */
const requestWith = (name: string, bytes: Buffer) => {
  const rawHeaders = ["host", "s3.example", name, bytes.toString("latin1")];
  const incoming = { method: "PUT", url: "/v1/s3/bucket/key", headers: { host: "s3.example" }, rawHeaders };
  const meta = { requestId: "req_1", address: "127.0.0.1", userAgent: "" };
  return readRequest(incoming as unknown as IncomingMessage, meta, undefined);
};

it("reads headers as UTF-8", () => {
  expect(requestWith("X-Amz-Meta-City", Buffer.from("Zürich")).headers.get("x-amz-meta-city")).toBe("Zürich");
});

it.each(["x-amz-meta-city", "x-amz-tagging", "x-amz-copy-source", "Content-Disposition", "Cache-Control", "Expires"])(
  "refuses a %s that is not UTF-8: it would be stored as another text",
  (name) => {
    expect(() => requestWith(name, Buffer.from("Z\xfcrich", "latin1"))).toThrow(
      expect.objectContaining({ code: "InvalidArgument", message: expect.stringContaining(name.toLowerCase()) }),
    );
  },
);

it("takes any bytes in headers that are stored nowhere", () => {
  expect(requestWith("User-Agent", Buffer.from("Z\xfcrich", "latin1")).headers.get("user-agent")).toContain("rich");
});
