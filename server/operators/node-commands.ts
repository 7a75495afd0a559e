import { z } from "zod";
import { createJoinToken } from "../cloud/compute/nodes/join-token";
import { listNodes, type NodeLine, removeNode } from "../cloud/compute/nodes/list-nodes";
import { listWarmImages, type WarmImageLine } from "../cloud/compute/warm-images/list-warm-images";
import { listUnknown, type UnknownLine } from "../cloud/core/quarantine/list-unknown";
import { type Command, command } from "./command";
import { table } from "./table";

const HOUR_MS = 3600 * 1000;
const HOURS_MAX = 7 * 24;

const Hours = z.object({
  hours: z.coerce
    .number({ error: `--hours: expected a number from 1 to ${HOURS_MAX}` })
    .min(1, `--hours: expected a number from 1 to ${HOURS_MAX}`)
    .max(HOURS_MAX, `--hours: expected a number from 1 to ${HOURS_MAX}`)
    .default(1),
});

/** Commands for nodes that join with `svc node join`. */
export const NODE_COMMANDS: readonly Command[] = [
  command({
    name: "join-token",
    usage: "[--hours <number>]",
    about:
      "prints a token with which nodes can join to run pods, for an hour by default (see npm run svc -- node --help)",
    operands: z.tuple([], "expected no arguments"),
    texts: Hours,
    run: async ({ clock, nodesKey, publicUrl }, _, { texts }) => {
      const expiresAt = new Date(clock.now().getTime() + texts.hours * HOUR_MS);
      const token = createJoinToken(nodesKey, expiresAt);
      const run = `npm run svc -- node join --url ${publicUrl} --token ${token} --address <its address>:7400`;
      const text = `On the machine that joins, until ${expiresAt.toISOString()}:\n  ${run}`;
      return { text, json: { token, expires_at: expiresAt.toISOString() } };
    },
  }),
  command({
    name: "nodes",
    usage: "",
    about: "lists the nodes that have joined: where they are, whether they report, and their pods",
    operands: z.tuple([], "expected no arguments"),
    run: async (ctx) => {
      const json = await listNodes(ctx);
      const empty = "No node has joined. Make a token with: npm run svc -- admin join-token";
      return { text: json.length === 0 ? empty : table(COLUMNS, json.map(cellsOf)), json };
    },
  }),
  command({
    name: "warm-images",
    usage: "",
    about: "lists the images that nodes keep ready for pods, and those in demand that they do not, with the reason",
    operands: z.tuple([], "expected no arguments"),
    run: async (ctx) => {
      const json = await listWarmImages(ctx);
      const text = json.length === 0 ? "No pods have started recently." : table(IMAGE_COLUMNS, json.map(imageCellsOf));
      return { text, json };
    },
  }),
  command({
    name: "quarantine",
    usage: "",
    about:
      "lists volumes and networks on nodes, SQL databases and stored blobs that no record names, such as those made since the backup from which the database was restored, and when they are deleted",
    operands: z.tuple([], "expected no arguments"),
    run: async (ctx) => {
      const json = await listUnknown(ctx);
      const empty = "Every volume, network, SQL database and stored blob has a record.";
      return { text: json.length === 0 ? empty : table(UNKNOWN_COLUMNS, json.map(unknownCellsOf)), json };
    },
  }),
  command({
    name: "remove-node",
    usage: "<name>",
    about: "removes a node that has joined and ends its keys; pods that still run on it fail after 10 minutes",
    operands: z.tuple([z.string()]),
    run: async (ctx, [name]) => {
      await removeNode(ctx, name);
      return { text: `The node ${name} is removed.`, json: { name, removed: true } };
    },
  }),
];

const COLUMNS = [
  "name",
  "address",
  "state",
  "runtime",
  "cpu",
  "memory MiB",
  "region",
  "GPUs",
  "pods",
  "version",
  "upgrade",
];

const cellsOf = (line: NodeLine): string[] => [
  line.name,
  line.address,
  line.state,
  line.runtime ?? "-",
  String(line.cpu),
  String(line.memory_mb),
  line.region,
  line.gpus.length === 0 ? "none" : line.gpus.join(", "),
  String(line.pods),
  line.version,
  line.upgrade ?? "-",
];

const UNKNOWN_COLUMNS = ["WHERE", "WHAT", "KIND", "FOUND", "DELETED"];

const unknownCellsOf = (line: UnknownLine) => [line.node, line.what, line.kind, line.found_at, line.deleted_at];

const IMAGE_COLUMNS = ["NODE", "IMAGE", "DEMAND", "READY", "BYTES", "FAILURE"];

const imageCellsOf = ({ node, image, demand, ready, bytes, failure }: WarmImageLine): string[] => [
  node,
  image,
  demand.toFixed(2),
  ready ? "yes" : "no",
  String(bytes ?? ""),
  failure ?? "",
];
