import { type RefObject, useEffect, useMemo, useRef } from "react";
import { useUnsaved } from "../ui/unsaved-context";
import { formSnapshot } from "./form-snapshot";

export type SaveStatus = "idle" | "pending" | "success" | "error";

export interface WatchedForm {
  /** The form calls it on submit. */
  recordSubmission: () => void;
  /** Whether the form differs from what was saved last. */
  isChanged: () => boolean;
  /** Calls back whenever `isChanged` may have changed; returns a function that ends it. */
  subscribe: (onChange: () => void) => () => void;
}

/**
 * Watches a form whose input is sent with `status`; undefined asks nothing before its input is lost. Input counts as
 * saved while it is sent, until that fails.
 */
export function useWatchedForm(form: RefObject<HTMLFormElement | null>, status: SaveStatus | undefined): WatchedForm {
  const { watch } = useUnsaved();
  const saved = useRef<string>(undefined);
  const sent = useRef<string>(undefined);
  const state = useRef(status);
  const listeners = useRef(new Set<() => void>());
  useEffect(() => {
    state.current = status;
    if (status !== "success" || sent.current === undefined) return;
    saved.current = sent.current;
    for (const listener of listeners.current) listener();
  }, [status]);
  const isWatched = status !== undefined;
  useEffect(() => {
    const element = form.current;
    if (!isWatched || !element) return undefined;
    saved.current = formSnapshot(element);
    return watch(element, () => {
      const now = formSnapshot(element);
      return now !== saved.current && !(state.current === "pending" && now === sent.current);
    });
  }, [watch, form, isWatched]);
  return useMemo(
    () => ({
      recordSubmission: () => {
        if (form.current) sent.current = formSnapshot(form.current);
      },
      isChanged: () =>
        form.current !== null && saved.current !== undefined && formSnapshot(form.current) !== saved.current,
      subscribe: (onChange) => {
        const ends = [onInput(form.current, onChange), () => listeners.current.delete(onChange)];
        listeners.current.add(onChange);
        return () => {
          for (const end of ends) end();
        };
      },
    }),
    [form],
  );
}

/** Pickers and rows that are added keep their values in hidden fields, which change without an event. */
function onInput(form: HTMLFormElement | null, onChange: () => void): () => void {
  if (!form) return () => undefined;
  const observer = new MutationObserver(onChange);
  observer.observe(form, { childList: true, subtree: true });
  form.addEventListener("input", onChange);
  return () => {
    observer.disconnect();
    form.removeEventListener("input", onChange);
  };
}
