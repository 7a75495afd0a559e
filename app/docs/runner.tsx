"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";

/** The key that a snippet uses; `none` for public endpoints. */
export type KeyKind = "platform" | "channel" | "none";

type Keys = Record<Exclude<KeyKind, "none">, string>;

interface Runner {
  publicUrl: string;
  keys: Keys;
  setKey: (kind: keyof Keys, key: string) => void;
  /** IDs from earlier responses, for later steps. */
  ids: Readonly<Record<string, string>>;
  saveId: (name: string, value: string) => void;
}

interface RunnerProviderProps {
  publicUrl: string;
  /** IDs known before any snippet runs. */
  initialIds: Readonly<Record<string, string>>;
  children: ReactNode;
}

const Context = createContext<Runner | undefined>(undefined);
const storageName = (kind: keyof Keys): string => `svc.docs.${kind}-key`;

/** Keys that a reader enters stay in this tab: they are in its session storage, and are sent only to this server's API. */
export function RunnerProvider({ publicUrl, initialIds, children }: RunnerProviderProps) {
  const [keys, setKeys] = useState<Keys>({ platform: "", channel: "" });
  const [ids, setIds] = useState(initialIds);
  // Storage is read after the first render, which must match the server's.
  useEffect(() => setKeys({ platform: storedKey("platform"), channel: storedKey("channel") }), []);
  const setKey = useCallback((kind: keyof Keys, key: string) => {
    setKeys((before) => ({ ...before, [kind]: key }));
    if (key) sessionStorage.setItem(storageName(kind), key);
    else sessionStorage.removeItem(storageName(kind));
  }, []);
  const saveId = useCallback((name: string, value: string) => setIds((before) => ({ ...before, [name]: value })), []);
  const runner = useMemo(() => ({ publicUrl, keys, setKey, ids, saveId }), [publicUrl, keys, setKey, ids, saveId]);
  return <Context value={runner}>{children}</Context>;
}

const storedKey = (kind: keyof Keys): string => sessionStorage.getItem(storageName(kind)) ?? "";

export function useRunner(): Runner {
  const runner = useContext(Context);
  if (!runner) throw new Error("useRunner needs a RunnerProvider.");
  return runner;
}
