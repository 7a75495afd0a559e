import type { SettingGroup } from "./setting";

/** What runs the programs of tenants, and where they can be reached. */
export const WORKLOAD_SETTINGS: readonly SettingGroup[] = [
  {
    id: "pods",
    title: "Pods and other workloads",
    settings: [
      {
        names: ["RUNTIME"],
        byDefault: "`auto`",
        meaning:
          "What runs pods. `auto` uses the runtime whose pods the data directory has, else the strongest that runs a trial program at the start: `kubernetes` if a cluster is configured, then `docker` (a running container engine with Docker's API, such as Podman or Docker, on a Unix socket; svc as root, overlay storage), then `namespaces` (Linux, as root or where users may create namespaces). `docker` and `namespaces` need `perl`. A name forces one, and `off` runs none. Without a runtime svc works as usual, and creating a pod is 503 with the reason. `process` is never chosen by `auto`: it runs programs of images as plain processes (Linux, `perl`) without isolation and limits, with all rights of the user of svc, and only for test keys.",
      },
      {
        names: ["DOCKER_HOST", "XDG_RUNTIME_DIR"],
        byDefault: "`$XDG_RUNTIME_DIR/podman/podman.sock`, `/run/podman/podman.sock`, `/var/run/docker.sock`",
        meaning:
          "`unix://` and the path of the engine's socket. svc uses no other kind of address and starts no engine.",
      },
      {
        names: ["KUBECONFIG", "KUBERNETES_SERVICE_HOST"],
        byDefault: "none; Kubernetes sets the second one in the pod that svc runs in",
        meaning:
          "One kubeconfig file, or the service account of svc's own pod. With `RUNTIME` `auto` or `kubernetes` the cluster is also for clusters of tenants. Kubernetes 1.30 or newer.",
      },
      {
        names: ["KUBERNETES_NAMESPACE", "KUBERNETES_AGENT_IMAGE"],
        byDefault: "`svc`, `busybox:1.36`",
        meaning:
          "The namespace for pods, which must exist, and an image with busybox for the container that svc adds to each pod.",
      },
      {
        names: ["RUNTIME_ADDRESS"],
        byDefault: "`127.0.0.1:0`",
        meaning:
          "Where other processes of svc reach the pods that this process runs, to read their output and run programs in them: an address of this machine and a port, 0 for any free one. Set it if processes run on several machines, such as `10.0.0.5:7400`. The connection is encrypted, and both ends prove that they have the installation's secret.",
      },
      {
        names: ["PUBLIC_PORTS"],
        byDefault: "`127.0.0.1:22000-22999`",
        meaning:
          "The address and the ports of `eip` resources: one process of svc at a time listens there and passes connections to pods. Set an address that others reach, such as `203.0.113.7:22000-22999`, with ports below those that the machine gives to outgoing connections. The value must be the same for all processes.",
      },
    ],
  },
];
