import type { QueryKey } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/ui/button";
import { pluralOf } from "./list-texts";
import { PageHeader } from "./page-header";
import { type Keyed, PagedList, type PagedListProps } from "./paged-list";
import { RequireScope, useCanWrite } from "./shell/access";

/** Whether a dialog is open. */
export interface DialogState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

type NounListProps<T extends Keyed, E, K extends QueryKey, P> = PagedListProps<T, E, K, P> & {
  title: string;
  description: string;
  /** Buttons beside the one that creates one. */
  actions?: ReactNode;
  /** On the button that creates one; default: "Create edge function". */
  createLabel?: string;
  /** The dialog that creates one; absent where people create none. */
  dialog?: (state: DialogState) => ReactNode;
};

/** The page of a noun: its list, and the dialog that creates one. */
export const NounList = <T extends Keyed, E, K extends QueryKey, P>(props: NounListProps<T, E, K, P>) => (
  <RequireScope scope={`${props.scopes}:read`} title={props.title} what={`the ${pluralOf(props)}`}>
    <Listed {...props} />
  </RequireScope>
);

function Listed<T extends Keyed, E, K extends QueryKey, P>(props: NounListProps<T, E, K, P>) {
  const { title, description, scopes, actions, noun, createLabel = `Create ${noun}`, dialog } = props;
  const [creating, setCreating] = useState(false);
  const canWrite = useCanWrite(scopes);
  const create =
    props.create ??
    (canWrite && dialog && (
      <Button onClick={() => setCreating(true)}>
        <Plus aria-hidden />
        {createLabel}
      </Button>
    ));
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          (actions || create) && (
            <>
              {actions}
              {create}
            </>
          )
        }
      />
      <PagedList {...props} create={create} />
      {dialog?.({ open: creating, onOpenChange: setCreating })}
    </>
  );
}
