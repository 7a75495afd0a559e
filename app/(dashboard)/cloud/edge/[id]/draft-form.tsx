"use client";

import { Form } from "../../../../components/form/form";
import { rawTextIn, textIn } from "../../../../components/form/read-fields";
import { QuerySection } from "../../../../components/query-content";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { CodeField } from "../../components/code-field";
import { BindingsField } from "../bindings-field";
import { bindingsOf, CODE_HINT, type EdgeFunction } from "../edge-function";

/** The code and the bindings of the newest version, to be changed and tried as the next one. */
export function DraftForm({ of: { id, version } }: { of: EdgeFunction }) {
  const query = useQueryOf("getEdgeVersion", { id, version });
  const update = useMutationOf("updateEdgeFunction", { meta: { inline: true, done: "Draft saved." } });
  return (
    <QuerySection
      title="Draft"
      description="What you save is loaded and tried. It serves when it is published."
      query={query}
    >
      {({ code, bindings, version: shown }) => (
        <Form
          key={shown}
          sends={update}
          saving={update.status}
          onSubmit={(fields) =>
            update.mutate({
              id,
              code: rawTextIn(fields, "code"),
              bindings: bindingsOf(textIn(fields, "bindings")),
            })
          }
          label="Save draft"
        >
          <CodeField code={code} hint={CODE_HINT} />
          <BindingsField bindings={bindings} />
        </Form>
      )}
    </QuerySection>
  );
}
