"use client";

import { Form } from "../../../../components/form/form";
import { rawTextIn } from "../../../../components/form/read-fields";
import { QuerySection } from "../../../../components/query-content";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { CodeField } from "../../components/code-field";
import { type CloudFunction, CODE_HINT } from "../function";

/** The code of the current version, to be changed and deployed as the next one. */
export function DeployForm({ of: { id, version } }: { of: CloudFunction }) {
  const query = useQueryOf("getFunctionVersion", { id, version });
  const deploy = useMutationOf("deployFunction", { meta: { inline: true, done: "Deployed." } });
  return (
    <QuerySection
      title="Code"
      description="Every call that begins after the deployment runs the new version."
      query={query}
    >
      {({ code, handler, version: shown }) => (
        <Form
          key={shown}
          sends={deploy}
          saving={deploy.status}
          onSubmit={(fields) => deploy.mutate({ id, handler, code: rawTextIn(fields, "code") })}
          label="Deploy"
        >
          <CodeField code={code} hint={CODE_HINT} />
        </Form>
      )}
    </QuerySection>
  );
}
