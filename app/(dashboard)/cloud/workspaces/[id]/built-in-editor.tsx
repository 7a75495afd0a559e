import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { Section } from "../../../../components/ui/card";
import { useUnsaved } from "../../../../components/ui/unsaved-context";
import { isWithin } from "./file-paths";
import { FileTree } from "./file-tree";

const OpenFile = dynamic(() => import("./open-file").then((module) => module.OpenFile), {
  ssr: false,
  loading: () => <p className="text-muted-foreground text-sm">Loading the editor …</p>,
});

interface BuiltInEditorProps {
  id: string;
  canWrite: boolean;
}

/** The files of a workspace beside the one that is open. */
export function BuiltInEditor({ id, canWrite }: BuiltInEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const { leave } = useUnsaved();
  const [path, setPath] = useState<string>();
  const open = (next: string) => {
    if (next !== path) leave(() => setPath(next), box.current);
  };
  const close = (gone: string) =>
    setPath((shown) => (shown !== undefined && isWithin(shown, gone) ? undefined : shown));
  return (
    <Section
      title="Built-in editor"
      description="The files in /workspace. Ctrl+S saves, Ctrl+F finds and replaces, Tab leaves the text."
    >
      <div ref={box} className="grid items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <FileTree id={id} canWrite={canWrite} selected={path} onOpen={open} onGone={close} />
        {path === undefined ? (
          <p className="text-muted-foreground text-sm">Choose a file, or make one.</p>
        ) : (
          <OpenFile key={path} id={id} path={path} canWrite={canWrite} />
        )}
      </div>
    </Section>
  );
}
