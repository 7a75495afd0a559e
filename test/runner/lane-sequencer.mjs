import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { BaseSequencer } from "vitest/node";
import { planLanes } from "./lanes.mjs";

/**
 * The order of test files: by weight and recorded duration. `SVC_TEST_LANE` (0 or 1) leaves those of one lane, and
 * `SVC_TEST_ONLY` those of a list of `<project> <file>`.
 */
export class LaneSequencer extends BaseSequencer {
  async sort(specifications) {
    const { root } = this.ctx.config;
    const keyed = new Map(specifications.map((one) => [`${one.project.name} ${fileOf(root, one)}`, one]));
    const files = specifications.map((one) => ({ project: one.project.name, file: fileOf(root, one) }));
    const lanes = planLanes(files, { rootDir: root, seconds: recordedSeconds(root) });
    const lane = process.env.SVC_TEST_LANE;
    const only = process.env.SVC_TEST_ONLY ? new Set(JSON.parse(process.env.SVC_TEST_ONLY)) : undefined;
    const keys = (lane === undefined ? lanes.flat() : lanes[Number(lane)])
      .map(({ project, file }) => `${project} ${file}`)
      .filter((key) => only === undefined || only.has(key));
    process.send?.({ type: "planned", keys });
    return keys.map((key) => keyed.get(key));
  }
}

const fileOf = (root, { moduleId }) => path.relative(root, moduleId);

function recordedSeconds(root) {
  const file = path.join(root, "test/durations.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}
