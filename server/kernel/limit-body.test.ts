import { describe, expect, it } from "vitest";
import { type BodyLimits, limitBody } from "./limit-body";

/** A body of these chunks that never ends if `stalls` is set. */
function bodyOf(pieces: string[], { stalls = false } = {}): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = left.shift();
      if (piece !== undefined) return controller.enqueue(Buffer.from(piece));
      if (stalls) return new Promise(() => undefined);
      controller.close();
    },
  });
}

const read = (body: ReadableStream<Uint8Array>, limits: BodyLimits): Promise<string> =>
  new Response(limitBody(body, limits)).text();

describe("a body with limits", () => {
  it("arrives completely within them", async () => {
    expect(await read(bodyOf(["a", "bc", ""]), { bytesMax: 3, totalMs: 5000, idleMs: 5000 })).toBe("abc");
  });

  it("is rejected one byte past its limit", async () => {
    await expect(read(bodyOf(["a", "bcd"]), { bytesMax: 3 })).rejects.toMatchObject({ code: "payload_too_large" });
  });

  it.each([
    ["between two chunks", { idleMs: 30 }],
    ["as a whole", { totalMs: 30 }],
  ])("is rejected when it stalls %s", async (_, limits) => {
    const refusal = { code: "invalid_request", param: "body", details: { reason: "stalled" } };
    await expect(read(bodyOf(["a"], { stalls: true }), limits)).rejects.toMatchObject(refusal);
  });

  it("is rejected when its chunks take longer than the total time", async () => {
    const trickle = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        controller.enqueue(Buffer.from("."));
      },
    });
    await expect(read(trickle, { totalMs: 60, idleMs: 5000 })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("is not read ahead of its reader", async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulls += 1;
          controller.enqueue(Buffer.from("."));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = limitBody(source, { idleMs: 5000 }).getReader();
    await reader.read();
    expect(pulls).toBe(1);
  });
});
