import { expect, it, vi } from "vitest";
import { Reply } from "../../operation/reply";
import { replyText } from "./reply-text";

const encoder = new TextEncoder();

const endless = (cancel: () => void) =>
  new Reply(
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(encoder.encode("part")), cancel }),
  );

async function textOf(reply: Reply): Promise<string> {
  let text = "";
  for await (const part of replyText(reply, undefined)) text += part;
  return text;
}

it("joins characters whose bytes arrive in two parts", async () => {
  const bytes = encoder.encode("é");
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await textOf(new Reply(body))).toBe("é");
  expect(await textOf(new Reply("whole"))).toBe("whole");
});

it("cancels the body when reading ends early", async () => {
  const cancel = vi.fn();
  for await (const part of replyText(endless(cancel), undefined)) {
    expect(part).toBe("part");
    break;
  }
  expect(cancel).toHaveBeenCalledOnce();
});

it("cancels the body of a call that was aborted, before and after it is read", () => {
  for (const isLate of [true, false]) {
    const [cancel, controller] = [vi.fn(), new AbortController()];
    if (!isLate) controller.abort();
    replyText(endless(cancel), controller.signal);
    controller.abort();
    expect(cancel).toHaveBeenCalledOnce();
  }
});
