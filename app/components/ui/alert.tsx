import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

const TONES = {
  info: { icon: Info, classes: "bg-accent text-accent-foreground" },
  good: { icon: CircleCheck, classes: "bg-success text-success-foreground" },
  warn: { icon: TriangleAlert, classes: "bg-warning text-warning-foreground" },
  bad: { icon: CircleAlert, classes: "border border-destructive/50 bg-card text-destructive" },
} as const;

interface AlertProps {
  tone?: keyof typeof TONES;
  children: ReactNode;
  className?: string;
}

/** A message in the page; bad news interrupts a screen reader, the rest waits. */
export function Alert({ tone = "info", children, className }: AlertProps) {
  const { icon: Icon, classes } = TONES[tone];
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={cn("flex items-start gap-2.5 rounded-lg px-3.5 py-3 text-sm", classes, className)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 break-words">{children}</div>
    </div>
  );
}
