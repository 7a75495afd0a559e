import * as Radix from "@radix-ui/react-alert-dialog";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "./button";

export interface Question {
  title: string;
  /** What will be lost, and whether it can be undone. */
  consequence: ReactNode;
  /** The verb on the confirming button: "Revoke key". */
  action: string;
}

interface ConfirmProps extends Question {
  /** The button that asks. */
  trigger: ReactNode;
  /** The dialog closes when this resolves; a failure leaves it open. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before an act with consequences; the safe choice has the focus. */
export function Confirm(props: ConfirmProps) {
  const [open, setOpen] = useState(false);
  return <ConfirmDialog {...props} open={open} onOpenChange={setOpen} />;
}

interface ConfirmDialogProps extends Omit<ConfirmProps, "trigger"> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger?: ReactNode;
}

/** The same question, opened from elsewhere: the focus returns to what had it before. */
export function ConfirmDialog({ open, onOpenChange, trigger, onConfirm, ...question }: ConfirmDialogProps) {
  const [pending, setPending] = useState(false);
  const confirm = async () => {
    setPending(true);
    await onConfirm().then(
      () => onOpenChange(false),
      () => undefined,
    );
    setPending(false);
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <ConfirmContent {...question} pending={pending} onConfirm={() => void confirm()} />
    </Radix.Root>
  );
}

interface ConfirmContentProps extends Question {
  cancel?: string;
  pending?: boolean;
  onConfirm: () => void;
}

/** The window of a question, inside an AlertDialog.Root. */
export function ConfirmContent({ title, consequence, action, onConfirm, ...options }: ConfirmContentProps) {
  // Radix returns the focus only to its own trigger.
  const opener = useRef<Element>(null);
  return (
    <Radix.Portal>
      <Radix.Overlay className="data-[state=open]:fade-in-0 fixed inset-0 z-50 bg-black/50 data-[state=open]:animate-in" />
      <Radix.Content
        onOpenAutoFocus={() => {
          opener.current = document.activeElement;
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          focusAgain(opener.current);
        }}
        className="data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 fixed top-1/2 left-1/2 z-50 grid w-[calc(100%-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-4 rounded-xl border bg-card p-5 shadow-lg data-[state=open]:animate-in sm:p-6"
      >
        <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
        <Radix.Description className="text-muted-foreground text-sm">{consequence}</Radix.Description>
        <div className="flex flex-wrap justify-end gap-2">
          <Radix.Cancel asChild>
            <Button variant="outline">{options.cancel ?? "Cancel"}</Button>
          </Radix.Cancel>
          <Button variant="destructive" pending={options.pending ?? false} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </Radix.Content>
    </Radix.Portal>
  );
}

/** Where the button is gone, as that of an archived row, and nothing else took the focus, reading continues with the content. */
function focusAgain(opener: Element | null): void {
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  else if (document.activeElement === document.body) document.getElementById("content")?.focus({ preventScroll: true });
}
