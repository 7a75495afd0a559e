import * as DropdownMenu from "@radix-ui/react-dropdown-menu";
import { ChevronsUpDown, LogOut, Settings, Users } from "lucide-react";
import { Link } from "../../../components/ui/link";
import { MENU, MENU_ITEM } from "../../../components/ui/menu";
import { useMutationOf } from "../../../trpc/use-operation";

interface AccountMenuProps {
  email: string;
  tenantName: string;
  /** Called when a link is chosen: the menu on small screens closes. */
  onNavigate?: (() => void) | undefined;
}

/** The logged-in user, the tenant, and the log-out action. */
export function AccountMenu({ email, tenantName, onNavigate = () => undefined }: AccountMenuProps) {
  const logOut = useMutationOf("endBrowserSession", {
    meta: { leaves: true },
    onSuccess: () => window.location.assign("/log-in"),
  });
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="flex w-full items-center gap-2.5 rounded-lg border bg-card px-2.5 py-2 text-left hover:bg-accent">
        <span
          aria-hidden
          className="grid size-8 shrink-0 place-items-center rounded-md bg-primary font-semibold text-primary-foreground text-sm uppercase"
        >
          {tenantName.slice(0, 1)}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium text-sm">{tenantName}</span>
          <span className="block truncate text-muted-foreground text-xs">{email}</span>
        </span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" sideOffset={6} className={MENU}>
          <DropdownMenu.Item asChild className={MENU_ITEM}>
            <Link href="/account/settings#team" onClick={onNavigate}>
              <Users aria-hidden />
              Team
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item asChild className={MENU_ITEM}>
            <Link href="/account/settings" onClick={onNavigate}>
              <Settings aria-hidden />
              Settings
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={MENU_ITEM} onSelect={() => logOut.mutate()}>
            <LogOut aria-hidden />
            Log out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
