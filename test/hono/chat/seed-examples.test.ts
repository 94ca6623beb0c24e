import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { encodeCanonicalMessage, roles } from '../../../src/canonical/canonical.ts'
import { validateTransition } from '../../../src/engine.ts'
import {
  canonicalMessageSchema,
  canonicalRequestSchema,
  canonicalResponseSchema,
  tokenUsageSchema,
} from '../../../src/hono/chat/canonical-schema.ts'
import { errorResponseSchema } from '../../../src/hono/refusal.ts'
import { isAgentId, isMessageId } from '../../../src/id.ts'
import { timestampFault } from '../../../src/message.ts'

/** The examples of the type system, as they stand there: by heading, so that a clone without the document keeps them. */
const examples: Readonly<Record<string, string>> = {
  MessageId: '"123e4567-e89b-12d3-a456-426614174000"',
  AgentId: '"123e4567-e89b-12d3-a456-426614174001"',
  Role: '"user" | "assistant" | "system"',
  AgentState: '"idle" | "thinking" | "toolcall" | "reflecting"',
  CanonicalMessage: `{
  "id": "123e4567-e89b-12d3-a456-426614174000",
  "role": "user",
  "content": "Hello, how are you?",
  "timestamp": "2025-01-20T10:00:00Z",
  "metadata": {
    "source": "web",
    "version": "1.0"
  }
}`,
  ChatCompletionRequest: `{
  "messages": [...],
  "model": "gpt-4",
  "temperature": 0.7,
  "max_tokens": 1000,
  "stream": false
}`,
  ChatCompletionResponse: `{
  "message": {...},
  "model": "gpt-4",
  "usage": {
    "prompt_tokens": 100,
    "completion_tokens": 50,
    "total_tokens": 150
  }
}`,
  TokenUsage: `{
  "prompt_tokens": 100,
  "completion_tokens": 50,
  "total_tokens": 150
}`,
  AgentStatus: `{
  "id": "123e4567-e89b-12d3-a456-426614174001",
  "state": "idle",
  "last_activity": "2025-01-20T10:00:00Z",
  "messages_processed": 42
}`,
  HealthStatus: `{
  "status": "healthy",
  "timestamp": "2025-01-20T10:00:00Z"
}`,
  ErrorResponse: `{
  "code": "INVALID_REQUEST",
  "message": "Invalid request format",
  "details": {
    "field": "messages",
    "reason": "Cannot be empty"
  }
}`,
}

const now = () => Date.parse('2025-06-01T00:00:00Z')
const messageSchema = canonicalMessageSchema(now).transform(encodeCanonicalMessage)

/** Puts a whole message where an example leaves it out. */
function filled(example = ''): string {
  const { CanonicalMessage: message = '' } = examples
  const indented = (by: string) => message.replaceAll('\n', `\n${by}`)
  return example.replace('[...]', `[\n    ${indented('    ')}\n  ]`).replace('{...}', indented('  '))
}

function roundTrip(schema: z.ZodType, example: string): string {
  return JSON.stringify(schema.parse(JSON.parse(example)), null, 2)
}

const document = join(process.env['PIPE_SEEDS'] ?? '', 'sentinel-type-system.md')

describe('the examples of the type system', () => {
  it.skipIf(process.env['PIPE_SEEDS'] === '' || !existsSync(document))(
    'are those of the document, byte for byte',
    () => {
      const found: Record<string, string> = {}
      for (const section of readFileSync(document, 'utf8').split(/^### /m)) {
        const example = /```json\n([^`]*)\n```/.exec(section)?.[1]
        if (example !== undefined) found[section.slice(0, section.indexOf('\n'))] = example
      }
      expect(found).toEqual(examples)
    },
  )

  it.each([
    ['CanonicalMessage', messageSchema],
    ['ChatCompletionRequest', canonicalRequestSchema(now)],
    ['ChatCompletionResponse', canonicalResponseSchema],
    ['TokenUsage', tokenUsageSchema],
    ['ErrorResponse', errorResponseSchema],
  ] as const)('reads and writes %s', (name, schema) => {
    const example = filled(examples[name])
    expect(roundTrip(schema, example)).toBe(example)
  })

  it('knows the ids, the roles and the states', () => {
    expect(isMessageId(JSON.parse(examples['MessageId'] ?? ''))).toBe(true)
    expect(isAgentId(JSON.parse(examples['AgentId'] ?? ''))).toBe(true)
    expect(roles.map((role) => JSON.stringify(role)).join(' | ')).toBe(examples['Role'])
    const states = ['idle', 'thinking', 'toolcall', 'reflecting'] as const
    expect(states.map((state) => JSON.stringify(state)).join(' | ')).toBe(examples['AgentState'])
    for (const [i, from] of states.entries())
      for (const [k, to] of states.entries()) {
        const isValid = i === k || k === (i + 1) % states.length
        if (isValid) expect(() => validateTransition(from, to)).not.toThrow()
        else expect(() => validateTransition(from, to)).toThrow(`from ${from} to ${to}`)
      }
  })

  it('accepts the times of its examples', () => {
    for (const name of ['AgentStatus', 'HealthStatus']) {
      const { timestamp, last_activity = timestamp } = JSON.parse(examples[name] ?? '')
      expect(timestampFault(last_activity, now())).toBeUndefined()
    }
  })
})
