import { expect, it } from "vitest";
import { FieldError } from "../../../trpc/failure";
import { podIn } from "./read-pod";

function fieldsOf(entries: [string, string][]): FormData {
  const fields = new FormData();
  for (const [name, value] of entries) fields.append(name, value);
  return fields;
}

const variable = (name: string, kind: string, value: string): [string, string][] => [
  ["env_name", name],
  ["env_kind", kind],
  ["env_value", value],
];

it("reads an image alone as a pod with the defaults of the API", () => {
  expect(
    podIn(
      fieldsOf([
        ["image", " alpine "],
        ["name", ""],
        ["command", ""],
        ["labels", ""],
      ]),
    ),
  ).toEqual({
    image: "alpine",
    env: {},
    labels: {},
  });
});

it("reads the login of a registry, arguments with their spaces, variables, secrets and labels", () => {
  const fields = fieldsOf([
    ["image", "alpine"],
    ["registry_username", "ada"],
    ["registry_password", "GHCR"],
    ["command", "/bin/sh\r\n-c\r\n\r\n  echo a=b, c \r\n"],
    ["labels", "job=training\nowner = ada=lovelace"],
    ["ports", "8080, 9000"],
    ...variable("EPOCHS", "value", " 3 "),
    ...variable("", "value", ""),
    ...variable("TOKEN", "secret", "hf"),
  ]);
  expect(podIn(fields)).toMatchObject({
    registry_credentials: { username: "ada", password: { secret: "GHCR" } },
    command: ["/bin/sh", "-c", "  echo a=b, c "],
    env: { EPOCHS: " 3 ", TOKEN: { secret: "hf" } },
    labels: { job: "training", owner: "ada=lovelace" },
    ports: [8080, 9000],
  });
});

it("says beside the field which variable or label is wrong", () => {
  const failureOf = (entries: [string, string][]) => {
    try {
      return podIn(fieldsOf(entries));
    } catch (thrown) {
      return thrown instanceof FieldError ? `${thrown.param}: ${thrown.message}` : thrown;
    }
  };
  expect(failureOf(variable("", "value", "x"))).toBe("env: Variable 1 has no name.");
  expect(failureOf(variable("TOKEN", "secret", ""))).toBe("env: Choose a secret for TOKEN.");
  expect(failureOf([...variable("A", "value", "1"), ...variable("A", "value", "2")])).toBe(
    "env: There are two variables with the name A.",
  );
  expect(failureOf([["registry_username", "ada"]])).toContain("registry_password: ");
  expect(failureOf([["registry_password", "GHCR"]])).toContain("registry_username: ");
  expect(failureOf([["ports", "8080 http"]])).toBe("ports: Enter numbers such as 8080, not “http”.");
  expect(failureOf([["labels", "training"]])).toBe("labels: Enter “training” as name=value.");
});
