import { z } from "zod";
import { volumePathProblem, volumePathsProblem } from "../../../engines/runtime/volume-path";
import { IdText } from "../../../identity/wire-text";
import { refersTo } from "../../core/references/reference-fields";

const MOUNTS_MAX = 8;

/** A shared volume in the files of a pod. */
export const PodMount = z.strictObject({
  volume: IdText.min(1)
    .describe("The id of a resource of the service dfs, of the same project and mode")
    .meta(refersTo([{ service: "dfs" }])),
  mount_path: z
    .string()
    .superRefine((path, issue) => {
      const problem = volumePathProblem(path);
      if (problem !== undefined) issue.addIssue({ code: "custom", message: problem });
    })
    .describe("Where the pod has it: an absolute path as for `volume`, outside of those of other volumes"),
  read_only: z.boolean().default(false).describe("true: the kernel refuses to write there"),
});
export type PodMount = z.output<typeof PodMount>;

/** What a client says about the shared volumes of a new pod. */
export const PodMounts = z
  .array(PodMount)
  .max(MOUNTS_MAX)
  .superRefine((mounts, issue) => {
    const problem = mountsProblem(mounts);
    if (problem !== undefined) issue.addIssue({ code: "custom", message: problem });
  })
  .describe(
    `Shared volumes (service dfs) that it mounts, at most ${MOUNTS_MAX}: several pods see the same files, which stay when the pods are deleted. The pod runs on the node that has them`,
  );

function mountsProblem(mounts: readonly PodMount[]): string | undefined {
  if (new Set(mounts.map(({ volume }) => volume)).size < mounts.length) return "expected each volume once";
  return volumePathsProblem(mounts.map(({ mount_path: path }) => path));
}
