import { z } from "zod";
import { CordonNode, cordonNode } from "../cloud/compute/pools/cordon-node";
import { type GpuNodeLine, listGpuNodes } from "../cloud/compute/pools/list-gpu-nodes";
import { RecordNodeHealth, recordNodeHealth } from "../cloud/compute/pools/record-node-health";
import { uncordonNode } from "../cloud/compute/pools/uncordon-node";
import { type Command, command } from "./command";
import type { CommandResult, OperatorCtx } from "./operator-ctx";
import { table } from "./table";

const Pool = z
  .string()
  .regex(/^[^/]+\/[^/]+(\/live)?$/, "<pool>: expected <region>/<gpu> or <region>/<gpu>/live, such as apac/h100");
const Node = z.tuple([Pool, z.string()]);

const textOf = (flag: string) =>
  z.string(`--${flag} is missing`).trim().min(1, `--${flag} is missing`).max(500, `--${flag}: at most 500 characters`);
const Reason = z.object({ reason: textOf("reason") });
const Health = z.object({
  severity: z.enum(["ok", "info", "warn", "crit"], "--severity: expected ok, info, warn or crit"),
  kind: z
    .string("--kind is missing")
    .regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, "--kind: expected up to 64 of a-z, 0-9, _, . and -, such as xid_79"),
  message: textOf("message"),
});

/** Commands for the nodes of GPU pools. */
export const GPU_NODE_COMMANDS: readonly Command[] = [
  command({
    name: "gpu-nodes",
    usage: "[<pool>]",
    about:
      "lists the nodes of all GPU pools, or of one such as apac/h100, or apac/h100/live with real GPUs: use, cordons, drains and health",
    operands: z.union([z.tuple([Pool]), z.tuple([])], "expected at most one <pool>, such as apac/h100"),
    run: async (ctx, [pool]) => {
      const json = await listGpuNodes(ctx, { pool });
      return { text: table(COLUMNS, json.map(cellsOf)), json };
    },
  }),
  command({
    name: "cordon-node",
    usage: "<pool> <node> --reason <text>",
    about: "closes a node to new pods; those that run on it stay",
    operands: Node,
    texts: Reason,
    run: (ctx, [pool, node], { texts }) => cordon(ctx, { pool, node, ...texts, drains: false }),
  }),
  command({
    name: "drain-node",
    usage: "<pool> <node> --reason <text>",
    about: `cordons a node and ends what runs on it: each pod has 30 seconds of notice, and then waits for GPUs of
      another node with its files. Spot pods without auto_resume are stopped`,
    operands: Node,
    texts: Reason,
    run: (ctx, [pool, node], { texts }) => cordon(ctx, { pool, node, ...texts, drains: true }),
  }),
  command({
    name: "uncordon-node",
    usage: "<pool> <node>",
    about: "opens a node to pods again, and ends its drain; pods that have been given notice keep it",
    operands: Node,
    run: async (ctx, [pool, node]) => {
      const { isChanged } = await uncordonNode(ctx, { pool, node });
      const text = `${node} of ${pool} ${isChanged ? "accepts pods again" : "already accepts pods"}.`;
      return { text, json: { pool, node, state: "open", changed: isChanged } };
    },
  }),
  command({
    name: "node-health",
    usage: "<pool> <node> --severity ok|info|warn|crit --kind <text> --message <text>",
    about: `records a health event of a node. crit cordons and drains it; ok ends a cordon of health events, but not within 5
      minutes of the last crit. With 3 crit within an hour it stays cordoned until uncordon-node`,
    operands: Node,
    texts: Health,
    run: async (ctx, [pool, node], { texts }) => {
      const recorded = await recordNodeHealth(ctx, RecordNodeHealth.parse({ pool, node, ...texts }));
      const json = { pool, node, cordoned: recorded.node.cordonedAt !== null, flapping: recorded.node.flaps };
      return {
        text: `Recorded ${texts.severity} of ${node}. ${recorded.sentence}`,
        json: { ...json, changed: recorded.isChanged, decision: recorded.sentence },
      };
    },
  }),
];

async function cordon(ctx: OperatorCtx, input: z.input<typeof CordonNode>): Promise<CommandResult> {
  const { node: row, isChanged } = await cordonNode(ctx, CordonNode.parse(input));
  const { pool, node, drains, cordonReason: reason } = row;
  const state = drains ? "accepts no new pods, and those on it are given notice" : "accepts no new pods";
  const text = `${node} of ${pool} ${isChanged ? "" : "already "}${state}.`;
  return { text, json: { pool, node, state: drains ? "draining" : "cordoned", reason, changed: isChanged } };
}

const COLUMNS = ["POOL", "NODE", "VERSION", "GPUS", "USED", "SPOT", "STATE", "SINCE", "BY", "REASON", "LAST EVENT"];

function cellsOf({ pool, node, state, cordon, last_event: last, ...line }: GpuNodeLine): string[] {
  const counts = [line.gpus, line.used_gpus, line.spot_gpus].map(String);
  const by = cordon ? `${cordon.by}${cordon.flapping ? " (flaps)" : ""}` : "";
  const event = last ? `${last.severity} ${last.kind} ${last.at}` : "";
  return [pool, node, line.version, ...counts, state, cordon?.since ?? "", by, cordon?.reason ?? "", event];
}
