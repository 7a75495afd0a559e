import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../../components/ui/button";

interface RuleBoxProps {
  label: string;
  onRemove: () => void;
  children: ReactNode;
}

/** The fields of one of several rules, and a button that removes it. */
export const RuleBox = ({ label, onRemove, children }: RuleBoxProps) => (
  <fieldset className="min-w-0 space-y-4 rounded-lg border p-4">
    <legend className="sr-only">{label}</legend>
    <div className="flex items-center justify-between gap-2">
      <span aria-hidden className="font-medium text-sm">
        {label}
      </span>
      <Button variant="ghost" size="icon" aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
        <Trash2 aria-hidden />
      </Button>
    </div>
    {children}
  </fieldset>
);
