/** Converts the valibot schemas that the service uses to JSON Schema. */
import type * as v from 'valibot';

export type JsonSchema = { readonly [key: string]: unknown };

/** The common structure of valibot's schemas and actions. */
interface Part {
  readonly kind: string;
  readonly type: string;
  readonly requirement?: unknown;
  readonly description?: string;
  readonly pipe?: readonly Part[];
  readonly wrapped?: Part;
  readonly item?: Part;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly entries?: Readonly<Record<string, Part>>;
}

export function jsonSchema(schema: v.GenericSchema): JsonSchema {
  return converted(schema as unknown as Part);
}

function converted(part: Part): JsonSchema {
  if (!part.pipe) return ofSchema(part);
  const [schema, ...actions] = part.pipe;
  const of = schema.type === 'array' ? 'Items' : 'Length';
  return Object.assign({}, ofSchema(schema), ...actions.map((action) => ofAction(action, of)));
}

function ofSchema(part: Part): JsonSchema {
  switch (part.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: part.type };
    case 'picklist':
      return { type: 'string', enum: part.options };
    case 'literal':
      return { const: part.literal };
    case 'never':
      return { not: {} };
    case 'optional':
      return converted(part.wrapped!);
    case 'nullable':
      return { anyOf: [converted(part.wrapped!), { type: 'null' }] };
    case 'array':
      return { type: 'array', items: converted(part.item!) };
    case 'object':
    case 'strict_object': {
      const entries = Object.entries(part.entries!);
      return {
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, entry]) => [name, converted(entry)])),
        required: entries.filter(([, { type }]) => type !== 'optional').map(([name]) => name),
        ...(part.type === 'strict_object' && { additionalProperties: false }),
      };
    }
    default:
      throw new Error(`no JSON schema for ${part.type}`);
  }
}

function ofAction({ kind, type, requirement, description }: Part, of: 'Items' | 'Length'): JsonSchema {
  if (kind === 'metadata' && type === 'description') return { description };
  switch (type) {
    case 'integer':
      return { type: 'integer' };
    case 'min_length':
      return { [`min${of}`]: requirement };
    case 'max_length':
      return { [`max${of}`]: requirement };
    case 'min_value':
      return { minimum: requirement };
    case 'max_value':
      return { maximum: requirement };
    case 'gt_value':
      return { exclusiveMinimum: requirement };
    case 'lt_value':
      return { exclusiveMaximum: requirement };
    case 'regex':
      return { pattern: (requirement as RegExp).source };
    // checks and transformations that JSON Schema cannot express
    case 'check':
    case 'finite':
    case 'transform':
    case 'trim':
      return {};
    default:
      throw new Error(`no JSON schema for ${type}`);
  }
}
