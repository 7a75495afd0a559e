import { type ReactNode, useEffect, useRef } from "react";
import { STEPS } from "./steps";

interface StepPanelProps {
  number: number;
  /** The number of the step that is shown. */
  current: number;
  children: ReactNode;
}

/** The fields of one step; hidden ones stay mounted and keep their input. */
export function StepPanel({ number, current, children }: StepPanelProps) {
  const panel = useRef<HTMLFieldSetElement>(null);
  const isShown = number === current;
  const wasShown = useRef(isShown);
  useEffect(() => {
    const hasAppeared = isShown && !wasShown.current;
    wasShown.current = isShown;
    // A step that appears because of an invalid field has the focus there already.
    if (!hasAppeared || panel.current?.contains(document.activeElement)) return;
    window.scrollTo({ top: 0 });
    panel.current?.focus({ preventScroll: true });
  }, [isShown]);
  return (
    <fieldset ref={panel} data-step={number} hidden={!isShown} tabIndex={-1} className="min-w-0 space-y-6 outline-none">
      <legend className="sr-only">{`Step ${number} of ${STEPS.length}: ${STEPS[number - 1]?.title}`}</legend>
      {children}
    </fieldset>
  );
}
