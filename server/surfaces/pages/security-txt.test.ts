import { expect, it } from "vitest";
import { readConfig } from "../../config";
import { ManualClock } from "../../kernel/clock";
import { securityTxtPaths } from "./security-txt";

const clock = new ManualClock(new Date("2026-11-22T00:00:00Z"));
const publicUrl = "https://svc.example";

it("names the operator's contact until half a year from now", async () => {
  const [served] = securityTxtPaths({ securityContact: "mailto:security@svc.example", publicUrl }, clock);
  expect(served?.path).toBe("/.well-known/security.txt");
  const response = await served?.answer(new Request(`${publicUrl}/.well-known/security.txt`), { address: "::1" });
  expect(response?.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response?.text()).toBe(
    [
      "Contact: mailto:security@svc.example",
      "Expires: 2027-05-21T00:00:00.000Z",
      "Preferred-Languages: en",
      "Canonical: https://svc.example/.well-known/security.txt",
      "Policy: https://svc.example/docs/security#report",
      "",
    ].join("\n"),
  );
});

it("does not exist without a contact", () => {
  expect(securityTxtPaths({ securityContact: undefined, publicUrl }, clock)).toEqual([]);
});

it.each(["security@svc.example", "javascript:alert(1)", "mailto:a@b\nContact: evil", "http://plain.example"])(
  "refuses the contact %j",
  (contact) => {
    expect(() => readConfig({ NODE_ENV: "test", SVC_SECURITY_CONTACT: contact })).toThrow(
      /SVC_SECURITY_CONTACT: expected/,
    );
  },
);
