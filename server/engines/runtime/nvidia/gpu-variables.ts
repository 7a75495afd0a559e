import { DRIVER_DIR } from "./gpu-files";

/** What a workload with these GPUs finds in its environment; comes after its own variables, which it replaces. */
export const gpuVariables = (uuids: readonly string[]): string[] => [
  `NVIDIA_VISIBLE_DEVICES=${uuids.join(",")}`,
  "NVIDIA_DRIVER_CAPABILITIES=compute,utility",
];

/** Search paths with the files of the driver in `DRIVER_DIR`, of `NAME=value` variables whose last one of a name counts. */
export const driverPaths = (env: readonly string[], defaultPath: string): string[] => [
  withFolder(env, "LD_LIBRARY_PATH", { folder: `${DRIVER_DIR}/lib64`, otherwise: "" }),
  withFolder(env, "PATH", { folder: `${DRIVER_DIR}/bin`, otherwise: defaultPath }),
];

function withFolder(
  env: readonly string[],
  name: string,
  { folder, otherwise }: { folder: string; otherwise: string },
): string {
  const own = env.findLast((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1) ?? otherwise;
  const folders = own.split(":").filter((one) => one !== "" && one !== folder);
  return `${name}=${[...folders, folder].join(":")}`;
}
