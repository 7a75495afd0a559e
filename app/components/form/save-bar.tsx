import { type RefObject, use, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { Button } from "../ui/button";
import { useUnsaved } from "../ui/unsaved-context";
import { WatchedFormContext } from "./form";

interface SaveBarProps {
  pending: boolean;
  /** Restores what was saved last, by mounting the form again. */
  onDiscard: () => void;
  /** True in a form that was mounted again by `onDiscard`: takes the focus that the old form lost. */
  isRestored: boolean;
  /** Receives whether there are unsaved changes, for a mark where the form is out of sight. */
  onChanged?: (isChanged: boolean) => void;
}

/** Save and Discard at the bottom of the window while the form around it has unsaved changes. */
export function SaveBar({ pending, onDiscard, isRestored, onChanged }: SaveBarProps) {
  const watched = use(WatchedFormContext);
  const isChanged = useSyncExternalStore(
    watched?.subscribe ?? neverChanges,
    () => watched?.isChanged() ?? false,
    () => false,
  );
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isRestored) status.current?.focus({ preventScroll: true });
  }, [isRestored]);
  useEffect(() => onChanged?.(isChanged), [onChanged, isChanged]);
  return (
    <>
      <p ref={status} role="status" tabIndex={-1} className="sr-only">
        {isChanged ? "You have unsaved changes." : "No unsaved changes."}
      </p>
      {isChanged && <Bar pending={pending} onDiscard={onDiscard} status={status} />}
    </>
  );
}

const neverChanges = () => () => undefined;

interface BarProps {
  pending: boolean;
  onDiscard: () => void;
  /** Takes the focus when the bar disappears with it, so that Tab continues from here. */
  status: RefObject<HTMLElement | null>;
}

function Bar({ pending, onDiscard, status }: BarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const { leave } = useUnsaved();
  useLayoutEffect(() => {
    const element = bar.current;
    // Runs before the bar is removed.
    return () => {
      if (element?.contains(document.activeElement)) status.current?.focus({ preventScroll: true });
    };
  }, [status]);
  return (
    <div
      ref={bar}
      data-save-bar
      className="sticky bottom-3 z-10 flex items-center justify-end gap-2 rounded-xl border bg-card px-3 py-3 shadow-lg sm:px-6"
    >
      <p className="mr-auto font-medium text-sm max-sm:sr-only">Unsaved changes</p>
      <Button variant="outline" disabled={pending} onClick={() => leave(onDiscard, bar.current?.closest("form"))}>
        Discard
      </Button>
      <Button type="submit" pending={pending}>
        Save changes
      </Button>
    </div>
  );
}
