import { describe, expect, test } from "vitest";
import { VisitorId } from "./visitor-id";

const isTaken = (id: string) => VisitorId.safeParse(id).success;

describe("personal data", () => {
  test.each([
    "ada@example.com",
    " ada@example.com ",
    "user:ada.lovelace+shop@mail.example.co.uk",
    "ada%40example.com",
    "+4915112345678",
    "+1 (555) 123-4567",
    "%2B15551234567",
    "(030) 1234567",
    "0151 12345678",
    "555-123-4567",
    "01.23.45.67.89",
  ])("%s is rejected", (id) => {
    expect(isTaken(id)).toBe(false);
  });

  test.each([
    "",
    "u1",
    "8f14e45fceea167a5a36dedd4bea2543",
    "550e8400-e29b-41d4-a716-446655440000",
    "123456789",
    "15551234567",
    "2026112101020304",
    "user_123-456-7890",
    "@ada",
    "ada@localhost",
    "a".repeat(256),
    "auth0|64f0c0ffee",
    "12345-67890",
  ])("%s passes", (id) => {
    expect(isTaken(id)).toBe(true);
  });

  test("the error says what to send instead", () => {
    const [issue] = VisitorId.safeParse("ada@example.com").error?.issues ?? [];
    expect(issue?.message).toContain("keyed hash");
  });
});
