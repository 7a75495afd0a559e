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
import { FormButtons } from "./form-buttons";
import { type SaveStatus, useWatchedForm, type WatchedForm } from "./watched-form";

const FailureContext = createContext<Failure | undefined>(undefined);
/** Of the form around a component; undefined outside of one. */
export const WatchedFormContext = createContext<WatchedForm | undefined>(undefined);

interface Sending {
  error: unknown;
  isPending: boolean;
}

interface FormProps {
  /** Receives the form's fields; may throw a FieldError instead of submitting. */
  onSubmit: (fields: FormData) => void;
  /** The failed mutation's error, or null; default: that of `sends`. */
  error?: unknown;
  /** The mutation that is called, for a form with its own row of buttons. */
  sends?: Sending;
  /** On the button that submits the form. */
  label?: ReactNode;
  /** Absent: the form is a part of a page, and has no button that cancels. */
  onCancel?: (() => void) | undefined;
  /** Maps a param of the API to the form's field name; default: the same name. */
  fieldOf?: (param: string) => string;
  /** The mutation's status: asks before unsaved input is lost. */
  saving?: SaveStatus | undefined;
  /** Receives a hidden part of the form that is shown because the first invalid field is in it. */
  onReveal?: (part: HTMLElement) => void;
  children: ReactNode;
  className?: string;
}

/** Shows each error beside its field and focuses the first one; an error without a field appears above the form. */
export function Form({ onSubmit, fieldOf, saving, onReveal, children, className, sends, ...rest }: FormProps) {
  const { error = sends?.error, label, onCancel } = rest;
  const form = useRef<HTMLFormElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const watched = useWatchedForm(form, saving);
  const [localError, setLocalError] = useState<FieldError>();
  const [formFailure, setFormFailure] = useState<Failure>();
  const cause = localError ?? error;
  const failure = cause ? withFormNames(failureOf(cause), fieldOf) : undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the failure is derived from its cause, which alone is stable.
  useLayoutEffect(() => {
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]');
    // A field inside a closed <details> cannot receive focus.
    const closedDetails = invalid?.closest("details");
    if (closedDetails) closedDetails.open = true;
    // Nor can one in a hidden part. It is shown here, because a change of state is rendered only after this effect.
    const hiddenPart = invalid?.closest<HTMLElement>("[hidden]");
    if (hiddenPart) {
      hiddenPart.hidden = false;
      onReveal?.(hiddenPart);
    }
    invalid?.focus();
    setFormFailure(invalid ? undefined : failure);
  }, [cause]);

  // The submit button may be far below the alert.
  useEffect(() => {
    if (formFailure) top.current?.scrollIntoView({ block: "nearest" });
  }, [formFailure]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    setLocalError(undefined);
    watched.recordSubmission();
    try {
      onSubmit(new FormData(event.currentTarget));
    } catch (thrown) {
      if (!(thrown instanceof FieldError)) throw thrown;
      setLocalError(thrown);
    }
  };
  return (
    <FailureContext value={failure}>
      <WatchedFormContext value={watched}>
        <form ref={form} method="post" onSubmit={submit} className={className ?? "space-y-5"} noValidate>
          {formFailure && (
            <div ref={top} className="scroll-mt-20 md:scroll-mt-6">
              <FailureAlert failure={formFailure} />
            </div>
          )}
          {children}
          {label && <FormButtons label={label} pending={sends?.isPending ?? false} onCancel={onCancel} />}
        </form>
      </WatchedFormContext>
    </FailureContext>
  );
}

const withFormNames = (failure: Failure, fieldOf: FormProps["fieldOf"]): Failure =>
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
    {code === "internal" && requestId && <span className="mt-1 block font-mono text-xs">Request ID: {requestId}</span>}
  </Alert>
);
