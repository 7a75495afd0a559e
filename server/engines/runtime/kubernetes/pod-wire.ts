/** What svc reads of a pod, as the API server sends it: every field may be absent, and times are texts. */
export interface PodWire {
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    annotations?: Record<string, string>;
    finalizers?: string[];
    deletionTimestamp?: string;
  };
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    containerStatuses?: ContainerWire[];
    initContainerStatuses?: ContainerWire[];
  };
}

export interface ContainerWire {
  name: string;
  state?: {
    waiting?: { reason?: string; message?: string };
    running?: { startedAt: string };
    terminated?: {
      exitCode: number;
      signal?: number;
      reason?: string;
      message?: string;
      startedAt?: string | null;
      finishedAt?: string | null;
    };
  };
}

export interface ListWire {
  metadata: { resourceVersion: string; continue?: string };
  items: PodWire[];
}

/** One line of a watch; an ERROR has a Status object. */
export interface WatchEvent {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  object: PodWire & { code?: number; message?: string };
}
