/** The looks that every drop-down menu shares. */
export const MENU =
  "data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 z-50 min-w-48 rounded-lg border bg-card p-1 shadow-lg data-[state=open]:animate-in";

export const MENU_ITEM =
  "flex cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-[highlighted]:bg-accent data-[state=checked]:font-medium data-[highlighted]:text-accent-foreground [&_svg]:size-4 [&_svg]:text-muted-foreground";
