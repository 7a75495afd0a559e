import type { CSSProperties } from "react";
import { hueOf, initialsOf } from "./brand-initials";
import { cn } from "./ui/cn";

interface BrandMarkProps {
  /** The brand's name, which is shown beside the mark; an empty mark keeps the place while it is not known. */
  name: string;
  /** Its size; default: 2 rem. */
  className?: string | undefined;
}

/** The initials of a brand on a color of its own, at least 7:1 in contrast; decoration for the name beside it. */
export const BrandMark = ({ name, className }: BrandMarkProps) => (
  <span
    aria-hidden
    // As generated content the initials are neither selected nor copied with the name.
    data-initials={initialsOf(name)}
    style={{ "--hue": hueOf(name) } as CSSProperties}
    className={cn(
      "inline-grid size-8 shrink-0 select-none place-items-center overflow-hidden rounded-md font-semibold text-xs leading-none before:content-[attr(data-initials)]",
      initialsOf(name) === ""
        ? "bg-muted"
        : "bg-[oklch(0.92_0.05_var(--hue))] text-[oklch(0.34_0.09_var(--hue))] dark:bg-[oklch(0.32_0.055_var(--hue))] dark:text-[oklch(0.92_0.05_var(--hue))]",
      className,
    )}
  />
);
