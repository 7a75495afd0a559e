import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Button } from "./button";
import { cn } from "./cn";
import { useUnsaved } from "./unsaved-context";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** False keeps the dialog until a button closes it: for what is shown only once. */
  dismissable?: boolean;
  className?: string;
}

/** A modal window: focus is trapped and returns, Escape and a click outside close it, after a question if input would be lost. */
export function Dialog({ open, onOpenChange, title, description, children, className, ...options }: DialogProps) {
  const { dismissable = true } = options;
  // Radix returns focus only to its own trigger; here the button can be anywhere.
  const opener = useRef<Element>(null);
  const content = useRef<HTMLDivElement>(null);
  const { leave } = useUnsaved();
  const keep = dismissable ? undefined : (event: Event) => event.preventDefault();
  return (
    <Radix.Root open={open} onOpenChange={(next) => leave(() => onOpenChange(next), content.current)}>
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          ref={content}
          {...(description ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          {...(keep ? { onInteractOutside: keep, onEscapeKeyDown: keep } : {})}
          className={cn(
            "data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 fixed top-1/2 left-1/2 z-50 grid max-h-[90dvh] [&>*]:min-w-0 w-[calc(100%-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 gap-4 overflow-y-auto rounded-xl border bg-card p-5 shadow-lg data-[state=open]:animate-in sm:p-6",
            className,
          )}
        >
          <div className="space-y-1.5 pr-8">
            <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
            {description && (
              <Radix.Description className="text-muted-foreground text-sm">{description}</Radix.Description>
            )}
          </div>
          {children}
          {dismissable && (
            <Radix.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close" className="absolute top-3 right-3">
                <X />
              </Button>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const Overlay = () => (
  <Radix.Overlay className="data-[state=open]:fade-in-0 fixed inset-0 z-50 bg-black/50 data-[state=open]:animate-in" />
);
