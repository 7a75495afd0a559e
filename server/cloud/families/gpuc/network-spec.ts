import { z } from "zod";
import { ref, refersTo } from "../../core/references/reference-fields";
import { contains, isPrivate, overlap, parseCidr } from "../../net/private-networks/cidr";
import type { Subnet } from "../../net/private-networks/networks.sql";

const PREFIX_MIN = 16;
const PREFIX_MAX = 28;
const SUBNETS_MAX = 20;
const PORT_MAX = 65_535;
/** Longer ones are not accepted by other networks. */
const ROUTED_PREFIX_MAX = 24;
const ASN_MAX = 4_294_967_295;
const VLAN_MAX = 4094;

const Cidr = z.string().refine((text) => parseCidr(text) !== undefined, {
  error: "expected a range of IPv4 addresses with its first address, such as 10.0.0.0/24",
});

const SubnetSpec = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, "expected 1 to 32 of a-z, 0-9 and -, beginning with a letter")
    .describe("1 to 32 of a-z, 0-9 and -, beginning with a letter"),
  cidr: Cidr.describe("A part of that of the network, at most /28"),
});

export const VpcSpec = z
  .strictObject({
    cidr: Cidr.default("10.0.0.0/24").describe(
      `Private IPv4 addresses (RFC 1918), /${PREFIX_MIN} to /${PREFIX_MAX}; default 10.0.0.0/24. It cannot change while pods use it`,
    ),
    subnets: z
      .array(SubnetSpec)
      .min(1)
      .max(SUBNETS_MAX)
      .optional()
      .describe(`Parts of it that do not overlap, at most ${SUBNETS_MAX}; default: one, \`default\`, with all of it`),
  })
  .superRefine(({ cidr, subnets }, issue) => {
    const whole = parseCidr(cidr);
    if (!whole) return;
    if (!isPrivate(whole) || whole.prefixLength < PREFIX_MIN || whole.prefixLength > PREFIX_MAX) {
      const message = `expected private addresses from /${PREFIX_MIN} to /${PREFIX_MAX}, such as 10.0.0.0/24`;
      issue.addIssue({ code: "custom", path: ["cidr"], message });
      return;
    }
    for (const [index, subnet] of (subnets ?? []).entries()) {
      const problem = problemOf(subnet, { cidr, before: subnets?.slice(0, index) ?? [] });
      if (problem !== undefined) issue.addIssue({ code: "custom", path: ["subnets", index], message: problem });
    }
  });
export type VpcSpec = z.output<typeof VpcSpec>;

function problemOf({ name, cidr }: Subnet, of: { cidr: string; before: readonly Subnet[] }): string | undefined {
  const [own, whole] = [parseCidr(cidr), parseCidr(of.cidr)];
  if (!own || !whole) return undefined;
  if (own.prefixLength > PREFIX_MAX || !contains(whole, own))
    return `expected a part of ${of.cidr}, at most /${PREFIX_MAX}`;
  const other = of.before.find((one) => one.name === name || isOverlapping(one.cidr, cidr));
  if (!other) return undefined;
  return other.name === name ? `expected another name than ${name}` : `expected no addresses of ${other.name}`;
}

function isOverlapping(a: string, b: string): boolean {
  const [one, other] = [parseCidr(a), parseCidr(b)];
  return one !== undefined && other !== undefined && overlap(one, other);
}

export const subnetsOf = ({ cidr, subnets }: Pick<VpcSpec, "cidr" | "subnets">): readonly Subnet[] =>
  subnets ?? [{ name: "default", cidr }];

export const NatSpec = z.strictObject({
  network: ref("net", "vpc").optional().describe("The id of a vpc; default: the only one of the project"),
  egress: z.boolean().default(true).describe("false: its pods reach no public addresses"),
});
export type NatSpec = z.output<typeof NatSpec>;

/** An instance can be deleted while a port leads to it. */
const LED_TO = { onDelete: "none", allowsOthers: true } as const;

export const EipSpec = z
  .strictObject({
    target: z
      .string()
      .regex(/^(pod|res)_[0-9a-z]{26}$/, "expected the id of a pod or of an instance")
      .describe("The id of a pod or of an instance; absent: connections are not accepted yet")
      .meta(refersTo([{ service: "gpu" }, { service: "cpu" }, { service: "baremetal" }], LED_TO))
      .optional(),
    target_port: z
      .int()
      .min(1)
      .max(PORT_MAX)
      .optional()
      .describe(
        "The TCP port of it that connections reach, one of its `ports`; that of a pod takes `pods:write` as well",
      ),
  })
  .superRefine(({ target, target_port: port }, issue) => {
    if ((target === undefined) === (port === undefined)) return;
    const missing = target === undefined ? "target" : "target_port";
    issue.addIssue({ code: "custom", path: [missing], message: "expected both target and target_port, or neither" });
  });
export type EipSpec = z.output<typeof EipSpec>;

export const ByoipSpec = z.strictObject({
  cidr: Cidr.refine((text) => {
    const cidr = parseCidr(text);
    return !cidr || (cidr.prefixLength <= ROUTED_PREFIX_MAX && cidr.prefixLength >= 8 && !isPrivate(cidr));
  }, `expected public addresses, /8 to /${ROUTED_PREFIX_MAX}`).describe(
    `Your range of public IPv4 addresses, /${ROUTED_PREFIX_MAX} or larger`,
  ),
  asn: z.int().min(1).max(ASN_MAX).optional().describe("The number of the autonomous system that announces it"),
});
export type ByoipSpec = z.output<typeof ByoipSpec>;

export const PORT_SPEEDS = ["1Gbps", "10Gbps", "100Gbps", "400Gbps"] as const;

export const DxPortSpec = z.strictObject({
  bandwidth: z.enum(PORT_SPEEDS).default("10Gbps").describe("The speed of the port"),
  location: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe("The data center in which your network and that of the installation meet"),
  vlan: z.int().min(1).max(VLAN_MAX).optional().describe("The VLAN that you want; default: the operator chooses"),
});
export type DxPortSpec = z.output<typeof DxPortSpec>;

/** The arguments of the tool; each kind takes its own. */
export const NetToolSpec = z.object({
  kind: z.enum(["vpc", "eip", "byoip", "dx_port", "nat"]),
  cidr: Cidr.optional().describe("Of a vpc: private addresses, /16 to /28, default 10.0.0.0/24. Of byoip: required"),
  bandwidth: z.enum(PORT_SPEEDS).optional().describe("Of a dx_port only; default 10Gbps"),
  location: z.string().optional().describe("Of a dx_port only: the data center where the networks meet"),
});
