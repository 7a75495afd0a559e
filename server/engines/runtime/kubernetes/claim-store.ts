import { Readable } from "node:stream";
import type { V1PersistentVolumeClaim } from "@kubernetes/client-node";
import { RuntimeError } from "../runtime";
import type { MakeVolume, RuntimeVolumes, VolumeList } from "../runtime-volumes";
import { ID_ANNOTATION, podNameOf, SVC_NODE_LABEL, svcNodeLabelOf, WORKLOAD_LABEL } from "./object-names";
import type { PodStore } from "./pod-store";

/** Volumes as claims on persistent volumes, which the default storage class of the cluster provides. */
export class ClaimStore implements RuntimeVolumes {
  /** What a storage class does with the size is up to it. */
  readonly isEnforced = false;

  constructor(readonly store: PodStore) {}

  async make(id: string, { bytes, restore }: MakeVolume): Promise<void> {
    restore?.on("error", () => {}).destroy();
    if (restore) throw notSupported("A volume on Kubernetes cannot be made with files of another one.");
    const { nodeId, namespace } = this.store.parts;
    const claim = claimManifest({ id, bytes, nodeId, namespace });
    await this.store.parts.api.apply(this.store.path("persistentvolumeclaims", claim.metadata?.name), claim);
  }

  snapshot(_id: string): Readable {
    const stream = new Readable({ read() {} });
    return stream.destroy(
      notSupported("The files of a volume on Kubernetes cannot be read, so they stay in the cluster."),
    );
  }

  async grow(): Promise<void> {
    throw notSupported("The size of a volume on Kubernetes does not change.");
  }

  async limit(): Promise<boolean> {
    return false;
  }

  async list(): Promise<VolumeList> {
    return { ids: await this.store.ids(["persistentvolumeclaims"]), bytesMax: null };
  }

  /** The cluster keeps it until the last pod that uses it has ended. */
  async remove(id: string): Promise<void> {
    const path = this.store.path("persistentvolumeclaims", podNameOf(this.store.parts.nodeId, id));
    await this.store.parts.api.find({ method: "DELETE", path });
  }
}

interface Claim {
  id: string;
  bytes: number;
  nodeId: string;
  namespace: string;
}

/** The claim of a volume; the same for the same input. */
export const claimManifest = ({ id, bytes, nodeId, namespace }: Claim): V1PersistentVolumeClaim => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: {
    name: podNameOf(nodeId, id),
    namespace,
    labels: { [WORKLOAD_LABEL]: "true", [SVC_NODE_LABEL]: svcNodeLabelOf(nodeId) },
    annotations: { [ID_ANNOTATION]: id },
  },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: String(bytes) } } },
});

const notSupported = (sentence: string): RuntimeError => new RuntimeError("not_supported", sentence);
