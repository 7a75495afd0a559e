"use client";

import { RadioField } from "../../../components/form/radio-field";
import { numberIn } from "../../../components/form/read-fields";
import { Dialog } from "../../../components/ui/dialog";
import { rotateKeyInput } from "../../../generated/inputs/rotateKey";
import { type Outputs, useTRPC } from "../../../trpc/client";
import { LastUsed } from "../../components/last-used";
import { SchemaForm } from "../../components/schema-form";
import type { ApiKey } from "./api-key";

export type RotatedKey = Outputs["rotateKey"];

/** Seconds. */
const GRACES = [
  {
    value: "0",
    label: "Immediately",
    hint: "For a leaked secret. Programs fail until they use the new one.",
  },
  {
    value: "3600",
    label: "After 1 hour",
    hint: "Both secrets work for an hour: for programs that you update by hand.",
  },
  {
    value: "86400",
    label: "After 24 hours",
    hint: "Both secrets work for a day: for programs that receive secrets in a nightly deployment.",
  },
];

interface RotateApiKeyProps {
  /** undefined keeps the dialog closed. */
  apiKey: ApiKey | undefined;
  onClose: () => void;
  /** Receives the new secret, which is never shown again. */
  onRotated: (rotated: RotatedKey) => void;
}

export function RotateApiKey({ apiKey, onClose, onRotated }: RotateApiKeyProps) {
  const trpc = useTRPC();
  const rotated = (key: RotatedKey) => {
    onClose();
    onRotated(key);
  };
  return (
    <Dialog
      open={apiKey !== undefined}
      onOpenChange={onClose}
      title={`Rotate ${apiKey?.name ?? ""}?`}
      description={
        apiKey && (
          <>
            A new secret replaces the old one; ID, scopes and limits stay the same.{" "}
            <LastUsed at={apiKey.last_used_at} list={trpc.listKeys.pathKey()} />
          </>
        )
      }
    >
      {apiKey && (
        <SchemaForm
          input={rotateKeyInput}
          fields={{
            grace_seconds: {
              render: () => (
                <RadioField
                  name="grace_seconds"
                  label="The old secret stops working"
                  choices={GRACES}
                  defaultValue="0"
                />
              ),
              read: (fields) => numberIn(fields, "grace_seconds"),
            },
          }}
          fixed={{ id: apiKey.id }}
          submit="Rotate key"
          onDone={rotated}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}
