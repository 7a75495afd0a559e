import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { Advertiser, advertiserOf, advertiserTarget, ownAdvertiser, verificationOf } from "./advertiser";
import { advertiserExample } from "./advertiser.example";
import { lockAdvertiser } from "./advertiser.sql";
import type { AdvertiserCtx } from "./advertiser-ctx";

/**
 * Looks for an advertiser's token in its domain's TXT record and verification file, and stores when it was found.
 * Throws `not_found`, and `conflict` if the advertiser has no domain or the token is in neither place.
 */
export const verifyDomain = operation({
  id: "verifyAdvertiserDomain",
  summary: "Verify an advertiser's domain by its TXT record or file",
  access: "ads:write",
  cost: "bulk",
  input: z.strictObject({ id }),
  output: Advertiser,
  example: { input: { id: advertiserExample.id }, output: advertiserExample },
  run: async (ctx: ActorCtx & Pick<AdvertiserCtx, "automaticReview" | "domainSources">, input) => {
    const { db, clock, actor, automaticReview } = ctx;
    const requested = await ownAdvertiser(ctx, input.id);
    if (requested.domain === null) throw noDomain();
    await findToken(ctx, { domain: requested.domain, token: requested.domainToken });
    return db.$transaction(async (tx) => {
      await lockAdvertiser(tx, requested.id);
      const before = await ownAdvertiser({ db: tx, actor }, requested.id);
      if (before.domain !== requested.domain) throw changedDomain();
      const data = { domainVerifiedAt: clock.now() };
      const row = await tx.advertiser.update({ where: { id: requested.id }, data });
      const details = { domain: requested.domain };
      await recordAudit(tx, ctx, { action: "advertiser.domain_verified", targets: [advertiserTarget(row)], details });
      return advertiserOf(row, automaticReview);
    });
  },
});

async function findToken(
  { domainSources }: ActorCtx & Pick<AdvertiserCtx, "domainSources">,
  { domain, token }: { domain: string; token: string },
): Promise<void> {
  const { dns_name, file_url } = verificationOf(domain, token);
  const [records, file] = await Promise.allSettled([domainSources.records(dns_name), domainSources.file(file_url)]);
  if (records.status === "fulfilled" && records.value.some((text) => text.trim() === token)) return;
  if (file.status === "fulfilled" && file.value.trim() === token) return;
  const why = (outcome: PromiseSettledResult<unknown>) =>
    outcome.status === "rejected" ? (outcome.reason as Error).message : "It has a different text.";
  const message = `The token was not found. TXT record ${dns_name}: ${why(records)} File ${file_url}: ${why(file)}`;
  throw new ServiceError("conflict", message, { param: "id", details: { reason: "domain_not_verified" } });
}

export const noDomain = (): ServiceError =>
  new ServiceError("conflict", "This advertiser has no domain; set one first.", {
    param: "id",
    details: { reason: "no_domain" },
  });

const changedDomain = (): ServiceError =>
  new ServiceError("conflict", "The domain changed during the verification; verify the new one.", { param: "id" });
