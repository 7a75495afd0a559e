"use client";

import { AlertDialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Button } from "./button";

interface ConfirmProps extends Question {
  /** The button that asks. */
  trigger: ReactNode;
  /** The dialog closes when this resolves; a failure leaves it open. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before an act with consequences; the safe choice has the focus. */
export function Confirm({ trigger, onConfirm, ...question }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const confirm = async () => {
    setPending(true);
    await onConfirm().then(
      () => setOpen(false),
      () => undefined,
    );
    setPending(false);
  };
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <ConfirmContent {...question} pending={pending} onConfirm={() => void confirm()} />
    </Radix.Root>
  );
}

interface Question {
  title: string;
  /** What will be lost, and whether it can be undone. */
  consequence: ReactNode;
  /** The verb on the confirming button: "Revoke key". */
  action: string;
}

interface ConfirmContentProps extends Question {
  cancel?: string;
  pending?: boolean;
  onConfirm: () => void;
}

/** The window of a question, inside an AlertDialog.Root. */
export const ConfirmContent = ({ title, consequence, action, onConfirm, ...options }: ConfirmContentProps) => (
  <Radix.Portal>
    <Radix.Overlay className="data-[state=open]:fade-in-0 fixed inset-0 z-50 bg-black/50 data-[state=open]:animate-in" />
    <Radix.Content className="data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 fixed top-1/2 left-1/2 z-50 grid w-[calc(100%-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-4 rounded-xl border bg-card p-5 shadow-lg data-[state=open]:animate-in sm:p-6">
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
