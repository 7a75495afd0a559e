import type { V1Container } from "@kubernetes/client-node";
import { AGENT_CONTAINER } from "./object-names";

export const NOTICES_VOLUME = "svc-notices";
export const NOTICES_DIR = "/run/svc";

/** Ignores what is sent to all processes of the pod; its `sleep` may end, and is started again. */
const WAIT = "trap '' TERM INT HUP QUIT USR1 USR2 ALRM PIPE; while :; do sleep 3600; done";

/** The file is renamed into place, so that a reader never sees a part of it. */
const WRITE_NOTICE = `f="${NOTICES_DIR}/.$1.new" && printf %s "$2" > "$f" && chmod 444 "$f" && mv -f "$f" "${NOTICES_DIR}/$1"`;

/**
 * Sends a signal to each process that another one has started. The first process of each container has the parent 0; the
 * node's kubelet sends it the stop signal of the image. Process 1 belongs to the pod, not to a container.
 */
const SIGNAL_CHILDREN = `for d in /proc/[0-9]*; do
  p=\${d#/proc/}
  [ "$p" = 1 ] && continue
  { read -r stat < "$d/stat"; } 2>/dev/null || continue
  rest=\${stat##*) ?}
  parent=\${rest# }
  parent=\${parent%% *}
  [ "$parent" = 0 ] || kill -s "$1" "$p" 2>/dev/null
done
true`;

/**
 * svc's own container in each pod. It starts before the workload and is ended after it, needs nothing of the workload's
 * image, and carries out what Kubernetes has no call for: signals, and files of notices.
 */
export const agentContainer = (image: string): V1Container => ({
  name: AGENT_CONTAINER,
  image,
  imagePullPolicy: "IfNotPresent",
  restartPolicy: "Always",
  command: ["/bin/sh", "-c", WAIT],
  resources: {
    limits: { cpu: "50m", memory: String(AGENT_MEMORY_BYTES) },
    requests: { cpu: "5m", memory: String(AGENT_MEMORY_BYTES) },
  },
  securityContext: {
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    runAsUser: 0,
    capabilities: { drop: ["ALL"], add: ["KILL"] },
  },
  volumeMounts: [{ name: NOTICES_VOLUME, mountPath: NOTICES_DIR }],
});

const AGENT_MEMORY_BYTES = 16 * 1024 ** 2;

/** `kill` with the process -1 reaches all processes but itself and process 1. */
export const signalAll = (signal: NodeJS.Signals): string[] => ["kill", "-s", nameOf(signal), "-1"];

export const signalChildren = (signal: NodeJS.Signals): string[] => [
  "/bin/sh",
  "-c",
  SIGNAL_CHILDREN,
  "svc-agent",
  nameOf(signal),
];

export const writeNotice = (name: string, contents: string): string[] => [
  "/bin/sh",
  "-c",
  WRITE_NOTICE,
  "svc-agent",
  name,
  contents,
];

const nameOf = (signal: NodeJS.Signals): string => signal.replace(/^SIG/, "");
