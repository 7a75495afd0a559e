import { describe, expect, it } from "vitest";
import { adsTest, call, makeAdvertiser, refusal } from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { requestReview } from "./request-review";
import { reviewAdvertiser } from "./review-advertiser";
import { updateAdvertiser } from "./update-advertiser";
import { verifyDomain } from "./verify-domain";

/** What the owner of a domain published, by location. */
const published = new Map<string, string>();
const sent: { to: string; subject: string; text: string }[] = [];
const mail = {
  delivery: "outbox",
  send: async (_: unknown, email: (typeof sent)[number]) => void sent.push(email),
  tasks: { send_email: async () => undefined },
} as const;
const found = (place: string) => {
  const text = published.get(place);
  if (text === undefined) throw new Error("Nothing is published.");
  return text;
};
const ads = await openForFile(
  adsTest({
    automaticReview: false,
    domainSources: { records: async (name) => ["v=spf1 -all", found(name)], file: async (url) => found(url) },
  }),
);
const tenant = await ads.tenant();
await ads.db.user.create({
  data: {
    id: "usr_owner",
    email: "owner@shop.example",
    passwordHash: "",
    createdAt: ads.clock.now(),
    memberships: { create: { tenantId: tenant.id, role: "owner", createdAt: ads.clock.now() } },
  },
});
const ctx = tenant.key("live");

const verify = (id: string) => call(ctx, verifyDomain, { id });
const request = (id: string) => call(ctx, requestReview, { id });
const change = (id: string, fields: object) => call(ctx, updateAdvertiser, { id, ...fields });
const decide = (id: string, decision: "approved" | "rejected", note?: string) =>
  reviewAdvertiser({ db: ads.db, clock: ads.clock, mail }, { id, decision, ...(note && { note }) });

/** Creates an advertiser with its own domain, whose owner published the token. */
async function verified(domain: string) {
  const { id, domain_verification: proof } = await makeAdvertiser(ctx, { domain });
  published.set(proof?.dns_name ?? "", proof?.token ?? "");
  return verify(id);
}

describe("a domain", () => {
  it.each([
    ["TXT record", "dns_name"],
    ["file", "file_url"],
  ] as const)("is verified by its %s, and not if that has another text", async (_, place) => {
    const { id, domain_verification: proof } = await makeAdvertiser(ctx, { domain: `${place.slice(0, 3)}.example` });
    const where = proof?.[place] ?? "";
    const unverified = { code: "conflict", details: { reason: "domain_not_verified" } };
    expect(await refusal(verify(id))).toMatchObject(unverified);
    published.set(where, `${proof?.token}x`);
    expect(await refusal(verify(id))).toMatchObject(unverified);
    published.set(where, `${proof?.token}\n`);
    expect((await verify(id)).domain_verified_at).toBe(ads.clock.now().toISOString());
  });

  it("is verified only by its own token, and must be verified again after a change", async () => {
    const { id } = await verified("mine.example");
    const other = await makeAdvertiser(ctx, { domain: "mine.example" });
    expect((await refusal(verify(other.id))).code).toBe("conflict");
    expect((await change(id, { domain: "yours.example" })).domain_verified_at).toBeNull();
    expect((await refusal(verify(id))).code).toBe("conflict");
    expect((await change(id, { domain: null })).domain_verification).toBeNull();
    expect(await refusal(verify(id))).toMatchObject({ details: { reason: "no_domain" } });
  });
});

describe("a review", () => {
  it("is requested for a verified domain, and the owners receive the decision", async () => {
    const made = await makeAdvertiser(ctx, { domain: "later.example" });
    expect(await refusal(request(made.id))).toMatchObject({ details: { reason: "domain_not_verified" } });
    expect(await refusal(decide(made.id, "approved"))).toMatchObject({ details: { reason: "domain_not_verified" } });
    const { id } = await verified("brand.example");
    expect((await request(id)).review).toBe("pending");
    await decide(id, "rejected", "The icon is not yours.");
    expect(await request(id)).toMatchObject({ review: "pending", review_note: "The icon is not yours." });
    await decide(id, "approved");
    expect((await request(id)).review).toBe("approved");
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["owner@shop.example", "Advertiser rejected: Acme"],
      ["owner@shop.example", "Advertiser approved: Acme"],
    ]);
    expect(sent[0]?.text).toContain("The icon is not yours.");
    const actions = await ads.db.auditEntry.findMany({ where: { action: { startsWith: "advertiser." } } });
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["advertiser.domain_verified", "advertiser.review_requested", "advertiser.approved"]),
    );
  });

  it.each([
    ["name", { name: "Famous Brand" }, "pending"],
    ["domain", { domain: "other.example" }, "pending"],
    ["icon", { icon_url: "https://cdn.example/other.png" }, "pending"],
    ["nothing", { name: "Acme" }, "approved"],
  ])("is required again after a change of the %s", async (what, fields, expected) => {
    const { id } = await verified(`${what}-change.example`);
    await decide(id, "approved");
    expect((await change(id, fields)).review).toBe(expected);
  });
});
