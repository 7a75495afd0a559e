import { z } from "zod";
import { cancelFleetUpgrade } from "../cloud/compute/pools/cancel-fleet-upgrade";
import { CreateFleetUpgrade, createFleetUpgrade } from "../cloud/compute/pools/create-fleet-upgrade";
import type { FleetUpgradeLine } from "../cloud/compute/pools/fleet-upgrade";
import { listFleetUpgrades } from "../cloud/compute/pools/list-fleet-upgrades";
import { pauseFleetUpgrade } from "../cloud/compute/pools/pause-fleet-upgrade";
import { resumeFleetUpgrade } from "../cloud/compute/pools/resume-fleet-upgrade";
import { type Command, command } from "./command";
import type { CommandResult, OperatorCtx } from "./operator-ctx";
import { table } from "./table";

const Texts = z.object({
  version: z.string().optional(),
  pool: z.string().optional(),
  strategy: z.enum(["rolling", "blue_green"], "--strategy: expected rolling or blue_green").optional(),
  "max-unavailable": z.coerce.number("--max-unavailable: expected a whole number from 1").optional(),
  "wait-minutes": z.coerce.number("--wait-minutes: expected a whole number of minutes").optional(),
});
const Id = z.tuple([z.string().startsWith("upg_", "<id>: expected an id that begins with upg_ (see fleet-upgrades)")]);

/** Commands that upgrade the nodes of GPU pools. */
export const FLEET_UPGRADE_COMMANDS: readonly Command[] = [
  command({
    name: "upgrade-fleet",
    usage:
      "[--version <v>] [--pool <pool>|joined-nodes] [--strategy rolling|blue_green] [--max-unavailable <n>] [--wait-minutes <n>]",
    about: `upgrades the nodes of a GPU pool, or of all pools, while at most <n> nodes of a pool (default 1) accept no pods,
      cordoned ones included. rolling drains nodes, with 30 seconds of notice for pods. blue_green cordons the first half of
      the nodes and drains them after --wait-minutes (default 10); the others follow when those had 5 minutes without a
      critical health event. Of simulated nodes only the version in their records changes. On nodes that have joined
      (joined-nodes, or a pool with /live at the end) agents are restarted, to run what is on the disk, and pods stay: the
      upgrade pauses if one is not back within 5 minutes, or does not run <v>, which may be left out for these`,
    operands: z.tuple([], "expected no arguments"),
    texts: Texts,
    run: async (ctx, _, { texts }) => {
      const {
        version: target_version,
        "max-unavailable": max_unavailable,
        "wait-minutes": wait_minutes,
        ...rest
      } = texts;
      return shown(await createFleetUpgrade(ctx, inputOf({ target_version, max_unavailable, wait_minutes, ...rest })));
    },
  }),
  command({
    name: "fleet-upgrades",
    usage: "",
    about: "lists the upgrades of GPU pools with their progress, the newest first, at most 200 lines",
    operands: z.tuple([], "expected no arguments"),
    run: async (ctx) => shown(await listFleetUpgrades(ctx)),
  }),
  changing("pause-upgrade", "lets an upgrade cordon, drain and upgrade no further nodes", pauseFleetUpgrade),
  changing("resume-upgrade", "continues a paused upgrade, and tries nodes that failed again", resumeFleetUpgrade),
  changing(
    "cancel-upgrade",
    "ends an upgrade and uncordons the nodes that it has cordoned, but not those whose upgrade failed",
    cancelFleetUpgrade,
  ),
];

type ChangeUpgrade = (ctx: OperatorCtx, input: { id: string }) => Promise<FleetUpgradeLine[]>;

function changing(name: string, about: string, change: ChangeUpgrade): Command {
  const run = async (ctx: OperatorCtx, [id]: z.output<typeof Id>) => shown(await change(ctx, { id }));
  return command({ name, usage: "<id>", about, operands: Id, run });
}

/** Names the flag of a field that is invalid. */
function inputOf(fields: z.input<typeof CreateFleetUpgrade>): z.output<typeof CreateFleetUpgrade> {
  const parsed = CreateFleetUpgrade.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const flag = String(issue?.path[0]).replace("target_", "").replaceAll("_", "-");
  throw new Error(`--${flag}: ${issue?.message}`);
}

function shown(lines: readonly FleetUpgradeLine[]): CommandResult {
  const text = lines.length === 0 ? "No GPU pool was upgraded yet." : table(COLUMNS, lines.map(cellsOf));
  return { text, json: lines };
}

const COLUMNS = [
  "ID",
  "POOL",
  "VERSION",
  "STRATEGY",
  "STATE",
  "UPGRADED",
  "DRAINING",
  "RESTARTING",
  "FAILED",
  "UNAVAILABLE",
  "SIMULATED",
  "STARTED",
  "FINISHED",
  "REASON",
];

const cellsOf = (line: FleetUpgradeLine): string[] => [
  line.id,
  line.pool,
  line.target_version ?? "-",
  line.strategy,
  line.state,
  `${line.upgraded_nodes} of ${line.nodes}`,
  ...[line.draining_nodes, line.restarting_nodes, line.failed_nodes].map(String),
  `${line.unavailable_nodes} (max ${line.max_unavailable})`,
  line.simulated ? "yes" : "no",
  line.started_at,
  line.finished_at ?? "",
  line.pause_reason ?? "",
];
