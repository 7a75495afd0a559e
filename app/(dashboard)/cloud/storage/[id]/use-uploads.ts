import { type InvalidateOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTRPC, useTRPCClient } from "../../../../trpc/client";
import { failureOf } from "../../../../trpc/failure";
import type { Bucket } from "../bucket";
import { keyProblem } from "./object-keys";
import { uploadFile } from "./upload-file";

export interface UploadState {
  id: number;
  key: string;
  size: number;
  sentBytes: number;
  status: "waiting" | "running" | "done" | "failed";
  error?: string;
  /** Whether it may succeed when it is tried again. */
  canRetry: boolean;
}

const CONCURRENT = 3;
const PRESIGNED_SECONDS = 3600;
/** The largest object of one request, as in S3. */
const SIZE_MAX = 5 * 2 ** 30;
const DEFAULT_TYPE = "application/octet-stream";

export const isOpen = ({ status }: UploadState): boolean => status === "waiting" || status === "running";

/** The key under which a file is stored in a folder. */
export const keyOf = (file: File, prefix: string): string => prefix + (file.webkitRelativePath || file.name);

interface Queued {
  id: number;
  key: string;
  file: File;
  stopping: AbortController;
}

/** Uploads files into a bucket, three at a time; leaving the page stops those that are not done. */
export function useUploads({ id: bucket }: Bucket) {
  const client = useTRPCClient();
  const [uploads, setUploads] = useState<UploadState[]>([]);
  const counter = useRef(0);
  const change = (id: number, fields: Partial<UploadState>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));

  const send = async ({ id, key, file, stopping }: Queued) => {
    change(id, { status: "running" });
    try {
      const put = await presign(client, { bucket, key, file });
      const onProgress = (sentBytes: number) => change(id, { sentBytes });
      await uploadFile(put, { file, onProgress, signal: stopping.signal });
      change(id, { status: "done", sentBytes: file.size });
    } catch (failure) {
      change(id, { status: "failed", error: failure instanceof Error ? failure.message : String(failure) });
    }
  };
  const queue = useQueue(send, useRefresh());

  const add = (files: readonly File[], prefix: string) => {
    const added = files.map((file) => newUpload(file, { id: counter.current++, prefix }));
    setUploads((all) => [...all, ...added]);
    queue.add(
      added.flatMap(({ id, key, status }, at) => {
        const file = files[at];
        return file && status === "waiting" ? [{ id, key, file, stopping: new AbortController() }] : [];
      }),
    );
  };
  const stop = (id: number) => {
    if (queue.stop(id)) change(id, { status: "failed", error: "Stopped." });
  };
  const retry = (id: number) => {
    if (!queue.knows(id)) return;
    change(id, { status: "waiting", sentBytes: 0, error: "" });
    queue.addAgain(id);
  };
  const clear = () => setUploads((all) => all.filter(isOpen));
  return { uploads, add, stop, retry, clear };
}

/** Loads what the page shows of the bucket again. */
function useRefresh() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return (options: InvalidateOptions = {}) =>
    Promise.all(
      [trpc.listObjects, trpc.getObject, trpc.getBucket, trpc.getBucketUsage].map((stale) =>
        queries.invalidateQueries({ queryKey: stale.pathKey() }, options),
      ),
    );
}

/** Sends what waits, three at a time. */
function useQueue(send: (next: Queued) => Promise<void>, refresh: ReturnType<typeof useRefresh>) {
  const waiting = useRef<Queued[]>([]);
  /** Every upload that can be stopped or tried again. */
  const known = useRef(new Map<number, Queued>());
  const running = useRef(0);
  useEffect(() => {
    const all = known.current;
    return () => {
      waiting.current = [];
      for (const { stopping } of all.values()) stopping.abort();
    };
  }, []);

  const work = async () => {
    running.current++;
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      await send(next);
      // Small files are listed before a large one beside them is done; a list that is being loaded is not asked for again.
      void refresh({ cancelRefetch: false });
    }
    running.current--;
    if (running.current === 0) await refresh();
  };
  const add = (added: readonly Queued[]) => {
    for (const one of added) known.current.set(one.id, one);
    waiting.current.push(...added);
    const free = Math.min(CONCURRENT - running.current, waiting.current.length);
    for (let started = 0; started < free; started++) void work();
  };
  /** Whether it was still waiting. */
  const stop = (id: number): boolean => {
    const isWaiting = waiting.current.some((one) => one.id === id);
    waiting.current = waiting.current.filter((one) => one.id !== id);
    known.current.get(id)?.stopping.abort();
    return isWaiting;
  };
  const knows = (id: number): boolean => known.current.has(id);
  const addAgain = (id: number) => {
    const failed = known.current.get(id);
    if (failed) add([{ ...failed, stopping: new AbortController() }]);
  };
  return { add, stop, knows, addAgain };
}

function newUpload(file: File, { id, prefix }: { id: number; prefix: string }): UploadState {
  const key = keyOf(file, prefix);
  const problem = file.size > SIZE_MAX ? "Larger than 5 GiB: use svc storage cp." : keyProblem(key);
  const status = problem ? ({ status: "failed", error: problem } as const) : ({ status: "waiting" } as const);
  return { id, key, size: file.size, sentBytes: 0, canRetry: !problem, ...status };
}

type Put = Pick<Queued, "key" | "file"> & { bucket: string };

/** Where to send a file. Rejects with an Error that says why not. */
const presign = (client: ReturnType<typeof useTRPCClient>, { bucket, key, file }: Put) =>
  client.presignObject
    .mutate({
      bucket,
      key,
      operation: "put_object",
      expires_in: PRESIGNED_SECONDS,
      content_type: file.type || DEFAULT_TYPE,
      content_length: file.size,
    })
    .catch((failure: unknown) => {
      throw new Error(failureOf(failure).message);
    });
