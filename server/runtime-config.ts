import { existsSync } from "node:fs";
import { z } from "zod";
import { engineSockets } from "./engines/runtime/docker/engine-sockets";
import type { KubernetesSettings } from "./engines/runtime/kubernetes/open-kubernetes-runtime";
import type { RuntimeConfig } from "./engines/start-runtime";
import { parseHostAndPort } from "./kernel/host-and-port";

/** Kubernetes mounts it into pods that may use the API. */
const SERVICE_ACCOUNT_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/**
 * By default reachable from this machine only, and below the ports that Linux gives to outgoing connections (32768 to 60999):
 * nothing can listen on one of those while a connection has it.
 */
const runtimeAddress = z
  .string()
  .default("127.0.0.1:0")
  .transform((text, issue) => {
    const address = parseHostAndPort(text);
    if (address) return address;
    issue.addIssue({
      code: "custom",
      message: "expected an address of this machine and a port, such as 10.0.0.5:7400",
    });
    return z.NEVER;
  });

const PORT_MAX = 65_535;
/**
 * By default reachable from this machine only, and below the ports that Linux gives to outgoing connections (32768 to 60999):
 * nothing can listen on one of those while a connection has it.
 */
const publicPorts = z
  .string()
  .default("127.0.0.1:22000-22999")
  .transform((text, issue) => {
    const [, start = "", end] = /^(.+)-(\d{1,5})$/.exec(text) ?? [];
    const [from, last] = [parseHostAndPort(start), Number(end)];
    if (from && from.port > 0 && from.port <= last && last <= PORT_MAX)
      return { host: from.host, first: from.port, last };
    issue.addIssue({
      code: "custom",
      message: "expected an address of this machine and a range of ports, such as 203.0.113.7:22000-22999",
    });
    return z.NEVER;
  });

export const runtimeVariables = {
  RUNTIME: z.enum(["auto", "off", "kubernetes", "docker", "namespaces", "process"]).default("auto"),
  RUNTIME_ADDRESS: runtimeAddress,
  PUBLIC_PORTS: publicPorts,
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(64),
  HTTP_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(256),
  DOCKER_HOST: z.string().optional(),
  XDG_RUNTIME_DIR: z.string().optional(),
  KUBECONFIG: z.string().optional(),
  KUBERNETES_SERVICE_HOST: z.string().optional(),
  KUBERNETES_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "expected the name of a namespace, such as svc")
    .default("svc"),
  KUBERNETES_AGENT_IMAGE: z.string().min(1, "expected the name of an image").default("busybox:1.36"),
};

type Variables = z.output<z.ZodObject<typeof runtimeVariables>>;

export const runtimeOf = (e: Variables): RuntimeConfig => ({
  runtime: e.RUNTIME,
  runtimeAddress: e.RUNTIME_ADDRESS,
  publicPorts: e.PUBLIC_PORTS,
  connectionsPerAddressMax: e.CONNECTIONS_PER_ADDRESS,
  httpConnectionsMax: e.HTTP_CONNECTIONS_PER_ADDRESS,
  kubernetes: kubernetesOf(e),
  engineSockets: socketsOf(e),
});

function socketsOf({ RUNTIME, DOCKER_HOST: dockerHost, XDG_RUNTIME_DIR: runtimeDir }: Variables) {
  const sockets = engineSockets({ dockerHost, runtimeDir });
  if (RUNTIME !== "docker" || sockets.length > 0) return sockets;
  throw new Error(
    "RUNTIME=docker needs an engine on this machine: set DOCKER_HOST to unix:// and an absolute path, such as unix:///run/podman/podman.sock, or leave it out.",
  );
}

/** The cluster of the environment; undefined if it names none. */
function kubernetesOf(e: Variables): KubernetesSettings | undefined {
  const settings = { namespace: e.KUBERNETES_NAMESPACE, agentImage: e.KUBERNETES_AGENT_IMAGE };
  if (e.KUBECONFIG) return { ...settings, access: { kubeconfig: e.KUBECONFIG } };
  const isInCluster = e.KUBERNETES_SERVICE_HOST !== undefined && existsSync(SERVICE_ACCOUNT_TOKEN);
  return isInCluster ? { ...settings, access: "service-account" } : undefined;
}
