import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { FieldSchema } from "../../components/form/field-schema";
import { Form } from "../../components/form/form";
import { type FieldOptions, formFields } from "../../components/form/form-fields";
import { FieldError } from "../../trpc/failure";
import { InputField } from "./input-field";

interface Shown {
  options?: FieldOptions;
  isRequired?: boolean;
  error?: Error;
}

/** The markup of a form with one field `x_mb`. */
function shown(schema: FieldSchema, { options = {}, isRequired = false, error }: Shown = {}): string {
  const input = { operation: "any", properties: { x_mb: schema }, required: isRequired ? ["x_mb"] : [] };
  return renderToStaticMarkup(
    <Form error={error ?? null} onSubmit={() => undefined}>
      {formFields({ input, fields: { x_mb: options } }).map((field) => (
        <InputField key={field.name} {...field} />
      ))}
    </Form>,
  );
}

it("says which fields may stay empty, to the eye and to screen readers", () => {
  const optional = shown({ type: "string" });
  expect(optional).toContain("(optional)");
  expect(optional).toContain('aria-required="false"');
  const required = shown({ type: "string" }, { isRequired: true });
  expect(required).not.toContain("(optional)");
  expect(required).toContain('aria-required="true"');
});

it("gives the control the constraints of the schema", () => {
  const number = shown({ type: "integer", minimum: 64, maximum: 4096, default: 512 });
  for (const attribute of ['type="number"', 'min="64"', 'max="4096"', 'step="1"', 'value="512"'])
    expect(number).toContain(attribute);
  expect(shown({ type: "string", maxLength: 80 })).toContain('maxLength="80"');
  expect(shown({ type: "string" }, { options: { maxLength: 512 } })).toContain('maxLength="512"');
  expect(shown({ type: "array", maxLength: 80 })).toContain("<textarea");
  expect(shown({ type: "string", identifier: true })).toMatch(/autoCapitalize="none"/i);
  expect(shown({ type: "string", format: "uri" })).toContain('type="url"');
});

it("shows the server's error at its field, where the control refers to it", () => {
  const html = shown({ type: "string" }, { error: new FieldError("x_mb", "It exists already.") });
  const [, id] = /aria-describedby="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain('aria-invalid="true"');
  expect(html).toMatch(new RegExp(`<p id="${id}"[^>]*>It exists already.</p>`));
});

describe("texts", () => {
  it("are those of the page, else the name in words and the description", () => {
    const schema = { type: "string", description: "Where it runs, such as `eu`" };
    expect(shown(schema)).toMatch(/<label[^>]*>X<.*Where it runs, such as “eu”\./);
    expect(shown(schema, { options: { label: "Place", hint: null } })).not.toMatch(/Where it runs/);
  });

  it("of choices are those of the page, which offers no others", () => {
    const schema = { type: "string", enum: ["block", "notify", "old"] };
    expect(shown(schema)).toContain('<option value="old">old</option>');
    const html = shown(schema, { options: { choices: { block: "Refuse requests" } } });
    expect(html).toContain('<option value="block">Refuse requests</option>');
    expect(html).not.toContain(">old<");
  });
});
