import { useEffect, useRef } from "react";
import { toast } from "sonner";

const UNDO_MS = 10_000;
const TICK_MS = 250;

let shown = 0;

/**
 * Confirms a change in a toast with a button that calls `undo`, for 10 seconds. Time in which the toasts have the pointer
 * or the focus, or the tab is hidden, does not count. `undo` reports its own errors.
 */
export function showUndo(message: string, undo: () => Promise<unknown>): void {
  const id = `undo-${++shown}`;
  const title = (
    <>
      {message} <span className="sr-only">Press Alt+T to move to the Undo button.</span>
    </>
  );
  const action = <UndoButton undo={undo} onEnd={() => toast.dismiss(id)} />;
  toast.success(title, { id, action, duration: Number.POSITIVE_INFINITY });
}

interface UndoButtonProps {
  undo: () => Promise<unknown>;
  /** Called at least once when the button has been pressed or its time is over. */
  onEnd: () => void;
}

function UndoButton({ undo, onEnd }: UndoButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    let remainingMs = UNDO_MS;
    const timer = setInterval(() => {
      if (!isHeld(button.current)) remainingMs -= TICK_MS;
      if (remainingMs <= 0) onEnd();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [onEnd]);
  useEffect(() => {
    // At this key the toaster, which listens on the document, moves the focus to the list of toasts; this continues to the
    // button.
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey && event.code === "KeyT") button.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const press = () => {
    if (isPressed.current) return;
    isPressed.current = true;
    // The toaster returns the focus to where it was before; the button is about to disappear.
    button.current?.blur();
    onEnd();
    undo().catch(() => undefined);
  };
  return (
    <button ref={button} type="button" data-button data-action title="Alt+T" aria-keyshortcuts="Alt+T" onClick={press}>
      Undo
    </button>
  );
}

/** Whether somebody is at the toasts, or cannot see them. */
const isHeld = (button: HTMLElement | null): boolean =>
  document.hidden || button?.closest("[data-sonner-toaster]")?.matches(":hover, :focus-within") === true;
