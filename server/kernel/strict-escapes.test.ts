import { expect, it } from "vitest";
import { escapesRefusal } from "./strict-escapes";

it.each([
  ["name=caf%E9", "%E9"],
  ["a=%C3%A9&b=%C3%A9%FF", "%FF"],
  ["%E2%82", "%E2"],
  ["%ed%a0%80", "%ed"],
])("%s has an escape that is not UTF-8: %s", (text, byte) => {
  expect(escapesRefusal(text, "The query")).toMatchObject({
    code: "invalid_request",
    message: `The query has the percent-encoded byte ${byte}, which is not UTF-8 text. Encode the bytes of UTF-8.`,
  });
});

it.each(["", "a=b", "100%", "%zz=%", "%C3%A9", "%F0%9F%A7%AD%20%EF%BF%BD", "%25E9"])("%s has none", (text) => {
  expect(escapesRefusal(text, "The query")).toBeUndefined();
});
