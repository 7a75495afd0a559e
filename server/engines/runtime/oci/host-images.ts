import { RuntimeError } from "../runtime";
import { type HostImageRecipe, missingOf } from "./host-image";

/** The host in the names of images that consist of programs of the node; no registry has it. */
export const HOST_IMAGE_REGISTRY = "node.svc/";

/** Slurm with a shell. */
export const SLURM_IMAGE = `${HOST_IMAGE_REGISTRY}slurm`;

const SLURM: HostImageRecipe = {
  programs: [
    "slurmctld",
    "slurmd",
    "slurmstepd",
    "munged",
    "munge",
    "unmunge",
    "sbatch",
    "srun",
    "salloc",
    "scancel",
    "scontrol",
    "sinfo",
    "squeue",
    "sbcast",
    "sattach",
    "sprio",
    "sh",
    "bash",
    "sleep",
    "cat",
    "id",
    "mkdir",
    "rm",
    "chmod",
    "ls",
    "env",
    "hostname",
    "echo",
    "printf",
    "sed",
    "grep",
    "head",
    "tail",
    "nproc",
    "date",
    "dd",
    "true",
    "false",
    "sort",
    "wc",
    "mv",
    "ln",
    "cp",
    "touch",
    "uname",
  ],
  modules: "slurm-wlm",
  without: ["mpi_pmix.so", "mpi_pmix_v4.so"],
  packages: ["slurmctld", "slurmd", "slurm-client", "munge"],
  texts: {
    "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "/etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
  },
};

const RECIPES: Readonly<Record<string, HostImageRecipe>> = { [SLURM_IMAGE]: SLURM };

/** Whether a reference names an image of this kind, which is not pulled from a registry. */
export const isHostImage = (reference: string): boolean => reference.startsWith(HOST_IMAGE_REGISTRY);

/** Throws `image_not_found` for a name that none has. */
export function recipeOf(reference: string): HostImageRecipe {
  const recipe = Object.hasOwn(RECIPES, reference) ? RECIPES[reference] : undefined;
  if (recipe) return recipe;
  const names = Object.keys(RECIPES).join(", ");
  throw new RuntimeError("image_not_found", `${reference.slice(0, 255)}: the images of the node are ${names}.`);
}

/** Why this node cannot make the image of Slurm; undefined: it can. */
export const missingForSlurm = (): Promise<string | undefined> =>
  process.platform === "linux" ? missingOf(SLURM) : Promise.resolve("Slurm runs on Linux only.");
