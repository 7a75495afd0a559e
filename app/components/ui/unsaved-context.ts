import { createContext, use } from "react";

export interface LeaveQuestion {
  title: string;
  consequence: string;
  /** The verb on the button that stays. */
  stay: string;
  /** The verb on the button that leaves. */
  leave: string;
}

export interface Unsaved {
  /**
   * Asks from now on before the unsaved input of a form, or other work of an element, is lost; returns a function that
   * ends it. Default of `question`: whether to discard changes.
   */
  watch: (element: HTMLElement, isUnsaved: () => boolean, question?: LeaveQuestion) => () => void;
  /** Runs `go` at once, or after a question if a watched element inside `within` (default: any) has unsaved work. */
  leave: (go: () => void, within?: Element | null) => void;
}

/** Without a provider nothing is asked. */
export const UnsavedContext = createContext<Unsaved>({ watch: () => () => undefined, leave: (go) => go() });

export const useUnsaved = (): Unsaved => use(UnsavedContext);
