"use client";

import {
  createContext,
  type FormEvent,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type Failure, FieldError, failureOf } from "../../trpc/failure";
import { Alert } from "../ui/alert";

const FailureContext = createContext<Failure | undefined>(undefined);

interface FormProps {
  /** Gets the fields by name; may throw a FieldError instead of sending. */
  onSubmit: (fields: FormData) => void;
  /** The failed mutation's error, or null. */
  error: unknown;
  /** The form's own name of the field behind a param of the API; default: they are called alike. */
  fieldOf?: (param: string) => string;
  children: ReactNode;
  className?: string;
}

/** Shows each failure beside its field and moves the focus there; a failure without a field stands above the form. */
export function Form({ onSubmit, error, fieldOf, children, className }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const [refused, setRefused] = useState<FieldError>();
  const [unplaced, setUnplaced] = useState<Failure>();
  const cause = refused ?? error;
  const failure = cause ? placed(failureOf(cause), fieldOf) : undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the failure is derived from its cause, which alone is stable.
  useLayoutEffect(() => {
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]');
    // What is folded away cannot be focused.
    const folded = invalid?.closest("details");
    if (folded) folded.open = true;
    invalid?.focus();
    setUnplaced(invalid ? undefined : failure);
  }, [cause]);

  // The button that was pressed may stand a long way below.
  useEffect(() => {
    if (unplaced) top.current?.scrollIntoView({ block: "nearest" });
  }, [unplaced]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    setRefused(undefined);
    try {
      onSubmit(new FormData(event.currentTarget));
    } catch (thrown) {
      if (!(thrown instanceof FieldError)) throw thrown;
      setRefused(thrown);
    }
  };
  return (
    <FailureContext value={failure}>
      <form ref={form} onSubmit={submit} className={className ?? "space-y-5"} noValidate>
        {unplaced && (
          <div ref={top} className="scroll-mt-20 md:scroll-mt-6">
            <FailureAlert failure={unplaced} />
          </div>
        )}
        {children}
      </form>
    </FailureContext>
  );
}

const placed = (failure: Failure, fieldOf: FormProps["fieldOf"]): Failure =>
  fieldOf
    ? { ...failure, fields: failure.fields.map((field) => ({ ...field, param: fieldOf(field.param) })) }
    : failure;

/** The failure of the field `name` or of something inside it: "origins" also owns "origins[2]", its third entry. */
export function useFieldFailure(name: string): string | undefined {
  const failure = use(FailureContext);
  const found = failure?.fields.find(
    ({ param }) => param === name || param.startsWith(`${name}[`) || param.startsWith(`${name}.`),
  );
  const [, entry] = /^\[(\d+)\]/.exec(found?.param.slice(name.length) ?? "") ?? [];
  return found && (entry === undefined ? found.message : `Entry ${Number(entry) + 1}: ${found.message}`);
}

export const FailureAlert = ({ failure: { message, requestId, code } }: { failure: Failure }) => (
  <Alert tone="bad">
    {message}
    {code === "internal" && requestId && <span className="mt-1 block font-mono text-xs">Request id: {requestId}</span>}
  </Alert>
);
