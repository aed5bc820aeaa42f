/** The models as JSON Schema, for the wire and for the description (M04, M27). */
import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A strict object's schema, as the protocol's tool list has it. */
export interface ObjectSchema extends JsonSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
}

/**
 * @param io An input's defaults are optional to give; an output's are always there.
 * @throws When the model has something that JSON Schema cannot say, such as a transform.
 */
export function jsonSchemaOf(model: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const schema = z.toJSONSchema(model, { io });
  // Every revision of the protocol takes either dialect, and these models mean the same in both.
  delete schema.$schema;
  for (const [, node] of nodesOf(schema)) {
    // What costs tokens and tells nothing: the range of safe integers, a format's own pattern.
    if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
    if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
    if (node.format !== undefined) delete node.pattern;
    // A result has all its fields, and no other: it was made by the model.
    if (io === 'output') {
      if (node.additionalProperties === false) delete node.additionalProperties;
      delete node.default;
      delete node.minimum;
      delete node.maximum;
    }
    // zod writes plain nullable types as a list, which JSON Schema allows and strict clients refuse.
    if (Array.isArray(node.type)) {
      node.anyOf = node.type.map((type) => ({ type }));
      delete node.type;
    }
  }
  return schema as ObjectSchema;
}

/** Each schema within a schema, itself first, with the dotted path of its field. */
export function* nodesOf(node: JsonSchema, path = ''): Generator<[string, JsonSchema]> {
  yield [path, node];
  for (const [name, field] of Object.entries({ ...node.$defs, ...node.properties })) {
    if (typeof field === 'object') yield* nodesOf(field, path === '' ? name : `${path}.${name}`);
  }
  const parts = [node.items, node.prefixItems, node.additionalProperties];
  for (const part of [...parts, node.anyOf, node.oneOf, node.allOf].flat()) {
    if (typeof part === 'object') yield* nodesOf(part, path);
  }
}
