import type { ReactNode } from "react";
import { Alert } from "../../components/ui/alert";
import { Button } from "../../components/ui/button";
import { CopyButton } from "../../components/ui/copy-button";
import { Dialog } from "../../components/ui/dialog";

interface SecretDialogProps {
  title: string;
  /** What the secret gives access to, in one sentence. */
  description: string;
  /** Shown while defined. */
  secret: string | undefined;
  onDone: () => void;
  /** What it is called; default: "key". */
  noun?: string;
  /** What to do with it next. */
  children?: ReactNode;
}

/** Shows a secret once; only its button closes it, so that a stray click cannot lose the secret. */
export const SecretDialog = ({ title, description, secret, onDone, noun = "key", children }: SecretDialogProps) => (
  <Dialog
    open={secret !== undefined}
    onOpenChange={onDone}
    dismissable={false}
    title={title}
    description={description}
    {...(children ? { className: "max-w-2xl" } : {})}
  >
    <output
      className="block select-all break-all rounded-lg border bg-muted/60 p-3 font-mono text-sm"
      aria-label={title}
    >
      {secret}
    </output>
    <Alert tone="warn">
      Store this {noun} now. You will not be able to see it again; a lost {noun} can only be replaced.
    </Alert>
    {children}
    <div className="flex flex-wrap justify-end gap-2">
      <CopyButton text={secret ?? ""} label={`Copy ${noun}`} />
      <Button size="sm" onClick={onDone}>
        I have stored it
      </Button>
    </div>
  </Dialog>
);
