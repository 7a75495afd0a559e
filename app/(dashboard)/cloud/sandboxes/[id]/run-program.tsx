import { TextAreaField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { rawTextIn } from "../../../../components/form/read-fields";
import { Section } from "../../../../components/ui/card";
import { useMutationOf } from "../../../../trpc/use-operation";
import { LogWindow } from "../../pods/[id]/log-window";
import { resultText, type Sandbox } from "../sandbox";

/** Runs a script of the sandbox's shell, and shows what it prints. */
export function RunProgram({ id }: { id: string }) {
  const run = useMutationOf("execSandbox", { meta: { inline: true } });
  const submit = (fields: FormData) =>
    run.mutate({ id, command: ["/bin/sh", "-c", rawTextIn(fields, "script")], timeout_seconds: 300 });
  return (
    <Section title="Run a script" description="With the shell of the image, for at most 5 minutes.">
      <div className="space-y-4">
        <Form sends={run} onSubmit={submit} fieldOf={() => "script"} label="Run">
          <TextAreaField
            name="script"
            label="Script"
            rows={3}
            spellCheck={false}
            autoCapitalize="none"
            placeholder="ls -l /"
            className="[&_textarea]:font-mono"
          />
        </Form>
        {run.data && (
          <div className="space-y-2" role="status">
            <p className="text-muted-foreground text-sm">It ended: {resultText(run.data)}.</p>
            <ProgramOutput result={run.data} />
          </div>
        )}
      </div>
    </Section>
  );
}

/** Standard output, and standard error if there is any. */
export const ProgramOutput = ({ result }: { result: Pick<Sandbox, "stdout" | "stderr" | "truncated"> }) => (
  <div className="space-y-3">
    <LogWindow text={result.stdout || "(no output)"} label="Standard output" />
    {result.stderr && <LogWindow text={result.stderr} label="Standard error" />}
    {result.truncated && <p className="text-muted-foreground text-sm">It wrote more; the rest is dropped.</p>}
  </div>
);
