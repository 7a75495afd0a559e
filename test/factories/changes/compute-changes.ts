import { deployFunction } from "../../../server/cloud/compute/functions/deploy-function";
import { recordExit, recordRunStart } from "../../../server/cloud/compute/pods/record-run";
import { makeCheckpoint } from "../cloud-rows";
import { type Change, inProject, to } from "./change";

const RUNTIME = { kind: "namespaces", isolation: "", limits_enforced: true, gpu: "none" as const };

const HIDDEN_IN_FUNCTION = {
  env: { PASSWORD: "token=hidden" },
  schedule: { cron: "0 6 * * *", payload: { password: "token=hidden" } },
};

export const changes: readonly Change[] = [
  {
    operation: "createPod",
    actions: ["pod.created"],
    events: ["pod.created"],
    prepare: (s) => inProject(s, { image: "alpine", env: { PASSWORD: "token=hidden" } }),
  },
  {
    operation: "stopPod",
    actions: ["pod.stop_requested"],
    prepare: async (s) => to(await s.pod()),
  },
  {
    operation: "startPod",
    actions: ["pod.started"],
    prepare: async (s, test) => {
      const { id } = await s.pod();
      await recordExit(test.app.cloud, `${id}-1`, { endedAt: test.clock.now(), outcome: "fail" });
      return { input: { id } };
    },
  },
  {
    operation: "reclaimPod",
    actions: ["pod.reclaim_requested"],
    events: ["pod.reclaim_announced"],
    prepare: async (s, test) => {
      const pod = await s.pod();
      const { id } = pod;
      await test.app.cloud.db.pod.update({ where: { id }, data: { spot: true } });
      await recordRunStart(test.app.cloud, `${id}-1`, { startedAt: test.clock.now(), runtime: RUNTIME });
      await test.app.cloud.db.podRun.update({ where: { id: `${id}-1` }, data: { nodeId: "a-node" } });
      return to(pod);
    },
  },
  {
    operation: "deletePod",
    actions: ["pod.deleted"],
    events: ["pod.deleted"],
    prepare: async (s) => to(await s.pod()),
  },
  {
    operation: "checkpointPod",
    actions: ["pod.checkpoint_requested"],
    prepare: async (s, test) => {
      const { id } = await s.pod();
      await recordRunStart(test.app.cloud, `${id}-1`, { startedAt: test.clock.now(), runtime: RUNTIME });
      return { input: { id } };
    },
  },
  {
    operation: "deletePodCheckpoint",
    actions: ["pod.checkpoint_deleted"],
    prepare: async (s, test) => {
      const { id } = await s.pod();
      return { input: { id, checkpoint_id: await makeCheckpoint(test.app.cloud, id) } };
    },
  },
  {
    operation: "deleteSandbox",
    actions: ["sandbox.deleted"],
    events: ["sandbox.ended"],
    prepare: async (s) => to(await s.sandbox()),
  },
  {
    operation: "stopWorkspace",
    actions: ["workspace.stop_requested"],
    prepare: async (s) => to(await s.workspace()),
  },
  {
    operation: "deleteWorkspace",
    actions: ["workspace.deleted"],
    events: ["workspace.deleted"],
    prepare: async (s) => to(await s.workspace()),
  },
  {
    operation: "createReservation",
    actions: ["reservation.created"],
    events: ["reservation.created", "reservation.started"],
    prepare: (s) => inProject(s, { gpu: "l40s", count: 1, duration: "30d" }),
  },
  {
    operation: "cancelReservation",
    actions: ["reservation.canceled"],
    events: ["reservation.canceled"],
    prepare: async (s) => to(await s.reservation()),
  },
  {
    operation: "createFunction",
    actions: ["function.created"],
    events: ["function.created"],
    prepare: (s) => inProject(s, { name: s.unique("function"), ...HIDDEN_IN_FUNCTION }),
  },
  {
    operation: "deployFunction",
    actions: ["function.deployed"],
    events: ["function.deployed"],
    prepare: async (s) => to(await s.cloudFunction(), { code: "export default () => 1;" }),
  },
  {
    operation: "restoreFunctionVersion",
    actions: ["function.deployed"],
    events: ["function.deployed"],
    prepare: async (s) => {
      const made = await s.cloudFunction();
      await deployFunction.run(s.owner, { id: made.id, code: "export default () => 1;", handler: "default" });
      return to(made, { version: 1 });
    },
  },
  {
    operation: "updateFunction",
    actions: ["function.updated"],
    events: ["function.updated"],
    prepare: async (s) => to(await s.cloudFunction(), { timeout_ms: 500, ...HIDDEN_IN_FUNCTION }),
  },
  {
    operation: "deleteFunction",
    actions: ["function.deleted"],
    events: ["function.deleted"],
    prepare: async (s) => to(await s.cloudFunction()),
  },
];
