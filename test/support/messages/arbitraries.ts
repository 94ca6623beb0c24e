import fc, { type Arbitrary } from 'fast-check'
import { createNewId } from '../../../src/id.ts'
import type { JsonValue } from '../../../src/json-value.ts'
import type { ContentBlock, Message } from '../../../src/message.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import { stopReasons, type Usage } from '../../../src/usage.ts'
import { codePoint } from './code-point.ts'
import { now } from './messages.ts'

/** Any text, including NUL, line separators and lone surrogates. */
export const anyText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: codePoint }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', '\n],\n', '"messages": [', '\u2028\u2029', '\r\n', '\0', '\ud800', '{"type":"user"}'),
)

const anyJson: Arbitrary<JsonValue> = fc.jsonValue({ maxDepth: 3 }).map((value): JsonValue => {
  return JSON.parse(JSON.stringify(value))
})

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined })

const record = <T>(fields: { [K in keyof T]: Arbitrary<T[K]> }): Arbitrary<T> =>
  fc.record(fields, { noNullPrototype: true })

const anyId = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) =>
  createNewId(
    () => Uint8Array.from(bytes),
    () => now,
  ).message(),
)

const anyTime = fc
  .date({ min: new Date(now - 1e12), max: new Date(now), noInvalidDate: true })
  .map((date) => date.toISOString())

const tokens = fc.nat({ max: 1_000_000 })

export const anyUsage: Arbitrary<Usage> = record({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: maybe(tokens),
  cacheWriteTokens: maybe(tokens),
  reasoningTokens: maybe(tokens),
  raw: maybe(anyJson),
}).map(({ inputTokens, outputTokens, ...rest }) => ({ inputTokens, outputTokens, ...omitUndefined(rest) }))

const providerData = maybe(record({ provider: anyText, data: anyJson }))

const base64 = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'))

const textBlock: Arbitrary<ContentBlock> = record({ text: anyText, providerData }).map(
  ({ text, ...rest }) => ({ type: 'text', text, ...omitUndefined(rest) }),
)

const thinkingBlock: Arbitrary<ContentBlock> = record({
  thinking: anyText,
  signature: maybe(anyText),
  redacted: maybe(fc.boolean()),
  providerData,
}).map(({ thinking, ...rest }) => ({ type: 'thinking', thinking, ...omitUndefined(rest) }))

const imageBlock: Arbitrary<ContentBlock> = record({ mimeType: anyText, data: base64, providerData }).map(
  ({ mimeType, data, ...rest }) => ({ type: 'image', mimeType, data, ...omitUndefined(rest) }),
)

const documentBlock: Arbitrary<ContentBlock> = record({
  mimeType: anyText,
  data: base64,
  name: maybe(anyText),
  providerData,
}).map(({ mimeType, data, ...rest }) => ({ type: 'document', mimeType, data, ...omitUndefined(rest) }))

const callBlock: Arbitrary<ContentBlock> = record({
  id: anyText,
  name: anyText,
  arguments: anyJson,
  argumentsRaw: maybe(anyText),
  providerData,
}).map(({ id, name, arguments: args, ...rest }) => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
  ...omitUndefined(rest),
}))

const some = (...blocks: readonly Arbitrary<ContentBlock>[]): Arbitrary<readonly ContentBlock[]> =>
  fc.array(fc.oneof(...blocks), { minLength: 1, maxLength: 4 })

const optional = {
  metadata: maybe(fc.dictionary(anyText, anyText, { maxKeys: 3, noNullPrototype: true })),
  parentId: maybe(anyId),
  providerData,
}

/** Any message, with each allowed block, and each optional field present or absent. */
export const anyMessage: Arbitrary<Message> = fc.oneof(
  record({
    id: anyId,
    timestamp: anyTime,
    content: some(textBlock, imageBlock, documentBlock),
    ...optional,
  }).map(({ id, timestamp, content, ...rest }): Message => {
    return { type: 'user', id, timestamp, content, ...omitUndefined(rest) }
  }),
  record({
    id: anyId,
    timestamp: anyTime,
    content: some(textBlock, thinkingBlock, callBlock, imageBlock),
    stopReason: fc.constantFrom(...stopReasons),
    usage: anyUsage,
    provider: maybe(anyText),
    model: maybe(anyText),
    rawStopReason: maybe(anyText),
    responseId: maybe(anyText),
    requestId: maybe(anyText),
    ...optional,
  }).map(({ id, timestamp, content, stopReason, usage, ...rest }): Message => {
    return { type: 'assistant', id, timestamp, content, stopReason, usage, ...omitUndefined(rest) }
  }),
  record({
    id: anyId,
    timestamp: anyTime,
    content: some(textBlock, imageBlock, documentBlock),
    toolCallId: anyText,
    toolName: anyText,
    isError: fc.boolean(),
    details: maybe(anyJson),
    ...optional,
  }).map(({ id, timestamp, content, toolCallId, toolName, isError, ...rest }): Message => {
    return {
      type: 'tool_result',
      id,
      timestamp,
      content,
      toolCallId,
      toolName,
      isError,
      ...omitUndefined(rest),
    }
  }),
)
