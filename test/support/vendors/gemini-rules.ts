import * as z from 'zod'
import { type Judged, judge } from './judge.ts'

const base64 = z.string().regex(/^[A-Za-z0-9+/_-]+=*$/)
const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/)
const id = z.string().min(1)

/** Empty text needs a signature. */
const text = z
  .strictObject({
    text: z.string(),
    thought: z.literal(true).optional(),
    thoughtSignature: base64.optional(),
  })
  .refine(({ text, thoughtSignature }) => text !== '' || thoughtSignature !== undefined, 'a text is empty')
const media = z.strictObject({
  inlineData: z.strictObject({
    mimeType: z.enum([
      'image/png',
      'image/jpeg',
      'image/webp',
      'image/heic',
      'image/heif',
      'application/pdf',
    ]),
    data: base64,
  }),
})
const call = z.strictObject({
  functionCall: z.strictObject({ id: id.optional(), name, args: z.record(z.string(), z.unknown()) }),
  thoughtSignature: base64.optional(),
})
const response = z.strictObject({
  functionResponse: z.strictObject({
    id: id.optional(),
    name,
    response: z.union([
      z.strictObject({ output: z.string().min(1) }),
      z.strictObject({ error: z.string().min(1) }),
    ]),
  }),
})
/** Parts that the server writes and accepts back. */
const own = z.strictObject({
  executableCode: z.looseObject({}).optional(),
  inlineData: z.looseObject({}).optional(),
  thoughtSignature: base64,
})

const content = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), parts: z.array(z.union([text, media, response])).min(1) }),
  z.strictObject({ role: z.literal('model'), parts: z.array(z.union([text, call, own])).min(1) }),
])

const description = z.string().min(1).optional()
const nullable = z.boolean().optional()

/** A schema has one type, and only the fields of that type. */
const schema: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ anyOf: z.array(schema).min(2) }),
    z
      .strictObject({
        type: z.literal('OBJECT'),
        properties: z
          .record(z.string(), schema)
          .refine((properties) => Object.keys(properties).length > 0, 'properties: should be non-empty')
          .optional(),
        required: z.array(z.string()).min(1).optional(),
        description,
        nullable,
      })
      .refine(
        ({ properties = {}, required = [] }) => required.every((key) => key in properties),
        'required: property is not defined',
      ),
    z.strictObject({
      type: z.literal('ARRAY'),
      items: schema,
      minItems: z.int().optional(),
      maxItems: z.int().optional(),
      description,
      nullable,
    }),
    z.strictObject({
      type: z.literal('STRING'),
      enum: z.array(z.string().min(1)).min(1).optional(),
      format: z.enum(['date-time', 'enum']).optional(),
      description,
      nullable,
    }),
    z.strictObject({
      type: z.enum(['NUMBER', 'INTEGER']),
      format: z.enum(['float', 'double', 'int32', 'int64']).optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      description,
      nullable,
    }),
    z.strictObject({ type: z.literal('BOOLEAN'), description, nullable }),
  ]),
)

const parameters = schema.refine(
  (value) =>
    z.looseObject({ type: z.literal('OBJECT'), properties: z.looseObject({}) }).safeParse(value).success,
  'parameters: an object with properties is wanted',
)

const thinkingConfig = z
  .strictObject({
    includeThoughts: z.boolean(),
    thinkingBudget: z.int().min(-1).optional(),
    thinkingLevel: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  })
  .refine(
    ({ thinkingBudget, thinkingLevel }) => thinkingBudget === undefined || thinkingLevel === undefined,
    'You can only set only one of thinking budget and thinking level',
  )

const geminiBody = z.strictObject({
  systemInstruction: z.strictObject({ parts: z.array(text).min(1) }).optional(),
  contents: z.array(content).min(1),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z
          .array(z.strictObject({ name, description: z.string(), parameters: parameters.optional() }))
          .min(1),
      }),
    )
    .min(1)
    .optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z
        .strictObject({
          mode: z.enum(['AUTO', 'ANY', 'NONE']),
          allowedFunctionNames: z.array(name).min(1).optional(),
        })
        .refine(
          ({ mode, allowedFunctionNames }) => mode === 'ANY' || allowedFunctionNames === undefined,
          'allowed_function_names should only be set when mode is ANY',
        ),
    })
    .optional(),
  generationConfig: z
    .strictObject({
      maxOutputTokens: z.int().positive().optional(),
      temperature: z.number().min(0).max(2).optional(),
      thinkingConfig: thinkingConfig.optional(),
      stopSequences: z.array(z.string()).max(5).optional(),
      responseMimeType: z.literal('application/json').optional(),
      responseJsonSchema: z.looseObject({}).optional(),
    })
    .optional(),
})

export type GeminiBody = z.infer<typeof geminiBody>
type Part = GeminiBody['contents'][number]['parts'][number]

/** Judges a request for Gemini as the real server does. `path` names the model; versions from 3 on are stricter. */
export function checkGeminiBody(value: unknown, path = ''): Judged<GeminiBody> {
  const further = /gemini-[3-9]/.test(path) ? [signatureViolation] : []
  return judge(geminiBody, value, orderViolation, ...further)
}

function orderViolation({ contents }: GeminiBody): string | undefined {
  let open: readonly string[] = []
  for (const [i, { role, parts }] of contents.entries()) {
    if ((role === 'user') !== (i % 2 === 0)) return `contents[${i}]: not the turn of the ${role}`
    const results = parts.flatMap(answered)
    if (parts.slice(0, results.length).some((part) => !('functionResponse' in part)))
      return `contents[${i}]: function responses must come first`
    if (results.join() !== open.join())
      return `contents[${i}]: the function responses ${results} do not match the function calls ${open}`
    open = parts.flatMap(called)
    if (new Set(open).size < open.length) return `contents[${i}]: two calls with the same id`
  }
  return contents.at(-1)?.role === 'user' ? undefined : "the last content is the model's"
}

/** In the current turn the first call of each step must be signed. */
function signatureViolation({ contents }: GeminiBody): string | undefined {
  const asked = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some((part) => 'text' in part),
  )
  for (const { parts } of contents.slice(asked + 1)) {
    const first = parts.find((part) => 'functionCall' in part)
    if (first !== undefined && !('thoughtSignature' in first))
      return 'Function call is missing a thought_signature in functionCall parts'
  }
  return undefined
}

function called(part: Part): readonly string[] {
  return 'functionCall' in part ? [`${part.functionCall.name} ${part.functionCall.id}`] : []
}

function answered(part: Part): readonly string[] {
  return 'functionResponse' in part ? [`${part.functionResponse.name} ${part.functionResponse.id}`] : []
}
