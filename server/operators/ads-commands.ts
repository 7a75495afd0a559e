import { z } from "zod";
import { ReviewAdvertiser, reviewAdvertiser } from "../ads/advertisers/review-advertiser";
import { type Balance, balanceOf } from "../ads/balances/balance";
import { CreditTenant, creditTenant } from "../ads/balances/credit-tenant";
import { type Command, command, requireTenant, Tenant } from "./command";
import { listAllAdvertisers, ReviewState } from "./list-all-advertisers";
import type { CommandResult, OperatorCtx } from "./operator-ctx";
import { table } from "./table";

const MICROS = 1_000_000;

/** An amount in units of the billing currency, converted to micros. */
const Amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, "<amount>: expected units of the billing currency, for example 250 or 12.50")
  .transform((amount) => Math.round(Number(amount) * MICROS));
const AdvertiserId = z.string().startsWith("adv_", "<advertiser>: expected an id that begins with adv_");
const Note = z.object({ note: z.string().max(500).optional() });

/** Commands for publishers and advertisers. */
export const ADS_COMMANDS: readonly Command[] = [
  command({
    name: "credit",
    usage: "<tenant> <amount> [--note <text>]",
    about: "adds to a tenant's prepaid balance, which its network campaigns spend on other tenants' channels",
    operands: z.tuple([Tenant, Amount]),
    texts: Note,
    run: async (ctx, [tenant_id, amount_micros], { texts }) => {
      const json = await creditTenant(ctx, CreditTenant.parse({ tenant_id, amount_micros, note: texts.note }));
      return { text: `Credited ${tenant_id}. ${sentence(json)}`, json };
    },
  }),
  command({
    name: "balance",
    usage: "<tenant>",
    about: "shows a tenant's prepaid balance",
    operands: z.tuple([Tenant]),
    run: async (ctx, [tenantId]) => {
      await requireTenant(ctx, tenantId);
      const json = balanceOf(await ctx.db.tenantBalance.findUnique({ where: { tenantId } }), ctx.currency);
      return { text: sentence(json), json };
    },
  }),
  command({
    name: "advertisers list",
    usage: "[--review unreviewed|pending|approved|rejected]",
    about: "lists advertisers by review state, least recently changed first; default: pending",
    operands: z.tuple([], "expected no arguments"),
    texts: z.object({ review: ReviewState.default("pending") }),
    run: async (ctx, _, { texts }) => {
      const json = await listAllAdvertisers(ctx, texts);
      const rows = json.map((line) => [
        line.id,
        line.mode,
        line.name,
        line.domain ?? "",
        line.domain_verified_at ?? "not verified",
        line.tenant_id,
        line.updated_at,
      ]);
      return { text: table(["ID", "MODE", "NAME", "DOMAIN", "DOMAIN VERIFIED", "TENANT", "CHANGED"], rows), json };
    },
  }),
  command({
    name: "advertisers approve",
    usage: "<advertiser> [--note <text>]",
    about: "allows an advertiser's network campaigns on channels of other tenants",
    operands: z.tuple([AdvertiserId]),
    texts: Note,
    run: (ctx, [id], { texts }) => decide(ctx, { id, decision: "approved", ...texts }),
  }),
  command({
    name: "advertisers reject",
    usage: "<advertiser> --note <text>",
    about: "excludes an advertiser's campaigns from channels of other tenants and notifies its owners of the reason",
    operands: z.tuple([AdvertiserId]),
    texts: z.object({ note: z.string("--note: expected a reason").max(500) }),
    run: (ctx, [id], { texts }) => decide(ctx, { id, decision: "rejected", ...texts }),
  }),
];

async function decide(ctx: OperatorCtx, input: z.input<typeof ReviewAdvertiser>): Promise<CommandResult> {
  const { id, name, tenantId, review } = await reviewAdvertiser(ctx, ReviewAdvertiser.parse(input));
  return { text: `${id} (${name}) of ${tenantId} is ${review}.`, json: { id, tenant_id: tenantId, name, review } };
}

const sentence = ({ available_micros, credited_micros, spent_micros, currency }: Balance): string => {
  const [available, credited, spent] = [available_micros, credited_micros, spent_micros].map(
    (micros) => `${(micros / MICROS).toFixed(2)} ${currency}`,
  );
  return `Available: ${available} (credited ${credited}, spent ${spent}).`;
};
