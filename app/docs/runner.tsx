"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";

/** Which key a snippet is called with; `none` for what anybody may call. */
export type KeyKind = "platform" | "channel" | "none";

type Keys = Record<Exclude<KeyKind, "none">, string>;

interface Runner {
  publicUrl: string;
  keys: Keys;
  setKey: (kind: keyof Keys, key: string) => void;
  /** Ids that answers brought, for the steps after them. */
  found: Readonly<Record<string, string>>;
  remember: (name: string, value: string) => void;
}

interface RunnerProviderProps {
  publicUrl: string;
  /** Ids that are known before anything was run. */
  known: Readonly<Record<string, string>>;
  children: ReactNode;
}

const Context = createContext<Runner | undefined>(undefined);
const storageName = (kind: keyof Keys): string => `svc.docs.${kind}-key`;

/** Keys that a reader typed stay in this tab: they are in its session storage, and go to this server's API alone. */
export function RunnerProvider({ publicUrl, known, children }: RunnerProviderProps) {
  const [keys, setKeys] = useState<Keys>({ platform: "", channel: "" });
  const [found, setFound] = useState(known);
  // Storage is read after the first drawing, which must be the server's.
  useEffect(() => setKeys({ platform: stored("platform"), channel: stored("channel") }), []);
  const setKey = useCallback((kind: keyof Keys, key: string) => {
    setKeys((before) => ({ ...before, [kind]: key }));
    if (key) sessionStorage.setItem(storageName(kind), key);
    else sessionStorage.removeItem(storageName(kind));
  }, []);
  const remember = useCallback(
    (name: string, value: string) => setFound((before) => ({ ...before, [name]: value })),
    [],
  );
  const runner = useMemo(
    () => ({ publicUrl, keys, setKey, found, remember }),
    [publicUrl, keys, setKey, found, remember],
  );
  return <Context value={runner}>{children}</Context>;
}

const stored = (kind: keyof Keys): string => sessionStorage.getItem(storageName(kind)) ?? "";

export function useRunner(): Runner {
  const runner = useContext(Context);
  if (!runner) throw new Error("Snippets stand inside the documentation.");
  return runner;
}
