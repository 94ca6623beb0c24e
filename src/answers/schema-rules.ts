import type { JsonObject } from '../json-value.ts'

const schema = { $ref: '#' } as const
const schemas = { type: 'array', minItems: 1, items: schema } as const
const named = { type: 'object', additionalProperties: schema } as const
const count = { type: 'integer', minimum: 0 } as const
const number = { type: 'number' } as const
const text = { type: 'string' } as const
const names = { type: 'array', items: text } as const
const flag = { type: 'boolean' } as const
const kinds = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** Describes a schema itself: the keywords of drafts 4 to 2020-12 with the kinds of their values. Others may stand beside them. */
export const schemaRules: JsonObject = {
  type: ['object', 'boolean'],
  properties: {
    $id: text,
    $schema: text,
    $ref: text,
    $anchor: text,
    $defs: named,
    definitions: named,
    type: {
      anyOf: [{ enum: kinds }, { type: 'array', minItems: 1, uniqueItems: true, items: { enum: kinds } }],
    },
    enum: { type: 'array' },
    properties: named,
    patternProperties: named,
    additionalProperties: schema,
    unevaluatedProperties: schema,
    propertyNames: schema,
    required: { anyOf: [names, flag] },
    minProperties: count,
    maxProperties: count,
    dependentRequired: { type: 'object', additionalProperties: names },
    dependentSchemas: named,
    dependencies: { type: 'object', additionalProperties: { anyOf: [names, schema] } },
    items: { anyOf: [schema, schemas] },
    prefixItems: schemas,
    additionalItems: schema,
    unevaluatedItems: schema,
    contains: schema,
    minContains: count,
    maxContains: count,
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    minimum: number,
    maximum: number,
    exclusiveMinimum: { type: ['number', 'boolean'] },
    exclusiveMaximum: { type: ['number', 'boolean'] },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    minLength: count,
    maxLength: count,
    pattern: text,
    format: text,
    title: text,
    description: text,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    ...Object.fromEntries(['not', 'if', 'then', 'else'].map((keyword) => [keyword, schema])),
  },
}
