"use client";

import { createContext, use } from "react";

export interface Unsaved {
  /** Asks from now on before the form's unsaved input is lost; returns a function that ends it. */
  watch: (form: HTMLFormElement, isUnsaved: () => boolean) => () => void;
  /** Runs `go` at once, or after a question if a watched form inside `within` (default: any) has unsaved input. */
  leave: (go: () => void, within?: Element | null) => void;
}

/** Without a provider nothing is asked. */
export const UnsavedContext = createContext<Unsaved>({ watch: () => () => undefined, leave: (go) => go() });

export const useUnsaved = (): Unsaved => use(UnsavedContext);
