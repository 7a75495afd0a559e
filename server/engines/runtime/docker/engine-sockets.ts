export interface EngineVariables {
  /** `DOCKER_HOST`: `unix://` and an absolute path; svc uses no other kind of address. */
  dockerHost?: string | undefined;
  /** `XDG_RUNTIME_DIR`, where a user's own Podman listens. */
  runtimeDir?: string | undefined;
}

/** Where an engine may listen on this node, the likeliest first; only DOCKER_HOST if it is set. */
export function engineSockets({ dockerHost, runtimeDir }: EngineVariables): string[] {
  if (dockerHost !== undefined) return dockerHost.startsWith("unix:///") ? [dockerHost.slice("unix://".length)] : [];
  const own = runtimeDir === undefined ? [] : [`${runtimeDir}/podman/podman.sock`];
  return [...own, "/run/podman/podman.sock", "/var/run/docker.sock"];
}
