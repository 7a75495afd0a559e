import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { CopyButton } from "../../../../components/ui/copy-button";
import { Dialog } from "../../../../components/ui/dialog";
import { useMutationOf } from "../../../../trpc/use-operation";
import { DataTable, timeColumn } from "../../../components/data-table";
import { useHasScope } from "../../../components/shell/access";
import type { Secret } from "../secret";

/** The versions that are kept; who may can read their values. */
export function SecretVersions({ secret: { id, name, version: current, versions } }: { secret: Secret }) {
  const canReveal = useHasScope("secrets:reveal");
  // The value is not kept longer than it is shown.
  const reveal = useMutationOf("revealSecret", { gcTime: 0 });
  return (
    <Section
      title="Versions"
      description={`The values of the last 10 versions are kept. ${canReveal ? "Each time that you reveal one, the audit log records it with your name." : "Your role cannot read values."}`}
    >
      <DataTable
        caption={`Versions of ${name}`}
        rows={versions}
        keyOf={({ version }) => version}
        columns={[
          {
            label: "Version",
            cell: ({ version }) => (
              <>
                {version}
                {version === current && <span className="font-normal text-muted-foreground"> (current)</span>}
              </>
            ),
          },
          timeColumn("Stored", ({ created_at }: Secret["versions"][number]) => created_at),
          {
            label: "Value",
            cell: ({ version }) =>
              canReveal ? (
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={`Reveal version ${version}`}
                  pending={reveal.isPending && reveal.variables.version === version}
                  onClick={() => reveal.mutate({ name: id, version })}
                >
                  Reveal
                </Button>
              ) : (
                "hidden"
              ),
          },
        ]}
      />
      <RevealedValue name={name} revealed={reveal.data} onHide={reveal.reset} />
    </Section>
  );
}

interface RevealedValueProps {
  /** Of the secret. */
  name: string;
  /** Undefined: nothing is shown. */
  revealed: { version: number; value: string } | undefined;
  onHide: () => void;
}

const RevealedValue = ({ name, revealed, onHide }: RevealedValueProps) => (
  <Dialog
    open={revealed !== undefined}
    onOpenChange={onHide}
    title={`Version ${revealed?.version ?? ""} of ${name}`}
    description="The audit log has recorded that you read this value."
  >
    <output
      className="block max-h-80 select-all overflow-y-auto whitespace-pre-wrap break-all rounded-lg border bg-muted/60 p-3 font-mono text-sm"
      aria-label="Value"
    >
      {revealed?.value}
    </output>
    <div className="flex flex-wrap justify-end gap-2">
      <CopyButton text={revealed?.value ?? ""} label="Copy value" />
      <Button size="sm" onClick={onHide}>
        Hide value
      </Button>
    </div>
  </Dialog>
);
