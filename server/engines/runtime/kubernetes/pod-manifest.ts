import type { V1Container, V1Pod, V1PodSpec, V1ResourceRequirements } from "@kubernetes/client-node";
import { type Allocation, RuntimeError } from "../runtime";
import { agentContainer, NOTICES_DIR, NOTICES_VOLUME } from "./agent";
import {
  FINALIZER,
  ID_ANNOTATION,
  podNameOf,
  SVC_NODE_LABEL,
  secretNamesOf,
  svcNodeLabelOf,
  WORKLOAD_CONTAINER,
  WORKLOAD_LABEL,
} from "./object-names";

export interface PodManifest {
  allocation: Allocation;
  /** Separates the workloads of several installations in one namespace. */
  nodeId: string;
  namespace: string;
  /** Of svc's own container in each pod; has a busybox. */
  agentImage: string;
  placement?: PodPlacement | undefined;
}

/** What a scheduler decided. Nothing here: the cluster's own scheduler chooses. */
export interface PodPlacement {
  /** The name of the node. kube-scheduler still binds the pod, so that it assigns the devices. */
  node?: string | undefined;
  purchase?: "spot" | "on-demand" | "reserved" | undefined;
  gpus?: PodGpus | undefined;
}

export type PodGpus =
  /** Whole GPUs of a device plugin. */
  | { by: "device-plugin"; count: number }
  /** Dynamic Resource Allocation: the name of a ResourceClaimTemplate of the namespace. */
  | { by: "claim"; template: string };

const GIB = 1024 ** 3;
const DISK_BYTES = 10 * GIB;
const GRACE_SECONDS = 30;
const GPU_CLAIM = "gpus";
const volumeName = (index: number): string => (index === 0 ? "volume" : `volume-${index}`);
/** Without them, images whose files do not belong to their user do not work. */
const CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "KILL", "SETGID", "SETUID"];
const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const USER = /^(\d{1,9})(?::(\d{1,9}))?$/;

/** The pod of an allocation; the same for the same input. Throws `invalid_allocation` for what a pod cannot express. */
export function podManifest(manifest: PodManifest): V1Pod {
  const { allocation, nodeId, namespace, placement = {} } = manifest;
  const { volumes = [] } = allocation;
  const name = podNameOf(nodeId, allocation.id);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      finalizers: [FINALIZER],
      labels: { [WORKLOAD_LABEL]: "true", [SVC_NODE_LABEL]: svcNodeLabelOf(nodeId) },
      annotations: { [ID_ANNOTATION]: allocation.id },
    },
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: GRACE_SECONDS,
      // Neither the API of the cluster nor its addresses are for workloads.
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // So that the agent can signal all processes of the workload.
      shareProcessNamespace: true,
      securityContext: { seccompProfile: { type: "RuntimeDefault" } },
      ...hostnameOf(allocation),
      ...placementOf(placement),
      ...(allocation.image.credentials && { imagePullSecrets: [{ name: secretNamesOf(name).pull }] }),
      volumes: [
        { name: NOTICES_VOLUME, emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
        ...volumes.map(({ id }, i) => ({
          name: volumeName(i),
          persistentVolumeClaim: { claimName: podNameOf(nodeId, id) },
        })),
      ],
      initContainers: [agentContainer(manifest.agentImage)],
      containers: [workloadContainer(manifest, name)],
    },
  };
}

function workloadContainer({ allocation, placement }: PodManifest, podName: string): V1Container {
  const { image, command, args, env = {}, workingDir, user, volumes = [] } = allocation;
  return {
    name: WORKLOAD_CONTAINER,
    image: image.reference,
    // A node must not give an image that another tenant's credentials have pulled.
    imagePullPolicy: "Always",
    ...(command && { command: command.map(literal) }),
    ...(!command && args && { args: args.map(literal) }),
    ...(workingDir !== undefined && { workingDir }),
    ...(Object.keys(env).length > 0 && { envFrom: [{ secretRef: { name: secretNamesOf(podName).env } }] }),
    resources: resourcesOf(allocation, placement?.gpus),
    securityContext: {
      allowPrivilegeEscalation: false,
      privileged: false,
      capabilities: { drop: ["ALL"], add: CAPABILITIES },
      ...userOf(user),
    },
    volumeMounts: [
      { name: NOTICES_VOLUME, mountPath: NOTICES_DIR, readOnly: true },
      ...volumes.map(({ path, readOnly }, i) => ({
        name: volumeName(i),
        mountPath: path,
        ...(readOnly === true && { readOnly }),
      })),
    ],
    terminationMessagePolicy: "File",
  };
}

/** Requests are the limits, so that no node is promised twice. */
function resourcesOf({ limits = {} }: Allocation, gpus: PodGpus | undefined): V1ResourceRequirements {
  const { memoryBytes, cpuMillis, diskBytes = DISK_BYTES } = limits;
  const amounts = {
    ...(memoryBytes !== undefined && { memory: String(memoryBytes) }),
    ...(cpuMillis !== undefined && { cpu: `${cpuMillis}m` }),
    "ephemeral-storage": String(diskBytes),
    ...(gpus?.by === "device-plugin" && { "nvidia.com/gpu": String(gpus.count) }),
  };
  const claims = gpus?.by === "claim" ? { claims: [{ name: GPU_CLAIM }] } : {};
  return { limits: amounts, requests: { ...amounts }, ...claims };
}

function placementOf({ node, purchase, gpus }: PodPlacement): Partial<V1PodSpec> {
  return {
    ...(purchase && { priorityClassName: `svc-${purchase}` }),
    ...(node !== undefined && {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] }],
          },
        },
      },
    }),
    ...(gpus && { tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }] }),
    ...(gpus?.by === "claim" && {
      resourceClaims: [{ name: GPU_CLAIM, resourceClaimTemplateName: gpus.template }],
    }),
  };
}

function hostnameOf({ hostname }: Allocation): Partial<V1PodSpec> {
  if (hostname === undefined) return {};
  if (!DNS_LABEL.test(hostname)) {
    throw invalid("on Kubernetes a host name has 1 to 63 characters of a-z, 0-9 and -");
  }
  return { hostname };
}

function userOf(user: string | undefined): { runAsUser?: number; runAsGroup?: number } {
  if (user === undefined) return {};
  const [, uid, gid] = USER.exec(user) ?? [];
  if (uid === undefined) throw invalid("on Kubernetes a user is a number, or two numbers with a colon");
  return { runAsUser: Number(uid), ...(gid !== undefined && { runAsGroup: Number(gid) }) };
}

/** Kubernetes replaces `$(NAME)` in commands, and reads `$$` as one dollar sign. */
const literal = (text: string): string => text.replaceAll("$", "$$$$");

const invalid = (why: string): RuntimeError =>
  new RuntimeError("invalid_allocation", `The allocation is invalid: ${why}.`);
