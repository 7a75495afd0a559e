import { Circle, CircleCheck, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/ui/button";
import { cn } from "../../components/ui/cn";
import { Link } from "../../components/ui/link";

export const Steps = ({ children }: { children: ReactNode }) => <ol className="space-y-1">{children}</ol>;

interface StepProps {
  done: boolean;
  /** The page polls for this step and completes it automatically. */
  waiting?: boolean;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** One step of an onboarding checklist; the icon's state is also text for screen readers. */
export const Step = ({ done, waiting = false, title, children, action }: StepProps) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg px-2 py-2.5">
    {done ? (
      <CircleCheck aria-hidden className="size-5 shrink-0 text-success-foreground" />
    ) : waiting ? (
      <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin text-primary" />
    ) : (
      <Circle aria-hidden className="size-5 shrink-0 text-muted-foreground" />
    )}
    <div className="min-w-48 flex-1">
      <p className={cn("font-medium text-sm", done && "text-muted-foreground")}>
        {title}
        <span className="sr-only">{done ? ", done" : ", to do"}</span>
      </p>
      <p className="text-muted-foreground text-sm">{children}</p>
    </div>
    {action}
  </li>
);

export const StepLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Button asChild size="sm">
    <Link href={href}>{children}</Link>
  </Button>
);
