import * as Slot from "@radix-ui/react-slot";
import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle, type LucideIcon } from "lucide-react";
import type { ComponentProps, MouseEvent } from "react";
import { cn } from "./cn";

const styles = cva(
  "inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium text-sm transition-colors disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-primary text-primary-foreground shadow-xs hover:bg-primary/90",
        outline:
          "border border-input/60 bg-card text-foreground shadow-xs hover:bg-accent hover:text-accent-foreground",
        ghost: "text-foreground hover:bg-accent hover:text-accent-foreground",
        destructive: "bg-destructive text-destructive-foreground shadow-xs hover:bg-destructive/90",
        link: "h-auto px-0 text-primary underline underline-offset-4 hover:no-underline",
      },
      size: { md: "h-9 px-4", sm: "h-8 px-3", lg: "h-11 px-6 text-base", icon: "size-9" },
    },
    defaultVariants: { variant: "primary", size: "md" },
  },
);

type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof styles> & {
    /** Render the only child with the button's looks: a link that acts like one. */
    asChild?: boolean;
    /** Before its text. */
    icon?: LucideIcon;
    /** Shows a spinner, sets `aria-busy`, and ignores clicks. */
    pending?: boolean;
  };

export function Button({ className, variant, size, asChild, icon: Icon, pending, children, ...props }: ButtonProps) {
  const classes = cn(styles({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    );
  }
  // Not `disabled` while it works: that would take the focus away from who pressed it.
  const press = (event: MouseEvent<HTMLButtonElement>) => (pending ? event.preventDefault() : props.onClick?.(event));
  return (
    <button
      type="button"
      {...props}
      className={classes}
      onClick={press}
      aria-disabled={pending || props["aria-disabled"]}
      aria-busy={pending}
    >
      {pending && <LoaderCircle aria-hidden className="animate-spin" />}
      {Icon && <Icon aria-hidden />}
      {children}
    </button>
  );
}
