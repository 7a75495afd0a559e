import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn";

const BOX =
  "w-full min-w-0 rounded-md border border-input bg-card px-3 text-base shadow-xs transition-colors placeholder:text-muted-foreground disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-destructive aria-invalid:outline-destructive sm:text-sm";

export const Input = ({ className, ...props }: ComponentProps<"input">) => (
  <input className={cn(BOX, "h-9 py-1", className)} {...props} />
);

export const Textarea = ({ className, ...props }: ComponentProps<"textarea">) => (
  <textarea className={cn(BOX, "min-h-20 py-2 leading-6", className)} {...props} />
);

/** The platform's own list: keyboard, screen reader and touch behave as people expect. */
export const Select = ({ className, children, ...props }: ComponentProps<"select">) => (
  <span className={cn("relative block", className)}>
    <select className={cn(BOX, "h-9 appearance-none py-1 pr-9")} {...props}>
      {children}
    </select>
    <ChevronDown aria-hidden className="pointer-events-none absolute top-2.5 right-3 size-4 text-muted-foreground" />
  </span>
);

export const Checkbox = ({ className, ...props }: ComponentProps<"input">) => (
  <input type="checkbox" className={cn("size-4 shrink-0 rounded-sm accent-primary", className)} {...props} />
);
