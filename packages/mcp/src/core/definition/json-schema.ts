/** Converts models to JSON Schema, for `tools/list` and for the description (M04, M27). */
import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** An object schema as `tools/list` requires it. */
export interface ObjectSchema extends JsonSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
}

/**
 * @param io In an input schema, fields with a default are optional; in an output schema they are required.
 * @throws If JSON Schema cannot represent the model, for example a transform.
 */
export function jsonSchemaOf(model: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const schema = z.toJSONSchema(model, { io });
  // The protocol's revisions have different default dialects. These schemas have the same meaning in each.
  delete schema.$schema;
  for (const [, node] of nodesOf(schema)) {
    // Omitted to save tokens: the safe integer range and the pattern of a known format carry no information for a
    // model.
    if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
    if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
    if (node.format !== undefined) delete node.pattern;
    // The model produces the output, so that the fields are always complete and within their bounds.
    if (io === 'output') {
      if (node.additionalProperties === false) delete node.additionalProperties;
      delete node.default;
      delete node.minimum;
      delete node.maximum;
    }
    // zod writes a plain nullable type as a list of types. JSON Schema allows that, but strict clients reject it.
    if (Array.isArray(node.type)) {
      node.anyOf = node.type.map((type) => ({ type }));
      delete node.type;
    }
  }
  return schema as ObjectSchema;
}

/** Yields the schema and each nested schema, with the dotted path of its field. */
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
