"use client";

import { QuerySection } from "../../../../components/query-content";
import { deployFunctionInput } from "../../../../generated/inputs/deployFunction";
import { useQueryOf } from "../../../../trpc/use-operation";
import { SchemaForm } from "../../../components/schema-form";
import { type CloudFunction, codeField } from "../function";

/** The code of the current version, to be changed and deployed as the next one. */
export function DeployForm({ of: { id, version } }: { of: CloudFunction }) {
  const query = useQueryOf("getFunctionVersion", { id, version });
  return (
    <QuerySection
      title="Code"
      description="Every call that begins after the deployment runs the new version."
      query={query}
    >
      {({ code, handler, version: shown }) => (
        <SchemaForm
          key={shown}
          input={deployFunctionInput}
          fields={{ code: codeField(code) }}
          fixed={{ id, handler }}
          submit="Deploy"
          done="Deployed."
          isWatched
        />
      )}
    </QuerySection>
  );
}
