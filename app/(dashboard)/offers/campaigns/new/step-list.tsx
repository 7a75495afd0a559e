import { Check } from "lucide-react";
import { cn } from "../../../../components/ui/cn";
import { STEPS } from "./steps";

interface StepListProps {
  step: number;
  onGo: (step: number) => void;
}

/** Where one is among the steps; those before are buttons that lead back. */
export const StepList = ({ step, onGo }: StepListProps) => (
  <ol aria-label="Steps" className="mb-6 grid grid-cols-3 gap-2 sm:gap-4">
    {STEPS.map(({ title }, i) => {
      const number = i + 1;
      const isDone = number < step;
      const text = (
        <>
          <span
            aria-hidden
            className={cn(
              "grid size-6 shrink-0 place-items-center rounded-full border font-semibold text-xs",
              number <= step && "border-primary bg-primary text-primary-foreground",
            )}
          >
            {isDone ? <Check className="size-3.5" /> : number}
          </span>
          <span>
            <span className="sr-only">{`Step ${number}: `}</span>
            {title}
            {isDone && <span className="sr-only">, done</span>}
          </span>
        </>
      );
      return (
        <li
          key={title}
          aria-current={number === step ? "step" : undefined}
          className={cn(
            "border-t-2 pt-2.5 text-xs sm:text-sm",
            number <= step ? "border-primary" : "text-muted-foreground",
            number === step && "font-semibold",
          )}
        >
          {isDone ? (
            <button type="button" onClick={() => onGo(number)} className={`${LABEL} rounded text-left hover:underline`}>
              {text}
            </button>
          ) : (
            <span className={LABEL}>{text}</span>
          )}
        </li>
      );
    })}
  </ol>
);

const LABEL = "flex flex-col gap-1.5 sm:flex-row sm:items-center sm:gap-2.5";
