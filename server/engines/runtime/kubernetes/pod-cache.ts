import { EventEmitter } from "node:events";
import { backoffMs } from "../../../kernel/backoff";
import { pause } from "../../../kernel/pause";
import { type KubernetesApi, KubernetesError } from "./kubernetes-api";
import type { ListWire, PodWire, WatchEvent } from "./pod-wire";
import { readLines } from "./read-lines";

export interface PodCacheParts {
  api: KubernetesApi;
  /** Of the pods of the namespace. */
  path: string;
  labelSelector: string;
  /** Without an event or a bookmark for so long, what is known may be out of date. */
  freshMs: number;
}

const GONE = 410;
const PAGE_SIZE = 500;
/** The server ends a watch then; the next one goes on from the last version. */
const WATCH_SECONDS = 300;
const SHORT_MS = 1000;

/**
 * The pods of a label selector, kept up to date by a list and a watch. A watch that was cut goes on from the last version
 * that it saw; if the server no longer has that one (410), everything is listed again.
 */
export class PodCache {
  readonly #pods = new Map<string, PodWire>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #stopping = new AbortController();
  #version: string | undefined;
  #seenAt = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | undefined;

  constructor(readonly parts: PodCacheParts) {}

  start(): void {
    this.#loop ??= this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  /** The pod as last seen; undefined if it is not known, or not known recently enough: then ask the server. */
  get(name: string): PodWire | undefined {
    return performance.now() - this.#seenAt < this.parts.freshMs ? this.#pods.get(name) : undefined;
  }

  /** Takes over what a call returned, so that it is never older than what the caller knows. */
  put(pod: PodWire): void {
    const { name, resourceVersion } = pod.metadata;
    const known = this.#pods.get(name);
    if (known?.metadata.uid === pod.metadata.uid && !isNewer(resourceVersion, known.metadata.resourceVersion)) return;
    this.#pods.set(name, pod);
    this.#changes.emit(name);
  }

  drop(name: string): void {
    this.#pods.delete(name);
    this.#changes.emit(name);
  }

  /** Resolves with true at the next change of a pod, and with false after `ms` or when `signal` is aborted. */
  async changed(name: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const change = new AbortController();
    const onChange = () => change.abort();
    this.#changes.once(name, onChange);
    await pause(ms, AbortSignal.any([change.signal, this.#stopping.signal, signal]));
    this.#changes.off(name, onChange);
    return change.signal.aborted;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      const begin = performance.now();
      try {
        if (this.#version === undefined) await this.#list();
        await this.#watch();
        // A server that ends each watch at once must not be asked without a pause.
        if (performance.now() - begin > SHORT_MS) failures = 0;
        else await pause(backoffMs(failures++), signal);
      } catch (cause) {
        if (cause instanceof KubernetesError && cause.status === GONE) this.#version = undefined;
        // Calls that need the server report that it does not respond.
        else await pause(backoffMs(failures++), signal);
      }
    }
  }

  async #list(): Promise<void> {
    const { api, path, labelSelector } = this.parts;
    const listed = new Set<string>();
    let next: string | undefined = "";
    let version = "";
    while (next !== undefined) {
      const query = { labelSelector, limit: PAGE_SIZE, ...(next && { continue: next }) };
      const page: ListWire = await api.call<ListWire>({ path, query });
      for (const pod of page.items) {
        listed.add(pod.metadata.name);
        this.put(pod);
      }
      version = page.metadata.resourceVersion;
      next = page.metadata.continue || undefined;
    }
    for (const [name, { metadata }] of this.#pods) {
      // What was put after the list began has a newer version.
      if (!listed.has(name) && !isNewer(metadata.resourceVersion, version)) this.drop(name);
    }
    this.#version = version;
    this.#seenAt = performance.now();
  }

  async #watch(): Promise<void> {
    const { api, path, labelSelector, freshMs } = this.parts;
    const idle = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, idle.signal]);
    // A connection that was lost without a word has no events either.
    const timer = setTimeout(() => idle.abort(), freshMs);
    const query = {
      labelSelector,
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds: WATCH_SECONDS,
      resourceVersion: this.#version ?? "",
    };
    try {
      for await (const line of readLines(await api.stream({ path, query }, signal))) {
        timer.refresh();
        this.#take(JSON.parse(line) as WatchEvent);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #take({ type, object }: WatchEvent): void {
    if (type === "ERROR") throw new KubernetesError(object.code ?? 0, object.message ?? "the watch failed");
    this.#seenAt = performance.now();
    this.#version = object.metadata.resourceVersion;
    if (type === "DELETED") this.drop(object.metadata.name);
    else if (type !== "BOOKMARK") this.put(object);
  }
}

/** Versions are whole numbers that grow (guaranteed since Kubernetes 1.35, and true of all servers before with etcd). */
function isNewer(version: string, than: string): boolean {
  return version.length === than.length ? version > than : version.length > than.length;
}
