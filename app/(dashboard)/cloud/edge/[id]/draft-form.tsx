"use client";

import { QuerySection } from "../../../../components/query-content";
import { updateEdgeFunctionInput } from "../../../../generated/inputs/updateEdgeFunction";
import { useQueryOf } from "../../../../trpc/use-operation";
import { SchemaForm } from "../../../components/schema-form";
import { type EdgeFunction, versionFields } from "../edge-function";

/** The code and the bindings of the newest version, to be changed and tried as the next one. */
export function DraftForm({ of: { id, version } }: { of: EdgeFunction }) {
  const query = useQueryOf("getEdgeVersion", { id, version });
  return (
    <QuerySection
      title="Draft"
      description="What you save is loaded and tried. It serves when it is published."
      query={query}
    >
      {(shown) => (
        <SchemaForm
          key={shown.version}
          input={updateEdgeFunctionInput}
          fields={versionFields(shown)}
          values={shown}
          fixed={{ id }}
          submit="Save draft"
          done="Draft saved."
        />
      )}
    </QuerySection>
  );
}
