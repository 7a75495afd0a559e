"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";

import { DEFAULT_LANGUAGE, isLanguage, type Language } from "./snippet-code";
import type { KeyKind } from "./snippet-request";

type Keys = Record<Exclude<KeyKind, "none">, string>;

interface Runner {
  publicUrl: string;
  keys: Keys;
  setKey: (kind: keyof Keys, key: string) => void;
  /** IDs from earlier responses, for later steps. */
  ids: Readonly<Record<string, string>>;
  saveId: (name: string, value: string) => void;
  /** A browser key of the reader's own channel, which is public; undefined if there is none to show. */
  browserKey: KnownToReader["browserKey"];
  /** The language of all snippets. */
  language: Language;
  setLanguage: (language: Language) => void;
}

/** What the examples of a logged-in reader can start with. */
export interface KnownToReader {
  channelId?: string | undefined;
  browserKey?: { text: string; channelName: string } | undefined;
}

interface RunnerProviderProps {
  publicUrl: string;
  known: KnownToReader;
  children: ReactNode;
}

const Context = createContext<Runner | undefined>(undefined);
const LANGUAGE_STORAGE = "svc.docs.language";
const storageName = (kind: keyof Keys): string => `svc.docs.${kind}-key`;

/** Keys that a reader enters stay in this tab: they are in its session storage, and are sent only to this server's API. */
export function RunnerProvider({ publicUrl, known: { channelId, browserKey }, children }: RunnerProviderProps) {
  const [keys, setKeys] = useState<Keys>({ platform: "", channel: "" });
  const [ids, setIds] = useState<Readonly<Record<string, string>>>(channelId ? { channel_id: channelId } : {});
  const [language, setShownLanguage] = useState<Language>(DEFAULT_LANGUAGE);
  // Storage is read after the first render, which must match the server's.
  useEffect(() => {
    setKeys({ platform: storedKey("platform"), channel: storedKey("channel") });
    const stored = localStorage.getItem(LANGUAGE_STORAGE);
    if (isLanguage(stored)) setShownLanguage(stored);
  }, []);
  const setLanguage = useCallback((chosen: Language) => {
    setShownLanguage(chosen);
    localStorage.setItem(LANGUAGE_STORAGE, chosen);
  }, []);
  const setKey = useCallback((kind: keyof Keys, key: string) => {
    setKeys((before) => ({ ...before, [kind]: key }));
    if (key) sessionStorage.setItem(storageName(kind), key);
    else sessionStorage.removeItem(storageName(kind));
  }, []);
  const saveId = useCallback((name: string, value: string) => setIds((before) => ({ ...before, [name]: value })), []);
  const runner = useMemo(
    () => ({ publicUrl, keys, setKey, ids, saveId, browserKey, language, setLanguage }),
    [publicUrl, keys, setKey, ids, saveId, browserKey, language, setLanguage],
  );
  return <Context value={runner}>{children}</Context>;
}

const storedKey = (kind: keyof Keys): string => sessionStorage.getItem(storageName(kind)) ?? "";

export function useRunner(): Runner {
  const runner = useContext(Context);
  if (!runner) throw new Error("useRunner needs a RunnerProvider.");
  return runner;
}
