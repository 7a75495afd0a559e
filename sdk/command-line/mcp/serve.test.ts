import { expect, it } from "vitest";
import { typeLine } from "../../../test/factories/typed-line";

const KEY = `svc_test_${"a".repeat(48)}`;
const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":{\n"n":9007199254740993,"x":1.0}}';

it.each([
  ["application/json", MESSAGE],
  [
    "Text/Event-Stream; charset=UTF-8",
    `event: message\r\n${MESSAGE.replace(/^/gm, "data: ").replaceAll("\n", "\r\n")}\r\n\r\n`,
  ],
])("svc mcp serve passes on a message in %s as it came, on one line", async (type, body) => {
  const sent: unknown[] = [];
  const fetch = async (_: string, { body: text }: RequestInit) => {
    sent.push(text);
    return new Response(body, { headers: { "content-type": type } });
  };
  const input = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n":18446744073709551615}}';
  const { done, said } = typeLine(["mcp", "serve"], { key: KEY, svc: "http://svc.test", fetch, input });
  expect([await done, said.out, sent]).toEqual([0, `${MESSAGE.replace("\n", " ")}\n`, [input]]);
});
