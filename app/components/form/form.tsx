"use client";

import { createContext, type FormEvent, type ReactNode, use, useLayoutEffect, useRef, useState } from "react";
import { type Failure, FieldError, failureOf } from "../../trpc/failure";
import { Alert } from "../ui/alert";

const FailureContext = createContext<Failure | undefined>(undefined);

interface FormProps {
  /** Gets the fields by name; may throw a FieldError instead of sending. */
  onSubmit: (fields: FormData) => void;
  /** The failed mutation's error, or null. */
  error: unknown;
  children: ReactNode;
  className?: string;
}

/** Shows each failure beside its field and moves the focus there; a failure without a field stands above the form. */
export function Form({ onSubmit, error, children, className }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState<FieldError>();
  const [unplaced, setUnplaced] = useState<Failure>();
  const cause = refused ?? error;
  const failure = cause ? failureOf(cause) : undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the failure is derived from its cause, which alone is stable.
  useLayoutEffect(() => {
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]');
    invalid?.focus();
    setUnplaced(invalid ? undefined : failure);
  }, [cause]);

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
        {unplaced && <FailureAlert failure={unplaced} />}
        {children}
      </form>
    </FailureContext>
  );
}

/** The failure of the field `name` or of something inside it: "origins" also owns "origins[2]". */
export function useFieldFailure(name: string): string | undefined {
  const failure = use(FailureContext);
  return failure?.fields.find(
    ({ param }) => param === name || param.startsWith(`${name}[`) || param.startsWith(`${name}.`),
  )?.message;
}

export const FailureAlert = ({ failure: { message, requestId, code } }: { failure: Failure }) => (
  <Alert tone="bad">
    {message}
    {code === "internal" && requestId && <span className="mt-1 block font-mono text-xs">Request id: {requestId}</span>}
  </Alert>
);
