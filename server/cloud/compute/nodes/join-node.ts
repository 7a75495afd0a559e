import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { Prisma } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { parseHostAndPort } from "../../../kernel/host-and-port";
import { DEFAULT_REGION, REGIONS } from "../pools/regions";
import { checkJoinToken, joinProof } from "./join-token";
import { nodeIdentity, nodeKey } from "./node-keys";

const GPUS_MAX = 64;
const CPU_MAX = 4096;

/** A GPU as `nvidia-smi` reports it. */
const NodeGpu = z.strictObject({
  index: z.int().min(0),
  uuid: z.string().max(100),
  name: z.string().max(200),
  memory_mb: z.int().min(0),
  problem: z.string().max(200).nullable().default(null),
});

export const NodeGpus = z.array(NodeGpu).max(GPUS_MAX);

/** What an agent tells about its node. */
export const JoinNode = z.strictObject({
  token: z.string().max(200),
  /** `joinProof` with the drive key of the last join; required if this id has joined before. */
  proof: z.string().max(100).optional(),
  /** Stays the same for a data directory, so that a node that joins again is the same node. */
  id: z.uuid(),
  name: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/, "expected 1 to 63 of a-z, 0-9, . and -, as in a host name"),
  address: z
    .string()
    .max(300)
    .refine((text) => (parseHostAndPort(text)?.port ?? 0) > 0, "expected an address and a port, such as 10.0.0.5:7400"),
  cpu: z.int().min(1).max(CPU_MAX),
  memory_mb: z.int().min(1),
  gpus: NodeGpus,
  region: z.enum(REGIONS).default(DEFAULT_REGION),
  version: z.string().max(50),
});
export type JoinNode = z.infer<typeof JoinNode>;

/** What an agent needs to be driven: the keys of this join, in base64. They are returned once. */
export const NodeMembership = z.object({
  id: z.string(),
  name: z.string(),
  generation: z.int(),
  use_key: z.string(),
  drive_key: z.string(),
});
export type NodeMembership = z.infer<typeof NodeMembership>;

type JoinCtx = Pick<ActorCtx, "db" | "clock"> & { nodesKey: Buffer };

/**
 * Adds a node, or gives one that was added before new keys, which end the old ones. Throws `unauthorized` for the
 * token, and `conflict` for the name of another node, or for the id of a node whose last keys the caller does not have.
 */
export async function joinNode({ db, clock, nodesKey }: JoinCtx, input: JoinNode): Promise<NodeMembership> {
  const { token, id, name, address, cpu, memory_mb: memoryMb, gpus, region, version } = input;
  const joinedAt = clock.now();
  checkJoinToken(nodesKey, token, joinedAt);
  const known = await db.joinedNode.findUnique({ where: { id } });
  if (known && !isProven(nodesKey, known, { token, proof: input.proof ?? "" })) throw notProven(known.name);
  const told = { name, address, cpu, memoryMb, gpus, region, version, joinedAt };
  const { generation } = await db.joinedNode
    .upsert({
      where: { id },
      create: { id, generation: 1, ...told },
      update: { generation: { increment: 1 }, ...told },
    })
    .catch((cause: unknown) => {
      if (cause instanceof Prisma.PrismaClientKnownRequestError && cause.code === "P2002") throw nameTaken(name);
      throw cause;
    });
  const keyFor = (access: "use" | "drive") =>
    nodeKey(nodesKey, nodeIdentity(access, { id, generation })).toString("base64");
  return { id, name, generation, use_key: keyFor("use"), drive_key: keyFor("drive") };
}

/** Whether the node has the keys of the last join, or of the one before if the response of the last one was lost. */
function isProven(
  nodesKey: Buffer,
  { id, generation }: { id: string; generation: number },
  { token, proof }: { token: string; proof: string },
): boolean {
  return [generation, generation - 1].some((one) => {
    const driveKey = nodeKey(nodesKey, nodeIdentity("drive", { id, generation: one }));
    const [expected, sent] = [Buffer.from(joinProof(driveKey, token)), Buffer.from(proof)];
    return expected.length === sent.length && timingSafeEqual(expected, sent);
  });
}

const notProven = (name: string): ServiceError =>
  new ServiceError(
    "conflict",
    `This node has the id of the node ${name}, but not its keys: start it with its data directory, or remove the node first with npm run svc -- admin remove-node ${name}.`,
    { param: "id", details: { reason: "not_proven" } },
  );

const nameTaken = (name: string): ServiceError =>
  new ServiceError("conflict", `Another node has the name ${name}: choose one with --name, or remove that node.`, {
    param: "name",
  });
