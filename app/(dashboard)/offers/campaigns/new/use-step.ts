import { useState } from "react";
import { useUrlParams } from "../../../components/use-url-params";
import { STEPS } from "./steps";

/**
 * The number of the step that is shown, and a function that shows another one. It is in the address, so that the
 * browser's Back returns to the step before; a reload begins with the first one, because its input is gone.
 */
export function useStep(): { step: number; go: (step: number) => void } {
  const { params, change } = useUrlParams();
  const [reached, setReached] = useState(1);
  const asked = Number(params.get("step") ?? 1);
  const go = (next: number) => {
    setReached(Math.max(reached, next));
    change({ step: next === 1 ? "" : String(next) }, "push");
  };
  return { step: asked >= 1 && asked <= STEPS.length ? Math.min(Math.floor(asked), reached) : 1, go };
}
