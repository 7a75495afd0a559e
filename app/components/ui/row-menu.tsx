import * as DropdownMenu from "@radix-ui/react-dropdown-menu";
import { Ellipsis, type LucideIcon } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { Button } from "./button";
import { cn } from "./cn";
import { ConfirmDialog, type Question } from "./confirm";
import { Link } from "./link";
import { MENU, MENU_ITEM } from "./menu";

interface Entry {
  label: string;
  icon: LucideIcon;
}

type Simple = Entry &
  (
    | {
        href: string;
        /** Opened in a new tab, which learns nothing of this one. */
        isExternal?: boolean;
      }
    | { onSelect: () => void }
  );
type Destructive = Entry & { question: Question; onConfirm: () => Promise<unknown> };

/** What a row offers: a page to open, something to do, or something destructive, which is asked about first. */
export type RowAction = Simple | Destructive;

interface RowMenuProps {
  /** Names the row in the button's label: "Actions for <name>". */
  name: string;
  actions: readonly RowAction[];
  className?: string;
}

const DESTRUCTIVE =
  "text-destructive data-[highlighted]:bg-destructive/10 data-[highlighted]:text-destructive [&_svg]:text-destructive";

/** A button with the actions of a row, the destructive ones last; nothing where there are none. */
export function RowMenu({ name, actions, className }: RowMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const chosen = useRef<() => void>(undefined);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState<string>();
  if (actions.length === 0) return null;
  const questions = actions.filter((action) => "question" in action);
  const others = actions.filter((action): action is Simple => !("question" in action));
  return (
    <>
      {/* Not modal and inside the content: a modal one hides everything else, with what can have the focus, from assistive technology. */}
      <DropdownMenu.Root modal={false} onOpenChange={() => setContainer(trigger.current?.closest("main") ?? null)}>
        <DropdownMenu.Trigger asChild>
          <Button ref={trigger} variant="ghost" size="icon" aria-label={`Actions for ${name}`} className={className}>
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal container={container}>
          <DropdownMenu.Content align="end" sideOffset={4} className={MENU} onCloseAutoFocus={() => take(chosen)?.()}>
            {others.map((action) => (
              <Item key={action.label} action={action} onSelect={(run) => put(chosen, run)} />
            ))}
            {questions.length > 0 && others.length > 0 && (
              <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-border" />
            )}
            {questions.map(({ label, icon: Icon }) => (
              <DropdownMenu.Item
                key={label}
                className={cn(MENU_ITEM, DESTRUCTIVE)}
                onSelect={() => put(chosen, () => setAsked(label))}
              >
                <Icon aria-hidden />
                {label}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {questions.map(({ label, question, onConfirm }) => (
        <ConfirmDialog
          key={label}
          {...question}
          open={asked === label}
          onOpenChange={(isOpen) => setAsked(isOpen ? label : undefined)}
          onConfirm={onConfirm}
        />
      ))}
    </>
  );
}

interface ItemProps {
  action: Simple;
  onSelect: (run: () => void) => void;
}

function Item({ action, onSelect }: ItemProps) {
  const { icon: Icon, label } = action;
  if ("href" in action) {
    return (
      <DropdownMenu.Item asChild className={MENU_ITEM}>
        <Link href={action.href} {...(action.isExternal && { target: "_blank", rel: "noreferrer" })}>
          <Icon aria-hidden />
          {label}
        </Link>
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.Item className={MENU_ITEM} onSelect={() => onSelect(action.onSelect)}>
      <Icon aria-hidden />
      {label}
    </DropdownMenu.Item>
  );
}

type Chosen = RefObject<(() => void) | undefined>;

/** A dialog opens once the menu is gone and its button has the focus again, so that the focus returns there. */
function put(chosen: Chosen, run: () => void): void {
  chosen.current = run;
}

function take(chosen: Chosen): (() => void) | undefined {
  const run = chosen.current;
  chosen.current = undefined;
  return run;
}
