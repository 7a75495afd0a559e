import { ConfirmDialog } from "../../../../components/ui/confirm";
import { formatCount } from "../../../../format/numbers";

interface ReplaceDialogProps {
  /** The keys of objects that would be replaced; asked while defined. */
  keys: readonly string[] | undefined;
  onCancel: () => void;
  onReplace: () => void;
}

/** Asks before an upload replaces objects whose content is not kept as an older version. */
export const ReplaceDialog = ({ keys = [], onCancel, onReplace }: ReplaceDialogProps) => {
  const [first] = keys;
  const isOne = keys.length === 1;
  return (
    <ConfirmDialog
      open={keys.length > 0}
      onOpenChange={onCancel}
      title={isOne ? "Replace this object?" : `Replace ${formatCount(keys.length)} objects?`}
      consequence={
        <span className="wrap-anywhere">
          {isOne ? `${first} exists already.` : `${first} and ${formatCount(keys.length - 1)} more exist already.`} The
          bucket does not keep older versions, so what is stored now is lost.
        </span>
      }
      action={isOne ? "Replace object" : "Replace objects"}
      onConfirm={async () => onReplace()}
    />
  );
};
