import type { z } from "zod";
import { type Blocker, type Kind, type PlanStep, SELDOM_SECONDS } from "../../core/kinds/kind";
import { ByoipSpec, DxPortSpec } from "./network-spec";

/** Always a placeholder: the installation is part of no network of other operators. */
const planned = <S>(
  spec: z.ZodType<S>,
  { blocker, plan }: { blocker: Blocker; plan: (spec: S) => PlanStep[] },
): Kind<S> => ({
  spec,
  driftSeconds: SELDOM_SECONDS,
  blockerOf: async () => blocker,
  plan,
  provision: async () => ({ is: "absent" }),
  observe: async () => new Map(),
  remove: async () => true,
  suspend: async () => true,
});

const remedy = "The operator of the installation carries out the plan; svc does not configure routers.";

/** A range of addresses that its owner brings. */
export const byoipKind: Kind<ByoipSpec> = planned(ByoipSpec, {
  blocker: {
    code: "needs_network",
    message: "This installation announces no addresses: it has no autonomous system and no BGP session.",
    remedy,
  },
  plan: ({ cidr, asn }) => [
    {
      step: "authorize",
      what: `A letter of authorization for ${cidr}, signed by its holder`,
      proof: "The record of the RIR names the signer",
    },
    {
      step: "roa",
      what: `A ROA for ${cidr} with ${asn === undefined ? "the AS of the installation" : `AS${asn}`} and the same maximum length`,
      proof: `An RPKI validator says "valid" for ${cidr}`,
    },
    {
      step: "session",
      what: "A BGP session with the transit provider, which accepts the prefix by an IRR route object",
      proof: "The session is Established",
    },
    {
      step: "announce",
      what: `The announcement of ${cidr}`,
      proof: "A looking glass of another network shows the route",
    },
    { step: "assign", what: `Addresses of ${cidr} for eip`, proof: "A TCP client on the internet connects to one" },
  ],
});

/** A port in a data center for a network of the tenant. */
export const dxPortKind: Kind<DxPortSpec> = planned(DxPortSpec, {
  blocker: {
    code: "needs_network",
    message: "This installation has no router with ports for networks of tenants.",
    remedy,
  },
  plan: ({ bandwidth, location, vlan }) => [
    {
      step: "port",
      what: `A free port of ${bandwidth} in ${location ?? "the data center of the installation"}`,
      proof: "The inventory of the data center shows it as reserved",
    },
    {
      step: "loa",
      what: "A letter of authorization and connecting facility assignment (LOA-CFA) for the cross connect",
      proof: "The data center accepts the order",
    },
    {
      step: "cross_connect",
      what: "A single-mode fiber between the two cages",
      proof: "Both ends report light and the link is up",
    },
    {
      step: "vlan",
      what: `VLAN ${vlan ?? "that the operator chooses"} (802.1Q) with a /31 of addresses`,
      proof: "Each router pings the other",
    },
    {
      step: "bgp",
      what: "A BGP session with MD5 authentication over the VLAN",
      proof: "The session is Established, with the prefixes of both sides",
    },
  ],
});
