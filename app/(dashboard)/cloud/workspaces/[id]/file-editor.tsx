import { useTheme } from "next-themes";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { useUnsaved } from "../../../../components/ui/unsaved-context";
import { failureOf } from "../../../../trpc/failure";
import { useMutationOf } from "../../../../trpc/use-operation";
import { createEditor, type TextEditor } from "./create-editor";

interface FileEditorProps {
  id: string;
  path: string;
  /** The file as it was read; a later reading does not replace what is shown. */
  opened: { content: string; version: string };
  canWrite: boolean;
  onReload: () => void;
}

/** Edits a file, and saves it unless it has changed meanwhile: then it asks. */
export function FileEditor({ id, path, opened, canWrite, onReload }: FileEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>(undefined);
  const { watch } = useUnsaved();
  const [version, setVersion] = useState(opened.version);
  const [isChanged, setIsChanged] = useState(false);
  const isDark = useTheme().resolvedTheme === "dark";
  const write = useMutationOf("writeWorkspaceFile", { meta: { inline: true } });
  const save = ({ replaces }: { replaces: boolean }) => {
    const { current } = editor;
    if (!current || write.isPending) return;
    const content = current.text();
    const onSuccess = (written: { version: string }) => {
      setVersion(written.version);
      current.markSaved(content);
    };
    write.mutate({ id, path, content, ...(!replaces && { expected_version: version }) }, { onSuccess });
  };
  const begin = useEffectEvent((parent: HTMLElement) =>
    createEditor(parent, {
      path,
      content: opened.content,
      isDark,
      isReadOnly: !canWrite,
      onChange: setIsChanged,
      onSave: () => save({ replaces: false }),
    }),
  );
  const ask = useEffectEvent((element: HTMLElement) => watch(element, () => editor.current?.isChanged() ?? false));
  useEffect(() => {
    if (!box.current) return;
    const begun = begin(box.current);
    editor.current = begun;
    const unwatch = ask(box.current);
    return () => {
      unwatch();
      begun.close();
    };
  }, []);
  useEffect(() => editor.current?.setDark(isDark), [isDark]);
  return (
    <div className="space-y-3">
      <WriteFailure write={write} onReload={onReload} onReplace={() => save({ replaces: true })} />
      <div ref={box} className="overflow-hidden rounded-lg border" />
      {canWrite && (
        <div className="flex items-center gap-3">
          <Button pending={write.isPending} onClick={() => save({ replaces: false })}>
            Save
          </Button>
          <span role="status" className="text-muted-foreground text-sm">
            {isChanged ? "Not saved." : write.isSuccess ? "Saved." : ""}
          </span>
        </div>
      )}
    </div>
  );
}

interface WriteFailureProps {
  write: { error: unknown; isPending: boolean };
  onReload: () => void;
  onReplace: () => void;
}

/** Why the file was not saved, and what to do about it. */
function WriteFailure({ write: { error, isPending }, onReload, onReplace }: WriteFailureProps) {
  if (!error) return null;
  const { reason, message } = failureOf(error);
  if (reason !== "changed") return <Alert tone="bad">{message}</Alert>;
  return (
    <Alert tone="warn">
      <p>The file has changed since you opened it, so it was not saved.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button variant="outline" size="sm" onClick={onReload}>
          Discard mine and read it again
        </Button>
        <Button variant="outline" size="sm" pending={isPending} onClick={onReplace}>
          Replace it with mine
        </Button>
      </div>
    </Alert>
  );
}
